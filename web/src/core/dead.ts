// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who can still mate in a position, exactly, with a line or the kind of proof (Articles 5.2.2, 6.9).
// The question goes to one worker, which starts with the first one; answers are remembered.
import { CoreError, type CoreFault, type DeadAnswer } from "./core";

declare const DEAD_WORKER_URL: string;

export interface DeadQuestion {
  id: number;
  fen: string;
}
export type DeadReply =
  | { id: number; answer: DeadAnswer }
  | { id: number; message: string; fault: CoreFault | null };

interface Waiting {
  resolve(answer: DeadAnswer): void;
  reject(error: Error): void;
}

const REMEMBERED = 64;
let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, Waiting>();
const asked = new Map<string, Promise<DeadAnswer>>();

function stop(error: Error): void {
  worker?.terminate();
  worker = null;
  asked.clear();
  for (const one of waiting.values()) one.reject(error);
  waiting.clear();
}

function start(): Worker {
  const started = new Worker(DEAD_WORKER_URL);
  started.addEventListener("message", (event: MessageEvent<DeadReply>) => {
    const reply = event.data;
    const one = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ("answer" in reply) one?.resolve(reply.answer);
    else one?.reject(reply.fault ? new CoreError(reply.fault) : new Error(reply.message));
  });
  started.addEventListener("error", () => stop(new Error("the worker for dead positions failed")));
  return started;
}

export function dead(fen: string): Promise<DeadAnswer> {
  const known = asked.get(fen);
  if (known) return known;
  const answer = new Promise<DeadAnswer>((resolve, reject) => {
    worker ??= start();
    const question: DeadQuestion = { id: ++lastId, fen };
    waiting.set(question.id, { resolve, reject });
    worker.postMessage(question);
  });
  if (asked.size >= REMEMBERED) asked.clear();
  asked.set(fen, answer);
  answer.catch(() => asked.delete(fen));
  return answer;
}

// Gives up whatever is still being worked on.
export function stopDead(): void {
  if (waiting.size > 0) stop(new DOMException("given up", "AbortError"));
}
