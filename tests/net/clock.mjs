// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of jadoube_shifted (shifted_clock.c): a file that says how far ahead it is.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const minute = 60000;
export const hour = 60 * minute;
export const day = 24 * hour;

export class Clock {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "jadoube-clock-"));
    this.file = join(this.folder, "ahead");
    this.ahead = 0;
    this.pass(0);
    process.on("exit", () => rmSync(this.folder, { recursive: true, force: true }));
  }

  get env() {
    return { JADOUBE_TEST_CLOCK: this.file };
  }

  get now() {
    return Date.now() + this.ahead;
  }

  // Waits for what comes with time, and lets more go by as long as it does not: what is looked for now and then may
  // have been looked for just before it was there.
  async until(soon, ms = 1.5 * minute) {
    const timer = setInterval(() => this.pass(ms), 5000);
    try {
      return await soon;
    } finally {
      clearInterval(timer);
    }
  }

  // Time goes by at once. Written in place: the program looks at the very file.
  pass(ms) {
    this.ahead += ms;
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(this.ahead));
    writeFileSync(this.file, bytes, { flag: this.ahead === 0 ? "w" : "r+" });
  }
}
