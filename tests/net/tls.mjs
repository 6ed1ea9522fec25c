// SPDX-License-Identifier: GPL-3.0-or-later
// TLS of the server's own: pages, cookies and WebSockets by it, and one clear line about files that are none.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE_MS, holds, host, program, runProgram, runTests, same, test, within } from "./harness.mjs";

const { default: WebSocket } = await import("ws");

const scratch = mkdtempSync(join(tmpdir(), "jadoube-tls-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const file = (name) => join(scratch, name);

function makeCertificate(name) {
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
    "-keyout", file(`${name}.key`), "-out", file(`${name}.pem`), "-subj", `/CN=${host}`, "-addext", `subjectAltName=IP:${host}`], { stdio: "ignore" });
}

function ask(port, method, path, body) {
  return new Promise((done, failed) => {
    const request = https.request({ host, port, method, path, ca: readFileSync(file("own.pem")),
      headers: body ? { Origin: `https://${host}:${port}`, "Content-Type": "application/json" } : {} }, (answer) => {
      let text = "";
      answer.on("data", (bytes) => (text += bytes));
      answer.on("end", () => done({ status: answer.statusCode, headers: answer.headers, text }));
    });
    request.on("error", failed);
    request.end(body && JSON.stringify(body));
  });
}

test("pages, cookies and WebSockets by TLS", async () => {
  makeCertificate("own");
  const child = spawn(program, ["serve", "--data", file("data"), "--host", host, "--port", "0", "--tls-cert", file("own.pem"), "--tls-key", file("own.key")], { stdio: ["ignore", "pipe", "ignore"] });
  process.on("exit", () => child.kill("SIGKILL"));
  const said = await within(PATIENCE_MS, "it starts", new Promise((done) => child.stdout.once("data", (bytes) => done(String(bytes)))));
  const port = Number(said.match(/^jadoube is running at https:\/\/[\d.]+:(\d+)\/$/m)[1]);
  same(JSON.parse((await ask(port, "GET", "/healthz")).text), { status: "ok" }, "health");
  holds((await ask(port, "GET", "/")).text.includes("</html>"), "a page comes whole");
  const guest = await ask(port, "POST", "/api/v1/guest", { language: "en" });
  same(guest.status, 201, "a guest");
  holds(/^__Host-jadoube=.*; Secure/.test(guest.headers["set-cookie"][0]), guest.headers["set-cookie"][0]);

  const socket = new WebSocket(`wss://${host}:${port}/ws`, "chess.v1", { ca: readFileSync(file("own.pem")), headers: { Origin: `https://${host}:${port}`, Cookie: guest.headers["set-cookie"][0].split(";")[0] } });
  const heard = [];
  socket.on("message", (bytes) => heard.push(JSON.parse(bytes)));
  await within(PATIENCE_MS, "it opens", new Promise((done, failed) => { socket.once("open", done); socket.once("error", failed); }));
  // Several answers of one turn, in one write.
  for (let id = 1; id <= 5; id++) socket.send(JSON.stringify({ t: "ping", id, d: { c: id } }));
  socket.send(JSON.stringify({ t: "sub", id: 6, d: { ch: "lobby" } }));
  await within(PATIENCE_MS, "all answers", (async () => { while (!heard.some((m) => m.t === "lobby")) await new Promise((done) => setTimeout(done, 20)); })());
  same(heard.filter((m) => m.t === "pong").map((m) => m.d.c), [1, 2, 3, 4, 5], "in their order");
  socket.close();

  const plain = await fetch(`http://${host}:${port}/healthz`).then(() => "answered", () => "refused");
  same(plain, "refused", "without TLS");
  const ended = new Promise((done) => child.once("close", (code) => done(code)));
  child.kill("SIGTERM");
  same(await within(PATIENCE_MS, "the end", ended), 0, "SIGTERM");
});

test("files that are none are named", async () => {
  makeCertificate("other");
  for (const [flags, pattern] of [
    [["--tls-cert", file("own.pem")], /tls-cert and tls-key belong together/],
    [["--tls-cert", file("none"), "--tls-key", file("own.key")], /tls-cert .*none: No such file/],
    [["--tls-cert", file("own.key"), "--tls-key", file("own.key")], /tls-cert .*own\.key: no such thing in it/],
    [["--tls-cert", file("own.pem"), "--tls-key", file("own.pem")], /tls-key .*own\.pem: no such thing in it/],
    [["--tls-cert", file("own.pem"), "--tls-key", file("other.key")], /tls-key .*other\.key: key values mismatch/],
  ]) {
    const result = await runProgram(["serve", "--data", file("unused"), "--host", host, "--port", "0", ...flags]);
    same([result.code, result.out], [1, ""], "it does not start");
    holds(pattern.test(result.err), `${result.err} fits ${pattern}`);
  }
});

await runTests();
