// SPDX-License-Identifier: GPL-3.0-or-later
//
// The men (S-272). A set is fetched when it is chosen, and kept for the account.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { PIECE_SETS, prefs, type PieceSet } from "../app/prefs";
import { useStore } from "../app/store";
import { loadPieces } from "../board/look";
import { Man } from "../board/promotion";
import { t } from "../i18n";
import { Dialog } from "../ui/dialog";
import { canScaleDrawings } from "./features";
import { Reset } from "./reset";

const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"] as const;

export function PiecesDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const { pieces } = useStore(prefs);
  const [failed, setFailed] = useState(false);
  const able = canScaleDrawings();
  const choose = async (set: PieceSet): Promise<void> => {
    setFailed(false);
    try {
      await loadPieces(set);
      prefs.patch({ pieces: set });
    } catch {
      setFailed(true);
    }
  };
  return (
    <Dialog title={t("settings.pieces")} onClose={onClose} testid="pieces-dialog">
      {!able && <p class="warning">{t("settings.old_browser")}</p>}
      <div class="men-sample" aria-hidden="true">
        {(["white", "black"] as const).map((color) => (
          <span key={color}>
            {ROLES.map((role) => (
              <Man key={role} role={role} color={color} />
            ))}
          </span>
        ))}
      </div>
      <fieldset class="choices" disabled={!able}>
        <legend class="unseen">{t("settings.pieces")}</legend>
        {PIECE_SETS.map((set) => (
          <label key={set}>
            <input
              type="radio"
              name="pieces"
              value={set}
              data-testid={`pieces-${set}`}
              checked={pieces === set}
              onChange={() => void choose(set)}
            />
            <span>{t(`settings.set.${set}`)}</span>
          </label>
        ))}
      </fieldset>
      <p role="alert" class={failed ? "error" : ""}>
        {failed && t("error.unreachable")}
      </p>
      <p class="buttons">
        <button class="primary" onClick={onClose}>
          {t("common.close")}
        </button>
        <Reset onReset={() => void choose("cburnett")} />
      </p>
    </Dialog>
  );
}
