// SPDX-License-Identifier: GPL-3.0-or-later
// A port that stays one's own while the program behind it is down for a moment: below those that the
// system gives to outgoing connections, which other tests beside this one open all the time, and kept from
// those that look for one by a socket of datagrams that stands on it as long as this process lives.
import dgram from "node:dgram";
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

// Nobody else's, who looks for one in this way; then nobody can take it any more.
const keep = (port) =>
  new Promise((done) => {
    const keeper = dgram.createSocket("udp4").unref();
    keeper.once("error", () => (keeper.close(), done(undefined)));
    keeper.bind({ port, address: "127.0.0.1", exclusive: true }, () => done(keeper));
  });
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
    const keeper = await keep(port);
    if (keeper && (await isFree(port))) return port;
    keeper?.close();
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
