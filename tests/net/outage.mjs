// SPDX-License-Identifier: GPL-3.0-or-later
// The PostgreSQL server goes away while the site serves, and comes back: every route answers, in time and without
// telling where the database lies; who waits for messages goes on waiting; afterwards all is as it was.
import { execFileSync } from "node:child_process";
import { PATIENCE_MS, Person, Site, blitz, holds, onPostgres, runTests, same, sleep, test, within } from "./harness.mjs";

if (!onPostgres) {
  console.log("skipped: not beside a PostgreSQL server (with_postgres.sh)");
  process.exit(77);
}
const place = process.env.JADOUBE_TEST_POSTGRES_DATA;
const asPostgres = process.getuid() === 0 ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups"] : [];
const server = (...act) => {
  const [program, ...args] = [...asPostgres, `${process.env.JADOUBE_TEST_POSTGRES_BIN}/pg_ctl`, "-D", place, "-s", "-w", "-l", `${place}/again.log`, ...act];
  execFileSync(program, args, { stdio: "ignore" });
};

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const [anna, boris] = [await Person.register(site, "Anna-Outage"), await Person.register(site, "Boris-Outage")];

test("the database goes away while people play, and comes back", async () => {
  const made = await anna.post("/api/v1/challenges", { control: blitz, color: "white", rated: false });
  const { game } = (await boris.post(`/api/v1/challenges/${made.json.id}/join`)).json;
  const { connection } = (await anna.post("/api/v1/me/events")).json;
  const waiting = anna.get(`/api/v1/me/events?connection=${connection}&after=0&wait=6`);
  await sleep(300);
  server("-m", "immediate", "stop");
  const routes = [
    ["GET", `/game/${game}`], ["GET", "/api/v1/me/push"], ["GET", "/api/v1/me/bell"], ["POST", "/api/v1/me/bell", { seen: 5 }],
    ["GET", "/api/v1/oidc"], ["GET", "/api/v1/me/export"], ["POST", `/api/v1/games/${game}/report`, {}], ["POST", "/api/v1/me/events", {}],
    ["POST", `/api/v1/games/${game}/move`, { ply: 0, uci: "e2e4" }], ["GET", "/api/v1/me/games"], ["POST", "/api/v1/push/off", { endpoint: "https://a.b/c" }],
    ["GET", "/api/v1/games/AAAAAAAAAAAA"], ["GET", "/api/v1/games.pgn"], ["POST", "/api/v1/games/AAAAAAAAAAAA/report", {}],
    ["POST", "/api/v1/challenges", { control: blitz, color: "white", rated: false, to: "Boris-Outage" }],
    ["POST", "/api/v1/challenges", { rematch: "AAAAAAAAAAAA" }],
  ];
  for (const [method, path, body] of routes) {
    const answer = await within(PATIENCE_MS, path, anna.request(method, path, body ? { body } : {}));
    holds([200, 503].includes(answer.status), `${method} ${path}: ${answer.status} ${answer.text}`);
    holds(!/postgres|socket|PGSQL|connect/.test(answer.json?.error?.message ?? ""), `${path} tells nobody where the database is: ${answer.text}`);
  }
  same((await waiting).json, { after: 0, messages: [], closed: null }, "who waits is answered in time");
  const again = Date.now();
  server("restart");
  const restart = Date.now() - again; // a second on a machine that has nothing else to do
  const back = Date.now();
  await within(PATIENCE_MS, "the site goes on", (async () => { while ((await site.request("GET", "/healthz")).status !== 200) await sleep(100); })());
  const took = Date.now() - back;
  holds(took < 4000 + 10 * Math.max(0, restart - 1000) || process.env.JADOUBE_SANITIZED, `writes went on ${took} ms after PostgreSQL, which took ${restart} ms`);
  for (const [method, path, body] of routes.slice(0, 5)) {
    const { status } = await anna.request(method, path, body ? { body } : {});
    holds(status < 300, `${method} ${path} afterwards: ${status}`);
  }
  same((await anna.post("/api/v1/me/events")).status, 201, "a connection");
});

await runTests();
