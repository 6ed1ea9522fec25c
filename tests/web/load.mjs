// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lets a test import a TypeScript module of the client: bundled in memory by the client's own
// esbuild. Without node_modules (npm ci in web/) the test is skipped.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const SKIPPED = 77; // meson's number for a skipped test

export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(SKIPPED);
}

export async function load(path) {
  if (!existsSync(join(root, "web/node_modules/esbuild"))) skip("run npm ci in web/ first");
  const { build } = createRequire(join(root, "web/package.json"))("esbuild");
  const result = await build({
    absWorkingDir: join(root, "web"),
    entryPoints: [path],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    logLevel: "error",
    jsx: "automatic",
    jsxImportSource: "preact",
  });
  const code = Buffer.from(result.outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

// A count of what was compared; the first fault is thrown with its name.
let checks = 0;
export function same(found, expected, name) {
  checks++;
  const a = JSON.stringify(found);
  const b = JSON.stringify(expected);
  if (a !== b) throw new Error(`${name}: found ${a}, expected ${b}`);
}
export const report = () => console.log(`${checks} checks`);
