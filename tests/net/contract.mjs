// SPDX-License-Identifier: GPL-3.0-or-later
// Holds answers of the program against docs/openapi.yaml.
import { readFileSync } from "node:fs";

const root = new URL("../..", import.meta.url).pathname;
const { parse } = await import("yaml");
const { Ajv2020 } = await import("ajv/dist/2020.js").then((module) => ({ Ajv2020: module.default.default ?? module.default }));

export const document = parse(readFileSync(`${root}/docs/openapi.yaml`, "utf8"));
const ajv = new Ajv2020({ strict: false, allErrors: false });
ajv.addSchema(document, "openapi");
const compiled = new Map();

// What was seen: "GET /api/v1/me 200".
export const seen = new Set();

const patterns = Object.keys(document.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+?")}$`),
}));

function pointer(...parts) {
  return "openapi#/" + parts.map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
}

function resolve(node, at) {
  if (!node?.$ref) return [node, at];
  const parts = node.$ref.slice(2).split("/");
  return [parts.reduce((value, part) => value[part], document), parts];
}

function schemaOf(at, name) {
  const key = pointer(...at);
  if (!compiled.has(key)) compiled.set(key, ajv.compile({ $ref: encodeURI(key) }));
  const validate = compiled.get(key);
  return (value) => {
    if (!validate(value)) throw new Error(`${name} does not fit docs/openapi.yaml: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 400)}`);
  };
}

// Refuses an answer that the document does not know. Paths outside of it (pages, files) are not looked at.
export function check(method, target, answer) {
  const path = decodeURIComponent(target.split("?")[0]);
  // {id}.pgn before {id}: the longer pattern is the more exact one.
  const found = patterns.filter(({ pattern }) => pattern.test(path)).sort((a, b) => b.path.length - a.path.length)[0];
  const name = `${method} ${target} ${answer.status}`;
  if (method === "HEAD" || method === "OPTIONS") return;
  const operation = found && document.paths[found.path][method.toLowerCase()];
  if (!operation) {
    if (path.startsWith("/api/") || answer.status === 405) schemaOf(["components", "schemas", "Error"], name)(answer.json);
    return;
  }
  const key = operation.responses[answer.status] ? String(answer.status) : "default";
  if (!operation.responses[key]) throw new Error(`${name}: no such status in docs/openapi.yaml`);
  seen.add(`${method} ${found.path} ${answer.status}`);
  if (key === "default" && answer.status < 400) throw new Error(`${name}: a success the document does not know`);
  const [response, at] = resolve(operation.responses[key], ["paths", found.path, method.toLowerCase(), "responses", key]);
  if (!response.content) {
    if (answer.text !== "") throw new Error(`${name}: a body where there is none`);
    return;
  }
  const type = answer.headers["content-type"];
  if (!response.content[type]) throw new Error(`${name}: type ${type}, expected ${Object.keys(response.content)}`);
  schemaOf([...at, "content", type, "schema"], name)(type === "application/json" ? answer.json : answer.text);
}
