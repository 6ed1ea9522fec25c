// SPDX-License-Identifier: GPL-3.0-or-later
// A real mail server (aiosmtpd) that puts what it takes into a Maildir, and the letters in it as text.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onFreePort } from "./port.mjs";

const python = "/usr/bin/python3";

const isOpen = (port) =>
  new Promise((done) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.setTimeout(5000, () => (socket.destroy(), done(false)));
    socket.once("data", () => (socket.destroy(), done(true)));
    socket.once("error", () => done(false));
  });

// Words of a header as they are read (RFC 2047, base64 only: that is what the program writes).
const decodeWords = (text) =>
  text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/g, (_, word) => `\u0000${word}\u0000`)
    .replace(/(?:\u0000[^\u0000]*\u0000)+/g, (run) =>
      Buffer.concat(run.split("\u0000").filter(Boolean).map((word) => Buffer.from(word, "base64"))).toString("utf8"));

function parse(bytes) {
  const text = bytes.toString("utf8").replace(/\r\n/g, "\n");
  const end = text.indexOf("\n\n");
  const headers = {};
  for (const line of text.slice(0, end).replace(/\n[ \t]+/g, " ").split("\n")) {
    const at = line.indexOf(":");
    headers[line.slice(0, at).toLowerCase()] = decodeWords(line.slice(at + 1).trim());
  }
  const body = Buffer.from(text.slice(end + 2).replace(/\n/g, ""), "base64").toString("utf8").replace(/\r\n/g, "\n");
  return { headers, body, to: headers.to.replace(/[<>]/g, ""), subject: headers.subject, link: body.match(/https?:\/\/\S+\/(?:confirm|recover|undo|game)\/\S+/)?.[0] };
}

export class Mailbox {
  // undefined when the machine has no such mail server: the caller skips.
  static async start() {
    if (spawnSync(python, ["-c", "import aiosmtpd"]).status !== 0) return undefined;
    const box = new Mailbox();
    box.dir = await mkdtemp(join(tmpdir(), "jadoube-mail-"));
    return onFreePort(async (port) => {
      box.port = port;
      await box.launch();
      return box;
    });
  }

  async launch() {
    this.process = spawn(python, ["-m", "aiosmtpd", "-n", "-l", `127.0.0.1:${this.port}`, "-c", "aiosmtpd.handlers.Mailbox", join(this.dir, "mail")], { stdio: "ignore" });
    this.exited = new Promise((done) => this.process.once("exit", done));
    process.once("exit", () => this.process.kill("SIGKILL"));
    for (const until = Date.now() + 30_000; !(await isOpen(this.port)); ) {
      if (this.process.exitCode !== null) throw new Error(`the mail server ended: port ${this.port} is taken`);
      if (Date.now() > until) throw new Error("the mail server does not listen");
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  get url() {
    return `smtp://127.0.0.1:${this.port}`;
  }

  letters() {
    const dir = join(this.dir, "mail", "new");
    if (!existsSync(dir)) return [];
    // Named SECONDS.MmicrosPpidQcount.host: by second, then by count.
    const age = (name) => Number(name.split(".")[0]) * 1e4 + Number(name.match(/Q(\d+)/)?.[1] ?? 0);
    return readdirSync(dir).sort((a, b) => age(a) - age(b)).map((name) => parse(readFileSync(join(dir, name))));
  }

  // The newest letter to somebody that fits, once it has come.
  async letter(to, fits = () => true, ms = 30_000) {
    const until = Date.now() + ms;
    for (;;) {
      const found = this.letters().filter((letter) => letter.to === to && fits(letter));
      if (found.length > 0) return found.at(-1);
      if (Date.now() > until) throw new Error(`no such letter to ${to} within ${ms} ms; there are: ${JSON.stringify(this.letters().map((l) => [l.to, l.subject]))}`);
      await new Promise((done) => setTimeout(done, 30));
    }
  }

  async stop() {
    this.process.kill("SIGTERM");
    await this.exited;
  }

  async end() {
    await this.stop();
    await rm(this.dir, { recursive: true, force: true });
  }
}
