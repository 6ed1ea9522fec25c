// SPDX-License-Identifier: GPL-3.0-or-later
// A port that stays one's own while the program behind it is down for a moment: below those that the
// system gives to outgoing connections, which other tests beside this one open all the time.
import { readFileSync } from "node:fs";
import net from "node:net";

const LOWEST = 10_000;

function firstOutgoing() {
  try {
    return Number(readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s+/)[0]);
  } catch {
    return 32_768;
  }
}

const isFree = (port) =>
  new Promise((done) => {
    const server = net.createServer();
    server.once("error", () => done(false));
    server.listen({ port, host: "127.0.0.1" }, () => server.close(() => done(true)));
  });

export async function freePort() {
  const room = firstOutgoing() - LOWEST;
  if (room < 1000) return 0; // the system's choice
  for (let tries = 0; tries < 100; tries++) {
    const port = LOWEST + Math.floor(Math.random() * room);
    if (await isFree(port)) return port;
  }
  return 0;
}

// Starts what listens on a port, on another one when somebody else was quicker.
export async function onFreePort(start) {
  for (let tries = 0; ; tries++) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (tries === 4 || !/taken|in use/.test(error.message)) throw error;
    }
  }
}
