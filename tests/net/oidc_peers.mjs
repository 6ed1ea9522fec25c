// SPDX-License-Identifier: GPL-3.0-or-later
// Providers of OpenID Connect for tests: a real one (npm oidc-provider), and one that can be told to lie.
import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import http from "node:http";

const host = "127.0.0.1";

async function listen(handler) {
  const server = http.createServer(handler);
  await new Promise((done) => server.listen(0, host, done));
  server.issuer = `http://${host}:${server.address().port}`;
  server.end = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return server;
}

// ---- the real one ----------------------------------------------------------------------------------

// people: { login: { email, email_verified } }. Its own development pages ask for a login name (any password)
// and then for consent.
export async function realProvider(people) {
  let callback = (request, response) => response.writeHead(503).end();
  const server = await listen((request, response) => callback(request, response));
  // Once the site's address is known.
  server.admit = async (site, clients) => {
    process.env.NODE_ENV ??= "test";
    const { Provider } = await import("oidc-provider");
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = { ...privateKey.export({ format: "jwk" }), kid: "real-1", use: "sig", alg: "RS256" };
    const warn = [console.warn, console.info];
    console.warn = console.info = () => {}; // it tells that its development pages are on
    const provider = new Provider(server.issuer, {
      clients: clients.map(({ id, secret, name, method }) => ({
        client_id: id,
        ...(secret ? { client_secret: secret } : {}),
        redirect_uris: [`${site}/login/oidc/${name}/back`],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: method ?? (secret ? "client_secret_basic" : "none"),
      })),
      jwks: { keys: [key] },
      pkce: { required: () => true },
      claims: { openid: ["sub"], email: ["email", "email_verified"] },
      cookies: { keys: ["a test's key"] },
      ttl: { Interaction: 600, Session: 600, Grant: 600, IdToken: 600, AccessToken: 600 },
      features: { devInteractions: { enabled: true } },
      findAccount: (_, id) => (people[id] ? { accountId: id, claims: async () => ({ sub: id, ...people[id] }) } : undefined),
    });
    [console.warn, console.info] = warn;
    callback = provider.callback();
    server.provider = provider;
  };
  return server;
}

// ---- one that lies ---------------------------------------------------------------------------------

const coded = (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

class Key {
  constructor(id, kind = "rsa") {
    this.id = id;
    this.kind = kind;
    this.pair = kind === "rsa" ? generateKeyPairSync("rsa", { modulusLength: 2048 }) : generateKeyPairSync("ec", { namedCurve: "P-256" });
  }
  get alg() {
    return this.kind === "rsa" ? "RS256" : "ES256";
  }
  jwk() {
    return { ...this.pair.publicKey.export({ format: "jwk" }), kid: this.id, use: "sig", alg: this.alg };
  }
  sign(text) {
    const options = this.kind === "rsa" ? this.pair.privateKey : { key: this.pair.privateKey, dsaEncoding: "ieee-p1363" };
    return createSign("sha256").update(text).sign(options).toString("base64url");
  }
}
export const key = (id, kind) => new Key(id, kind);

// It logs everybody in at once, as `subject`. `claims`, `header`, `token` change what it says; `discovery`, `keys`
// and `tokenAnswer` may answer a request themselves; `down` closes every connection.
export async function lyingProvider() {
  const codes = new Map();
  const json = (response, value, status = 200) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
  };
  const server = await listen(async (request, response) => {
    const url = new URL(request.url, server.issuer);
    server.asked.push(url.pathname);
    if (server.down) return request.socket.destroy();
    if (url.pathname === "/.well-known/openid-configuration") {
      if (server.discovery) return server.discovery(request, response);
      return json(response, {
        issuer: server.issuer,
        authorization_endpoint: `${server.issuer}/authorize`,
        token_endpoint: `${server.issuer}/token`,
        jwks_uri: `${server.issuer}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        ...server.description,
      });
    }
    if (url.pathname === "/keys") {
      if (server.keysAnswer) return server.keysAnswer(request, response);
      return json(response, { keys: server.keys.map((one) => one.jwk()) });
    }
    if (url.pathname === "/authorize") {
      const code = randomBytes(12).toString("hex");
      codes.set(code, Object.fromEntries(url.searchParams));
      const back = new URL(url.searchParams.get("redirect_uri"));
      back.searchParams.set("code", code);
      back.searchParams.set("state", url.searchParams.get("state"));
      for (const [name, value] of Object.entries(server.answer)) back.searchParams.set(name, value);
      return response.writeHead(302, { Location: back.href }).end();
    }
    if (url.pathname === "/token") {
      let body = "";
      for await (const part of request) body += part;
      const form = new URLSearchParams(body);
      server.exchanges.push({ form: Object.fromEntries(form), authorization: request.headers.authorization });
      if (server.tokenAnswer) return server.tokenAnswer(request, response);
      const asked = codes.get(form.get("code"));
      codes.delete(form.get("code"));
      const challenge = createHash("sha256").update(form.get("code_verifier") ?? "").digest("base64url");
      if (!asked || asked.code_challenge !== challenge || asked.code_challenge_method !== "S256")
        return json(response, { error: "invalid_grant" }, 400);
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: server.issuer, sub: server.subject, aud: asked.client_id, exp: now + 300, iat: now, nonce: asked.nonce,
        ...(server.email ? { email: server.email, email_verified: server.verified } : {}), ...server.claims,
      };
      return json(response, { access_token: "a", token_type: "Bearer", id_token: server.token(claims) });
    }
    response.writeHead(404).end();
  });
  server.reset = () => {
    Object.assign(server, {
      subject: "somebody", email: undefined, verified: true, claims: {}, header: {}, answer: {}, description: {},
      discovery: undefined, keysAnswer: undefined, tokenAnswer: undefined, down: false, asked: [], exchanges: [],
      signer: server.keys[0],
      token: (claims) => {
        const text = `${coded({ alg: server.signer.alg, typ: "JWT", kid: server.signer.id, ...server.header })}.${coded(claims)}`;
        return `${text}.${server.signer.sign(text)}`;
      },
    });
  };
  server.keys = [new Key("one")];
  server.reset();
  return server;
}
export const unsigned = (claims) => `${coded({ alg: "none", typ: "JWT" })}.${coded(claims)}.`;
export { coded };

// ---- a browser without a screen --------------------------------------------------------------------

// Keeps cookies by host, follows redirects one by one.
export class Browser {
  constructor() {
    this.jars = new Map();
  }

  cookies(origin) {
    return [...(this.jars.get(origin) ?? new Map())].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  take(origin, headers) {
    const jar = this.jars.get(origin) ?? new Map();
    this.jars.set(origin, jar);
    for (const line of headers["set-cookie"] ?? []) {
      const [pair, ...rest] = line.split(";");
      const at = pair.indexOf("=");
      const gone = rest.some((part) => /max-age=0\b|expires=Thu, 01 Jan 1970/i.test(part.trim()));
      if (gone || pair.slice(at + 1) === "") jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  // One request, no redirect followed.
  step(address, { method = "GET", form, headers = {} } = {}) {
    const url = new URL(address);
    const body = form && new URLSearchParams(form).toString();
    const sent = { ...headers, Cookie: this.cookies(url.origin) };
    if (body) Object.assign(sent, { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": Buffer.byteLength(body) });
    if (method === "POST") sent.Origin = url.origin;
    if (!sent.Cookie) delete sent.Cookie;
    return new Promise((resolve, reject) => {
      const call = http.request(url, { method, headers: sent }, (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("end", () => {
          this.take(url.origin, answer.headers);
          const location = answer.headers.location && new URL(answer.headers.location, url).href;
          resolve({ url: url.href, status: answer.statusCode, headers: answer.headers, text: Buffer.concat(parts).toString(), location });
        });
      });
      call.on("error", reject);
      call.setTimeout(30000, () => call.destroy(new Error(`no answer from ${address}`)));
      if (body) call.write(body);
      call.end();
    });
  }

  // Follows redirects until a page, or until the next address fits `until`.
  async go(address, options = {}) {
    let answer = await this.step(address, options);
    for (let i = 0; i < 20 && answer.location; i++) {
      if (options.until?.test(answer.location)) return answer;
      answer = await this.step(answer.location);
    }
    return answer;
  }
}

// The pages of the real provider: a name, then consent; ends where the site has sent the browser.
export async function logInAt(browser, answer, login, until) {
  for (let i = 0; i < 4 && /\/interaction\//.test(answer.url) && answer.status === 200; i++) {
    const prompt = /name="prompt" value="(\w+)"/.exec(answer.text)?.[1];
    const form = prompt === "login" ? { prompt, login, password: "any" } : { prompt };
    answer = await browser.go(answer.url, { method: "POST", form, until });
  }
  return answer;
}
