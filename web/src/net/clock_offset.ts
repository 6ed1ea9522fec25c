// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far the server's clock is ahead of ours. Every ping gives a sample; the one with the shortest
// way there and back is the most exact, and old samples fade so that a drifting clock is followed.

interface Sample {
  offset: number;
  roundTrip: number;
  at: number;
}

const KEEP_MS = 5 * 60_000;
let samples: Sample[] = [];

export function noteServerTime(serverNow: number, sentAt: number, receivedAt: number): void {
  const roundTrip = receivedAt - sentAt;
  samples = samples.filter((s) => receivedAt - s.at < KEEP_MS).slice(-15);
  samples.push({ offset: serverNow + roundTrip / 2 - receivedAt, roundTrip, at: receivedAt });
}

// The server's time now, in UTC milliseconds; our own until the first answer came.
export function serverNow(): number {
  let best: Sample | undefined;
  for (const s of samples) if (!best || s.roundTrip < best.roundTrip) best = s;
  return Date.now() + (best?.offset ?? 0);
}
