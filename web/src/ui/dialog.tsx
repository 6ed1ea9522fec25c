// SPDX-License-Identifier: GPL-3.0-or-later
//
// A question that must be answered first: the browser's own modal dialog (keeps the focus inside,
// Escape closes).
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  testid?: string;
}

export function Dialog({ title, onClose, children, testid }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby="dialog-title"
      data-testid={testid}
      onCancel={(e) => {
        e.preventDefault();
        onClose();
      }}
      // A browser closes a dialog without asking when it is closed again before anything was touched.
      onClose={(e) => e.currentTarget.isConnected && onClose()}
      onClick={(e) => e.target === ref.current && onClose()}
    >
      <div class="dialog-sheet">
        <h2 id="dialog-title">{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
