// SPDX-License-Identifier: GPL-3.0-or-later
// A push service (RFC 8030) on this machine, and a browser that reads what arrives there: the keys are
// a browser's, the proof of who sends is checked (RFC 8292), the message decrypted by http_ece (RFC 8291).
import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";
import http from "node:http";
import ece from "http_ece";

const base64 = (bytes) => Buffer.from(bytes).toString("base64url");

export class PushService {
  static async start() {
    const service = new PushService();
    service.browsers = new Map();
    service.server = http.createServer((request, answer) => service.#take(request, answer));
    await new Promise((done) => service.server.listen(0, "127.0.0.1", done));
    service.origin = `http://127.0.0.1:${service.server.address().port}`;
    return service;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  // A browser's subscription. answer: what its service says, "hang" to say nothing.
  subscribe(answers = []) {
    const ecdh = createECDH("prime256v1");
    ecdh.generateKeys();
    const name = base64(randomBytes(12));
    const auth = randomBytes(16);
    const browser = { name, ecdh, auth, answers: [...answers], tried: 0, heard: [], open: new Set() };
    browser.form = { endpoint: `${this.origin}/send/${name}`, p256dh: base64(ecdh.getPublicKey()), auth: base64(auth) };
    this.browsers.set(name, browser);
    return browser;
  }

  #take(request, answer) {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const browser = this.browsers.get(request.url.split("/").at(-1));
      if (!browser) return answer.writeHead(404).end();
      browser.tried++;
      const what = browser.answers.shift() ?? 201;
      if (what === "hang") return;
      if (typeof what === "number" && what < 300) {
        try {
          browser.heard.push(this.#read(browser, request, Buffer.concat(parts)));
        } catch (error) {
          browser.fault = error;
          return answer.writeHead(400).end();
        }
      }
      if (typeof what === "number") answer.writeHead(what).end();
      else answer.writeHead(what.status, what.headers).end();
    });
  }

  #read(browser, request, body) {
    if (request.method !== "POST") throw new Error(`method ${request.method}`);
    const { authorization, ttl, urgency } = request.headers;
    if (request.headers["content-encoding"] !== "aes128gcm") throw new Error("not aes128gcm");
    const [, token, key] = authorization.match(/^vapid t=([\w.-]+), k=([\w-]+)$/);
    const [head, claims, signature] = token.split(".");
    const point = Buffer.from(key, "base64url");
    const jwk = { kty: "EC", crv: "P-256", x: base64(point.subarray(1, 33)), y: base64(point.subarray(33)) };
    const signed = verify("sha256", Buffer.from(`${head}.${claims}`), { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
    if (!signed) throw new Error("the signature is not good");
    const said = JSON.parse(Buffer.from(claims, "base64url"));
    const header = JSON.parse(Buffer.from(head, "base64url"));
    const plain = ece.decrypt(body, { version: "aes128gcm", privateKey: browser.ecdh, authSecret: base64(browser.auth) });
    return { key, header, claims: said, ttl: Number(ttl), urgency, message: JSON.parse(plain) };
  }

  // What a browser has heard, once it is so much.
  async heard(browser, count, ms = 30_000) {
    const until = Date.now() + ms;
    while (browser.heard.length < count) {
      if (browser.fault) throw browser.fault;
      if (Date.now() > until) throw new Error(`heard ${browser.heard.length} notices of ${count} (${browser.tried} tries)`);
      await new Promise((done) => setTimeout(done, 50));
    }
    return browser.heard[count - 1];
  }
}
