// SPDX-License-Identifier: GPL-3.0-or-later
//
// Builds web/dist: scripts and styles with hashed names under assets/, and an index.html that names
// them. JADOUBE_CORE_WASM is the path of the rules core (default: that of the meson build beside us).
// --watch builds again whenever a source changes. Runs on Node 18.
import { build, context } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync, copyFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const web = dirname(fileURLToPath(import.meta.url));
const dist = join(web, "dist");
const watch = process.argv.includes("--watch");

const coreFile = resolve(process.env.JADOUBE_CORE_WASM ?? join(web, "../build/src/wasm/core.wasm"));
if (!existsSync(coreFile)) {
  console.error(`No rules core at ${coreFile}.`);
  console.error("Build it first (ninja -C build src/wasm/core.wasm) or name it in JADOUBE_CORE_WASM.");
  process.exit(1);
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, "assets"), { recursive: true });

const coreBytes = readFileSync(coreFile);
const coreHash = createHash("sha256").update(coreBytes).digest("hex").slice(0, 8).toUpperCase();
const coreUrl = `/assets/core-${coreHash}.wasm`;
writeFileSync(join(dist, coreUrl), coreBytes);
for (const name of ["favicon.svg", "manifest.webmanifest", "robots.txt"])
  copyFileSync(join(web, "src/static", name), join(dist, name));

const shared = {
  absWorkingDir: web,
  bundle: true,
  minify: !watch,
  sourcemap: watch ? "linked" : false,
  metafile: true,
  target: ["es2021", "chrome100", "firefox100", "safari15.4"],
  outdir: "dist/assets",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  legalComments: "none",
  charset: "utf8",
  logLevel: "warning",
};

// What a page asks of a worker, built first, for the pages name it: who can still mate.
const worker = {
  ...shared,
  entryPoints: ["src/core/dead_worker.ts"],
  format: "iife",
  define: { CORE_WASM_URL: JSON.stringify(coreUrl) },
};
const workerResult = await build(worker);

// The pages: one script with lazily loaded parts. The few words that colour the page before the
// first paint stand in a script of their own, because the content policy allows none inline.
const pages = {
  ...shared,
  entryPoints: ["src/app/main.tsx", "src/style/main.css"],
  format: "esm",
  splitting: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  define: {
    CORE_WASM_URL: JSON.stringify(coreUrl),
    DEAD_WORKER_URL: JSON.stringify(outputOf(workerResult.metafile, "src/core/dead_worker.ts").url),
  },
};
const early = { ...shared, entryPoints: ["src/app/early.ts"], format: "iife" };

function outputOf(meta, entry) {
  for (const [file, output] of Object.entries(meta.outputs))
    if (output.entryPoint === entry) return { url: "/" + relative("dist", file), output };
  throw new Error(`${entry} was not built`);
}

// index.html names what was built; static imports are announced so that they load side by side.
function writeIndex(pagesMeta, earlyMeta) {
  const main = outputOf(pagesMeta, "src/app/main.tsx");
  const preload = main.output.imports
    .filter((i) => i.kind === "import-statement")
    .map((i) => `  <link rel="modulepreload" href="/${relative("dist", i.path)}">`);
  const html = readFileSync(join(web, "src/index.html"), "utf8")
    .replaceAll("%STYLE%", outputOf(pagesMeta, "src/style/main.css").url)
    .replaceAll("%EARLY%", outputOf(earlyMeta, "src/app/early.ts").url)
    .replaceAll("%MAIN%", main.url)
    .replaceAll("%CORE%", coreUrl)
    .replace(/\n *%PRELOAD%/, preload.map((line) => "\n" + line).join(""));
  writeFileSync(join(dist, "index.html"), html);
}

const earlyResult = await build(early);
if (!watch) {
  const result = await build(pages);
  writeIndex(result.metafile, earlyResult.metafile);
} else {
  const index = {
    name: "index",
    setup: (b) =>
      b.onEnd((result) => {
        if (result.metafile && result.errors.length === 0) {
          writeIndex(result.metafile, earlyResult.metafile);
          console.log("built", new Date().toLocaleTimeString());
        }
      }),
  };
  await (await context({ ...pages, plugins: [index] })).watch();
}
