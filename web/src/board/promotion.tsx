// SPDX-License-Identifier: GPL-3.0-or-later
//
// The four men a pawn may become, over its square. Escape or a click beside them takes the move back.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { LegalMove } from "../core/core";
import { t } from "../i18n";
import type { Color } from "../net/types";

const ROLES = { q: "queen", r: "rook", b: "bishop", n: "knight" } as const;
type Letter = keyof typeof ROLES;

interface PickerProps {
  moves: LegalMove[];
  color: Color;
  orientation: Color;
  onChoose: (uci: string) => void;
  onCancel: () => void;
}

export function PromotionPicker({ moves, color, orientation, onChoose, onCancel }: PickerProps): JSX.Element {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    first.current?.focus();
    return () => before?.focus?.();
  }, []);
  const to = moves[0]!.uci.slice(2, 4);
  const file = "abcdefgh".indexOf(to[0]!);
  const column = orientation === "white" ? file : 7 - file;
  const top = (to[1] === "8") === (orientation === "white");
  const onKey = (e: KeyboardEvent): void => {
    const buttons = [...(e.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button")];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (e.key === "Escape") onCancel();
    else if (e.key === "ArrowDown" || e.key === "ArrowRight") buttons[(at + 1) % 4]?.focus();
    else if (e.key === "ArrowUp" || e.key === "ArrowLeft") buttons[(at + 3) % 4]?.focus();
    else if (e.key === "Tab") buttons[(at + (e.shiftKey ? 3 : 1)) % 4]?.focus();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div
      class="promotion"
      data-testid="promotion"
      onClick={(e) => e.target === e.currentTarget && onCancel()}
    >
      <div
        role="dialog"
        aria-modal="true"
        aria-label={t("board.promotion")}
        class={`promotion-list column-${column} ${top ? "from-top" : "from-bottom"}`}
        onKeyDown={onKey}
      >
        {(Object.keys(ROLES) as Letter[]).map((letter, i) => {
          const move = moves.find((m) => m.uci.endsWith(letter));
          return (
            move && (
              <button
                key={letter}
                ref={i === 0 ? first : undefined}
                data-testid={`promo-${letter}`}
                aria-label={t(`piece.${color}.${ROLES[letter]}`)}
                onClick={() => onChoose(move.uci)}
              >
                <Man role={ROLES[letter]} color={color} />
              </button>
            )
          );
        })}
      </div>
    </div>
  );
}

// A man of the piece set, outside the board.
export function Man({ role, color }: { role: string; color: Color }): JSX.Element {
  return (
    <span class="cg-wrap man" aria-hidden="true">
      <piece class={`${color} ${role}`} />
    </span>
  );
}
