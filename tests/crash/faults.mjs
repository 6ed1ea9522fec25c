// SPDX-License-Identifier: GPL-3.0-or-later
// What is done to the program, one at a time. A fault leaves everything well behind it: the program runs, people are
// back. `world` is what rounds.mjs makes.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleep, within } from "../net/harness.mjs";

// ---- the machine (bad_machine.c) ---------------------------------------------------------------------

export const disks = { sound: 0, full: 1, readOnly: 2, noSync: 3, torn: 4, slow: 5, lies: 6 };

export class Machine {
  constructor(library) {
    this.folder = mkdtempSync(join(tmpdir(), "jadoube-machine-"));
    this.file = join(this.folder, "state");
    this.library = library;
    this.disk = 0;
    this.ahead = 0;
    writeFileSync(this.file, Buffer.alloc(16));
    process.on("exit", () => this.remove());
  }

  get env() {
    return { LD_PRELOAD: this.library, JADOUBE_TEST_MACHINE: this.file };
  }

  // Written in place: the program looks at the very file.
  set({ disk = this.disk, ahead = this.ahead }) {
    [this.disk, this.ahead] = [disk, ahead];
    const bytes = Buffer.alloc(16);
    bytes.writeUInt32LE(disk);
    bytes.writeBigInt64LE(BigInt(ahead), 8);
    writeFileSync(this.file, bytes, { flag: "r+" });
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// ---- the way to PostgreSQL ---------------------------------------------------------------------------

// Everything between the program and its database goes through here.
export class Wire {
  constructor(socketFile) {
    this.target = socketFile;
    this.pairs = new Set();
    this.mode = "open";
    this.server = net.createServer((near) => this.join(near));
  }

  async listen() {
    await new Promise((done) => this.server.listen(0, "127.0.0.1", done));
    return this.server.address().port;
  }

  join(near) {
    if (this.mode === "cut") {
      near.destroy();
      return;
    }
    const far = net.connect(this.target);
    const pair = { near, far };
    this.pairs.add(pair);
    const end = () => {
      this.pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const [from, to, back] of [[near, far, false], [far, near, true]]) {
      from.on("data", (bytes) => {
        if (this.mode === "deaf" && back) return; // asked and done, and the answer is lost
        to.write(bytes);
      });
      from.on("error", end);
      from.on("close", end);
      if (this.mode === "stalled") from.pause();
    }
  }

  set(mode) {
    this.mode = mode;
    for (const { near, far } of this.pairs)
      for (const socket of [near, far]) {
        if (mode === "cut") socket.destroy();
        else if (mode === "stalled") socket.pause();
        else socket.resume();
      }
  }

  close() {
    this.set("cut");
    this.server.close();
  }
}

// ---- PostgreSQL itself -------------------------------------------------------------------------------

export class Server {
  constructor() {
    this.data = process.env.JADOUBE_TEST_POSTGRES_DATA;
    this.as = process.getuid() === 0 ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups"] : [];
  }

  // "restart" also starts one that is down, with the options it had.
  async ctl(...act) {
    const [program, ...args] = [...this.as, `${process.env.JADOUBE_TEST_POSTGRES_BIN}/pg_ctl`, "-D", this.data, "-s", "-w", "-l", `${this.data}/again.log`, ...act];
    const child = spawn(program, args, { stdio: "ignore" }); // the server inherits them, and would keep us waiting
    await new Promise((done, fail) => child.once("exit", (code) => (code === 0 ? done() : fail(new Error(`pg_ctl ${act.join(" ")}: ${code}`)))));
  }
}

// ---- faults ------------------------------------------------------------------------------------------

const healthy = async (world) => {
  for (;;) {
    try {
      if ((await world.site.request("GET", "/healthz")).status === 200) return;
    } catch {
      // it does not even answer
    }
    await sleep(10);
  }
};

// The site does not keep anything from `begin` to `end`; it goes on serving.
async function away(world, begin, end) {
  const from = world.load.serverNow();
  await begin();
  await end();
  await within(60000, "it keeps again what it is told", healthy(world));
  world.observer.outage(from, world.load.serverNow());
}

// Dead, looked at, alive again.
async function restarted(world, ms, before = async () => {}) {
  const from = world.load.serverNow();
  const cut = world.load.cut();
  await world.site.kill();
  await cut; // whatever was on the way has been heard
  await world.look();
  await before();
  await sleep(ms);
  await world.site.restart();
  const up = Date.now();
  await world.load.connect();
  world.observer.outage(from, up + world.load.ahead);
}

const long = (random) => (random() < 0.12 ? 1100 + random() * 500 : random() * 40);

const kill = (world, random) => restarted(world, long(random));

// Killed, and killed again while it starts.
const killTwice = (world, random) =>
  restarted(world, 0, async () => {
    for (let i = 0; i < 2; i++) {
      const starts = world.site.launch().catch(() => {});
      await sleep(random() * 30);
      world.site.process.kill("SIGKILL");
      await starts;
      await world.site.exited;
    }
  });

const terminate = async (world, random) => {
  const from = world.load.serverNow();
  const cut = world.load.cut();
  const { code, signal } = await world.site.stop();
  if (code !== 0) world.observer.fault(`SIGTERM ended it with ${code ?? signal}: ${world.site.err}`);
  await cut;
  await world.look();
  await sleep(long(random));
  await world.site.restart();
  const up = Date.now();
  await world.load.connect();
  world.observer.outage(from, up + world.load.ahead);
};

// Killed while it says goodbye.
const killTerminating = (world, random) =>
  restartedAfter(world, async () => {
    world.site.process.kill("SIGTERM");
    await sleep(random() * 15);
  });
async function restartedAfter(world, act) {
  await act();
  await restarted(world, 0);
}

const pause = async (world, random) => {
  const ms = random() < 0.3 ? 1600 + random() * 1000 : 20 + random() * 200;
  const from = world.load.serverNow();
  world.site.process.kill("SIGSTOP");
  await sleep(ms);
  world.site.process.kill("SIGCONT");
  world.observer.outage(from, world.load.serverNow());
};

const killPaused = async (world, random) => {
  const from = world.load.serverNow();
  world.site.process.kill("SIGSTOP");
  await sleep(random() * 100);
  world.observer.outage(from, world.load.serverNow());
  await restarted(world, 0);
};

const limited = (random) => 30 + random() * (random() < 0.15 ? 1500 : 250);

const disk = (state) => async (world, random) =>
  away(world, () => world.machine.set({ disk: state }), async () => {
    await sleep(limited(random));
    world.machine.set({ disk: disks.sound });
  });

// A limit of the kernel's own: no file may grow.
const fileLimit = async (world, random) => {
  const set = (size) => execFileSync("prlimit", ["--pid", String(world.site.process.pid), `--fsize=${size}:`]);
  await away(world, () => set(1024), async () => {
    await sleep(limited(random));
    set("unlimited");
  });
};

// Dead while the disk is bad, and not to be started on a bad one.
const killOnBadDisk = (state) => async (world, random) => {
  const from = world.load.serverNow();
  world.machine.set({ disk: state });
  await sleep(random() * 300);
  world.observer.outage(from, world.load.serverNow());
  await restarted(world, 0, async () => {
    if (state === disks.readOnly || state === disks.full) {
      const refused = await world.site.launch().then(() => false, () => true);
      if (!refused) {
        await world.site.kill();
        if (state === disks.readOnly) world.observer.fault("it started on a disk that takes nothing");
      }
    }
    world.machine.set({ disk: disks.sound });
  });
};

// The system's clock goes ahead under the running program.
const clockAhead = async (world, random) => {
  const jump = Math.round(1500 + random() * (random() < 0.5 ? 5000 : 3600000));
  const from = world.load.serverNow();
  // A clock that was behind the log and went on from there takes up that much of it, and follows when the system's
  // is a second before it. It looks twice a second, and tells.
  const told = () => world.site.err.split("the system's clock went ahead by").length;
  const before = told();
  const follows = world.machine.ahead + jump - (await world.load.aheadNow()) > 1100;
  world.machine.set({ ahead: world.machine.ahead + jump });
  await sleep(700);
  for (let i = 0; i < 3000 && follows && told() === before; i++) await sleep(10);
  const jumped = (await world.load.aheadNow()) - world.load.ahead;
  world.load.ahead += jumped;
  if (jumped > 0) world.observer.outage(from, from + jumped);
  await sleep(random() * 600);
  for (const line of world.load.lines) if (!line.open) world.observer.fault(`${line.name} was cut because the clock was set`);
};

// Set back while the program is down: its time goes on from where the log is.
const clockBack = async (world, random) =>
  restarted(world, 0, async () => world.machine.set({ ahead: world.machine.ahead - Math.round(random() * 4000) }));

const serverStops = (how) => async (world, random) =>
  away(world, () => world.server.ctl("-m", how, "stop"), async () => {
    await sleep(random() < 0.2 ? 1000 * random() : 0);
    await world.server.ctl("restart");
  });

const sessionsEnd = async (world) =>
  away(world, () => world.ask("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'jadoube'"), async () => {});

const wire = (mode) => async (world, random) =>
  away(world, () => world.wire.set(mode), async () => {
    await sleep(10 + random() * (random() < 0.15 ? 1500 : 150));
    if (mode === "deaf") world.wire.set("cut");
    world.wire.set("open");
  });

// PostgreSQL and the program die together.
const allDie = async (world) => {
  const from = world.load.serverNow();
  const stopped = world.server.ctl("-m", "immediate", "stop");
  const cut = world.load.cut();
  await world.site.kill();
  await Promise.all([cut, stopped]);
  await world.server.ctl("restart");
  await world.look();
  await world.site.restart();
  const up = Date.now();
  await world.load.connect();
  world.observer.outage(from, up + world.load.ahead);
};

const table = (rows) => rows.map(([weight, name, act]) => ({ weight, name, act }));
const anywhere = [
  [10, "kill -9", kill],
  [2, "kill -9, again while it starts", killTwice],
  [4, "SIGTERM", terminate],
  [2, "SIGTERM, kill -9", killTerminating],
  [4, "SIGSTOP, SIGCONT", pause],
  [1, "SIGSTOP, kill -9", killPaused],
  [2, "the clock goes ahead", clockAhead],
  [1, "kill -9, the clock goes back", clockBack],
];
export const onSqlite = table([
  ...anywhere,
  [3, "full disk", disk(disks.full)],
  [2, "files may not grow", fileLimit],
  [2, "read-only disk", disk(disks.readOnly)],
  [2, "the disk does not sync", disk(disks.noSync)],
  [2, "torn writes", disk(disks.torn)],
  [1, "slow disk", disk(disks.slow)],
  [2, "kill -9 on a full disk", killOnBadDisk(disks.full)],
  [1, "kill -9 on a read-only disk", killOnBadDisk(disks.readOnly)],
  [2, "kill -9 amid torn writes", killOnBadDisk(disks.torn)],
]);
export const onPostgres = table([
  ...anywhere.map(([weight, ...rest]) => [weight / 2, ...rest]),
  [2, "PostgreSQL stops and starts", serverStops("fast")],
  [3, "PostgreSQL crashes", serverStops("immediate")],
  [2, "PostgreSQL and the site crash", allDie],
  [3, "sessions are ended", sessionsEnd],
  [3, "the network is cut", wire("cut")],
  [2, "the network stalls", wire("stalled")],
  [3, "answers are lost", wire("deaf")],
]);

export function pick(faults, random) {
  let at = random() * faults.reduce((sum, { weight }) => sum + weight, 0);
  return faults.find(({ weight }) => (at -= weight) < 0) ?? faults[0];
}
