// SPDX-License-Identifier: GPL-3.0-or-later
//
// Answers who can still mate, away from the page: a hard position must not make it hang.
import { CoreError } from "./core";
import type { DeadQuestion, DeadReply } from "./dead";
import { loadCore } from "./load";

self.addEventListener("message", (event: MessageEvent<DeadQuestion>) => {
  const { id, fen } = event.data;
  loadCore().then(
    (core) => core.dead(fen),
  ).then(
    (answer) => self.postMessage({ id, answer } satisfies DeadReply),
    (error: unknown) =>
      self.postMessage({
        id,
        message: error instanceof Error ? error.message : String(error),
        fault: error instanceof CoreError ? error.fault : null,
      } satisfies DeadReply),
  );
});
