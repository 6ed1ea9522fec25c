// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rest of the settings (S-279), and the way back to all defaults (S-281).
import type { JSX } from "preact";
import { DEFAULTS, prefs } from "../app/prefs";
import { t } from "../i18n";
import { BoardPrefs } from "../ui/board_prefs";
import { Dialog } from "../ui/dialog";
import { Reset } from "./reset";

export function OtherDialog({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog title={t("settings.other")} onClose={onClose} testid="settings-dialog">
      <BoardPrefs />
      <p class="buttons">
        <button class="primary" onClick={onClose}>
          {t("common.close")}
        </button>
        <Reset text="settings.reset_all" onReset={() => prefs.set({ ...DEFAULTS, theme: prefs.get().theme })} />
      </p>
    </Dialog>
  );
}
