// SPDX-License-Identifier: GPL-3.0-or-later
//
// The WebSocket's stand-in where a network lets none through: the same messages, sent by POST and
// fetched by GET, which waits until there are some. Loaded only then.
import { ApiError, request } from "./api";
import type { Transport } from "./socket";

interface Answer {
  after: number;
  messages: unknown[];
  closed: number | null;
}

const SOCKET_AGAIN_MS = 60_000;
const TRIES = 4; // of a question that nobody answers, before the connection counts as lost
// The states of a WebSocket, as the standard numbers them.
const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 3;
const pause = (ms: number): Promise<void> => new Promise((done) => window.setTimeout(done, ms));

export class PollSocket implements Transport {
  readyState = CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  #name = "";
  #after = 0;
  // One message after the other: they arrive in the order in which they were sent.
  #sent: Promise<unknown> = Promise.resolve();

  #again = 0;

  // webSocket: makes one to try; came: called when one has opened after all.
  constructor(webSocket: () => WebSocket, came: () => void) {
    window.addEventListener("pagehide", this.#leave);
    this.#again = window.setInterval(() => this.#trySocket(webSocket, came), SOCKET_AGAIN_MS);
    void this.#run();
  }

  send(text: string): void {
    this.#sent = this.#sent.then(() =>
      request("POST", `/me/events/${this.#name}`, JSON.parse(text)).catch((error: unknown) => {
        // Whoever waits for an answer finds out by himself that none comes.
        if (error instanceof ApiError && error.code === "not_found") this.#end(1006);
      }),
    );
  }

  close(): void {
    this.#leave();
    this.#end(1000);
  }

  // So that the opponent sees at once that the window was closed.
  #leave = (): void => {
    if (this.readyState !== OPEN) return;
    void fetch(`/api/v1/me/events/${this.#name}`, { method: "DELETE", keepalive: true, credentials: "same-origin" }).catch(() => {});
  };

  #trySocket(webSocket: () => WebSocket, came: () => void): void {
    try {
      const probe = webSocket();
      probe.onopen = () => {
        probe.close();
        if (this.readyState === OPEN) came();
      };
    } catch {
      // Still none.
    }
  }

  #end(code: number): void {
    if (this.readyState === CLOSED) return;
    window.clearInterval(this.#again);
    this.readyState = CLOSED;
    window.removeEventListener("pagehide", this.#leave);
    this.onclose?.({ code });
  }

  async #run(): Promise<void> {
    try {
      const made = await request<{ connection: string; after: number }>("POST", "/me/events", {});
      this.#name = made.connection;
      this.#after = made.after;
    } catch {
      return this.#end(1006);
    }
    if (this.readyState === CLOSED) return;
    this.readyState = OPEN;
    this.onopen?.();
    while (this.readyState === OPEN) {
      const answer = await this.#ask();
      if (!answer || this.readyState !== OPEN) return this.#end(1006);
      this.#after = answer.after;
      for (const message of answer.messages) this.onmessage?.({ data: JSON.stringify(message) });
      if (answer.closed !== null) this.#end(answer.closed);
    }
  }

  // What has come since; null when the connection is lost.
  async #ask(): Promise<Answer | null> {
    for (let left = TRIES; left > 0 && this.readyState === OPEN; left--) {
      try {
        return await request<Answer>("GET", `/me/events?connection=${this.#name}&after=${this.#after}`);
      } catch (error) {
        if (!(error instanceof ApiError) || !["unreachable", "rate_limited", "unavailable"].includes(error.code)) return null;
        await pause(error.retryAfter ? error.retryAfter * 1000 : 500);
      }
    }
    return null;
  }
}
