// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every message, reason, incident and stop the Laws can name has a text in each of the three
// catalogues, and no catalogue has one that nothing names. The names come from the library itself.
// Usage: node catalogues.test.mjs list_messages DIRECTORY
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const [lister, directory] = process.argv.slice(2);
const names = execFileSync(lister, { encoding: "utf8" }).trim().split("\n").sort();
const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
const read = (language) =>
  JSON.parse(readFileSync(join(directory, `laws.${language}.json`), "utf8"));
const english = read("en");

test("names are not listed twice", () => {
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.length > 100);
});

for (const language of ["en", "ru", "ro"]) {
  test(`texts of ${language}`, () => {
    const catalogue = read(language);
    assert.deepEqual(Object.keys(catalogue).sort(), names);
    for (const [name, text] of Object.entries(catalogue)) {
      assert.ok(text.trim().length > 0, name);
      assert.deepEqual(placeholders(text), placeholders(english[name]), name);
      for (const word of placeholders(text))
        assert.ok(["side", "n", "m", "time", "time2"].includes(word), `${name}: {${word}}`);
    }
  });
}
