// SPDX-License-Identifier: GPL-3.0-or-later
//
// The three catalogues of the web client say the same things: same keys, same places to fill, the
// plural forms each language needs, Romanian with comma-below letters; every key the sources use
// exists, every key that exists is used; every error code of docs/protocol.md and every name the
// Laws module gives to reasons and refusals has its words.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const read = (path) => readFileSync(join(root, path), "utf8");
const faults = [];
const fault = (text) => faults.push(text);

// Plural categories of whole numbers (CLDR).
const FORMS = { en: ["one", "other"], ru: ["one", "few", "many"], ro: ["one", "few", "other"] };
const LANGUAGES = Object.keys(FORMS);

// The main catalogue and those of the areas, as one; a key stands in one of them only.
const areaFiles = readdirSync(join(root, "web/src/i18n/areas"));
const catalogues = {};
for (const language of LANGUAGES) {
  const files = [`${language}.json`, ...areaFiles.filter((f) => f.endsWith(`.${language}.json`)).map((f) => `areas/${f}`)];
  const text = files.map((file) => read(`web/src/i18n/${file}`));
  catalogues[language] = Object.assign({}, ...text.map((t) => JSON.parse(t)));
  const keys = text.flatMap((t) => [...t.matchAll(/^ {2}"([^"]+)":/gm)].map((m) => m[1]));
  for (const key of keys)
    if (keys.indexOf(key) !== keys.lastIndexOf(key)) fault(`${language}: "${key}" stands there twice`);
}
const areaRows = read("web/src/i18n/areas.ts");
for (const file of areaFiles)
  if (!areaRows.includes(`"./areas/${file}"`)) fault(`areas/${file} has no row in areas.ts`);

const texts = (value) => (typeof value === "string" ? [value] : Object.values(value));
const places = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]);
const allPlaces = (value) => [...new Set(texts(value).flatMap(places))].sort().join(" ");

const allKeys = [...new Set(LANGUAGES.flatMap((l) => Object.keys(catalogues[l])))];
for (const key of allKeys) {
  const english = catalogues.en[key];
  for (const language of LANGUAGES) {
    const value = catalogues[language][key];
    if (value === undefined) {
      fault(`${language}: "${key}" is missing`);
      continue;
    }
    for (const text of texts(value)) {
      if (text.trim() === "" || text !== text.trim()) fault(`${language}: "${key}" is empty or has outer blanks`);
      if (text !== text.normalize("NFC")) fault(`${language}: "${key}" is not in NFC`);
    }
    if (english === undefined) continue;
    if (typeof value !== typeof english) {
      fault(`${language}: "${key}" has plural forms in one language and none in another`);
      continue;
    }
    if (allPlaces(value) !== allPlaces(english))
      fault(`${language}: "${key}" fills {${allPlaces(value)}}, English {${allPlaces(english)}}`);
    if (typeof value === "object") {
      const forms = Object.keys(value).join(" ");
      if (forms !== FORMS[language].join(" "))
        fault(`${language}: "${key}" has the forms ${forms}, needed are ${FORMS[language].join(" ")}`);
      // The form for one may spell the number out, where it stands for 1 alone (not in Russian: 21, 31).
      for (const [form, text] of Object.entries(value))
        if (places(text).join() !== places(value[FORMS[language][1]]).join() && (form !== "one" || language === "ru"))
          fault(`${language}: "${key}", form ${form}: other places than its sisters`);
    }
  }
}

for (const text of Object.entries(catalogues.ro).flatMap(([key, value]) => texts(value).map((x) => [key, x])))
  if (/[\u015E\u015F\u0162\u0163]/.test(text[1])) fault(`ro: "${text[0]}" has a cedilla; Romanian takes ș and ț with a comma below`);
for (const [key, value] of Object.entries(catalogues.ru))
  for (const text of texts(value))
    for (const word of text.match(/[\p{L}]+/gu) ?? [])
      if (/\p{Script=Cyrillic}/u.test(word) && /\p{Script=Latin}/u.test(word))
        fault(`ru: "${key}" mixes alphabets inside the word "${word}"`);

// ---- keys and sources

function sources(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const used = new Set();
const families = new Set();
for (const file of sources("web/src")) {
  const code = read(file).replace(/^\s*\/\/.*$/gm, "");
  for (const m of code.matchAll(/["'`]([a-z_]+(?:\.[a-z0-9_]+)+)["'`]/g)) used.add(m[1]);
  for (const m of code.matchAll(/`([a-z_]+(?:\.[a-z_]+)*\.)\$\{/g)) families.add(m[1]);
  for (const m of code.matchAll(/\btx?\(\s*["']([^"']+)["']/g))
    if (catalogues.en[m[1]] === undefined) fault(`${relative("web/src", file)}: "${m[1]}" is in no catalogue`);
}
for (const family of families)
  if (!allKeys.some((key) => key.startsWith(family))) fault(`no key begins with "${family}", which the sources build keys from`);
for (const key of allKeys)
  if (!used.has(key) && ![...families].some((family) => key.startsWith(family)))
    fault(`"${key}" is used nowhere in web/src`);

// ---- names that come from the server

function expectFamily(family, names, ours) {
  const wanted = new Set([...names, ...ours].map((name) => family + name));
  for (const key of wanted) if (catalogues.en[key] === undefined) fault(`"${key}" has no words`);
  for (const key of allKeys)
    if (key.startsWith(family) && !wanted.has(key)) fault(`"${key}": no such name is known`);
}

const protocol = read("docs/protocol.md");
const errorTable = protocol.slice(protocol.indexOf("\n## Errors"), protocol.indexOf("\n## HTTP"));
const codes = errorTable
  .split("\n")
  .filter((line) => /^\| \d{3} \|/.test(line))
  .flatMap((line) => [...line.matchAll(/`([a-z_]+)`/g)].map((m) => m[1]))
  .filter((name) => name !== "retry_after" && name !== "ref");
if (codes.length < 40) fault("docs/protocol.md: the table of error codes was not found");

const names = read("src/laws/names.c");
const namesIn = (table) => {
  const start = names.indexOf(`${table}[] = {`);
  return [...names.slice(start, names.indexOf("};", start)).matchAll(/"([a-z_0-9]+)"/g)].map((m) => m[1]);
};
const refusals = namesIn("refusal_names").filter((name) => name !== "not_refused");
const reasons = namesIn("reason_names");
if (refusals.length < 15 || reasons.length < 25) fault("src/laws/names.c: the tables of names were not found");

// Errors that only the client knows, and those of the running site that stand in no table.
const ours = ["unreachable", "rate_limited_soon", "internal_ref", "offer_too_soon", "not_abandoned"];
expectFamily("error.", [...codes, ...refusals], ours);
expectFamily("reason.", reasons, []);

if (faults.length > 0) {
  for (const text of faults) console.error(text);
  console.error(`${faults.length} faults in the catalogues`);
  process.exit(1);
}
console.log(`${allKeys.length} keys in ${LANGUAGES.length} languages, ${codes.length} error codes, ${reasons.length} reasons`);
