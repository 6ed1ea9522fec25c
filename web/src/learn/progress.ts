// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far a learner has come: kept in this browser, no account needed.
import { local } from "../app/local";
import { createStore } from "../app/store";

export interface Progress {
  lessons: Record<string, number>; // steps done, by lesson
  problems: Record<string, number>; // points, by problem; 0: the solution was shown
  streak: number; // solved at once, one after the other
  best: number;
  coordinates: Record<string, number>; // best score, by mode and side
  openings: Record<string, number>; // times played without a fault, by line and colour
  plans: Record<string, string>; // what was written, by lesson
}

const NONE: Progress = { lessons: {}, problems: {}, streak: 0, best: 0, coordinates: {}, openings: {}, plans: {} };

function kept(): Progress {
  try {
    return { ...NONE, ...(JSON.parse(local.get("learn") ?? "{}") as Partial<Progress>) };
  } catch {
    return NONE;
  }
}

export const progress = createStore<Progress>(kept());
progress.subscribe(() => local.set("learn", JSON.stringify(progress.get())));

export function stepDone(slug: string, count: number): void {
  const { lessons } = progress.get();
  if ((lessons[slug] ?? 0) < count) progress.patch({ lessons: { ...lessons, [slug]: count } });
}

// Points are the best ever got; the streak goes on only when nothing was asked and nothing went wrong.
export function problemDone(id: string, points: number, atOnce: boolean): void {
  const { problems, streak, best } = progress.get();
  const now = atOnce ? streak + 1 : 0;
  progress.patch({
    problems: { ...problems, [id]: Math.max(problems[id] ?? 0, points) },
    streak: now,
    best: Math.max(best, now),
  });
}

export function coordinatesDone(key: string, score: number): void {
  const { coordinates } = progress.get();
  if ((coordinates[key] ?? 0) < score) progress.patch({ coordinates: { ...coordinates, [key]: score } });
}

export function openingDone(key: string): void {
  const { openings } = progress.get();
  progress.patch({ openings: { ...openings, [key]: (openings[key] ?? 0) + 1 } });
}

export function planWritten(slug: string, text: string): void {
  progress.patch({ plans: { ...progress.get().plans, [slug]: text } });
}
