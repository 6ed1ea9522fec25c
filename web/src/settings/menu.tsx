// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Settings" inside one's own game (S-270): a menu of four items at the left, each a dialog.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { ColorsDialog } from "./colors";
import { OtherDialog } from "./other";
import { PiecesDialog } from "./pieces";

const ITEMS = ["colors", "pieces", "layout", "other"] as const;
type Item = (typeof ITEMS)[number];

interface MenuProps {
  // Where blocks can be moved; without it the item is not there (the analysis board).
  onLayout?: (() => void) | undefined;
  onClose: () => void;
}

export function SettingsMenu({ onLayout, onClose }: MenuProps): JSX.Element {
  const [item, setItem] = useState<Item | null>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector("button")?.focus(), []);
  useEffect(() => {
    if (item) return;
    const outside = (e: Event): void => {
      if (!list.current?.contains(e.target as Node)) onClose();
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [item]);

  if (item === "colors") return <ColorsDialog onClose={onClose} />;
  if (item === "pieces") return <PiecesDialog onClose={onClose} />;
  if (item === "other") return <OtherDialog onClose={onClose} />;
  const choose = (wanted: Item): void => {
    if (wanted !== "layout") return setItem(wanted);
    onClose();
    onLayout?.();
  };
  const onKey = (e: KeyboardEvent): void => {
    const buttons = [...list.current!.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (e.key === "Escape") onClose();
    else if (e.key === "ArrowDown") buttons[(at + 1) % buttons.length]?.focus();
    else if (e.key === "ArrowUp") buttons[(at + buttons.length - 1) % buttons.length]?.focus();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <nav class="settings-menu" aria-label={t("settings.title")} data-testid="settings-menu" onKeyDown={onKey}>
      <h2>{t("settings.title")}</h2>
      <ul ref={list}>
        {ITEMS.filter((i) => i !== "layout" || onLayout).map((i) => (
          <li key={i}>
            <button class="plain" data-testid={`settings-${i}`} onClick={() => choose(i)}>
              {t(`settings.${i}`)}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
