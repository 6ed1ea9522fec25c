// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sign that opens the settings. The dialogs behind it and their words are fetched with the first
// press.
import type { ComponentType, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { loadExtras } from "../app/sheet";
import { loadArea, t } from "../i18n";
import { Icon } from "../ui/icons";

interface Parts {
  Menu: ComponentType<{ onLayout?: (() => void) | undefined; onClose: () => void }>;
  Arrange: ComponentType<{ onClose: () => void }>;
}
let parts: Promise<Parts> | null = null;

export function fetchSettings(): Promise<Parts> {
  parts ??= Promise.all([import("./menu"), import("./arrange"), loadArea("settings"), loadExtras()]).then(([m, a]) => ({
    Menu: m.SettingsMenu,
    Arrange: a.Arrange,
  }));
  parts.catch(() => (parts = null));
  return parts;
}

export function SettingsButton({ onLayout }: { onLayout?: () => void }): JSX.Element {
  const [open, setOpen] = useState<Parts | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        class="plain sign"
        aria-label={t("game.settings")}
        title={t("game.settings")}
        aria-expanded={open !== null}
        data-testid="settings"
        onClick={() => void fetchSettings().then(setOpen, () => {})}
      >
        <Icon name="settings" />
      </button>
      {open && (
        <open.Menu
          onLayout={onLayout}
          onClose={() => {
            setOpen(null);
            button.current?.focus();
          }}
        />
      )}
    </>
  );
}

// Moving the blocks of the game zone; goes into the zone itself.
export function ArrangeBlocks({ onClose }: { onClose: () => void }): JSX.Element | null {
  const [found, setFound] = useState<Parts | null>(null);
  useEffect(() => {
    fetchSettings().then(setFound, onClose);
  }, []);
  return found && <found.Arrange onClose={onClose} />;
}
