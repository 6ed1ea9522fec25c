// SPDX-License-Identifier: GPL-3.0-or-later
//
// Friends and followed players, as the server tells them.
import { createStore } from "../app/store";
import { request } from "../net/api";

export interface Someone {
  nick: string;
  online: boolean;
}
export interface People {
  friends: Someone[];
  asked: Someone[];
  asks: Someone[];
  follows: Someone[];
}

// null until it was asked for.
export const people = createStore<People | null>(null);

export async function lookAtPeople(): Promise<void> {
  people.set(await request<People>("GET", "/me/people"));
}

export async function relate(kind: "friends" | "follows", nick: string, on: boolean): Promise<void> {
  const path = `/me/${kind}/${encodeURIComponent(nick)}`;
  await (on ? request<void>("PUT", path, {}) : request<void>("DELETE", path));
  await lookAtPeople();
}
