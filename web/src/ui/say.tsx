// SPDX-License-Identifier: GPL-3.0-or-later
//
// What screen readers are told. A log, so that nothing said in quick succession is lost.
import type { JSX } from "preact";
import { createStore, useStore } from "../app/store";

interface Line {
  id: number;
  text: string;
}

const lines = createStore<Line[]>([]);
let nextId = 1;

export function say(text: string): void {
  lines.set([...lines.get().slice(-9), { id: nextId++, text }]);
}

export function Announcer(): JSX.Element {
  const spoken = useStore(lines);
  return (
    <div class="unseen" role="log" aria-live="polite" data-testid="announcer">
      {spoken.map((line) => (
        <p key={line.id}>{line.text}</p>
      ))}
    </div>
  );
}
