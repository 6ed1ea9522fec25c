// SPDX-License-Identifier: GPL-3.0-or-later
//
// Builds web/dist: scripts and styles with hashed names under assets/, and an index.html that names
// them. JADOUBE_CORE_WASM is the path of the rules core (default: that of the meson build beside us).
// --watch builds again whenever a source changes. Runs on Node 18.
import { build, context } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, copyFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LEARN_LANGUAGES, readLessons, readRows } from "./learn.mjs";
import { buildPieces } from "./pieces.mjs";

const web = dirname(fileURLToPath(import.meta.url));
const dist = join(web, "dist");
const watch = process.argv.includes("--watch");

const coreFile = resolve(process.env.JADOUBE_CORE_WASM ?? join(web, "../build/src/wasm/core.wasm"));
if (!existsSync(coreFile) || !existsSync(join(dirname(coreFile), "board.wasm"))) {
  console.error(`No rules core at ${coreFile}, with board.wasm beside it.`);
  console.error("Build it first (ninja -C build src/wasm/core.wasm src/wasm/board.wasm) or name it in JADOUBE_CORE_WASM.");
  process.exit(1);
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, "assets"), { recursive: true });

// Puts a file beside the scripts; its name carries its hash.
function addFile(bytes, name, ending) {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8).toUpperCase();
  const url = `/assets/${name}-${hash}.${ending}`;
  writeFileSync(join(dist, url), bytes);
  return url;
}
const coreUrl = addFile(readFileSync(coreFile), "core", "wasm");
// The moves alone, which is all a board needs at first: built beside the core.
const boardUrl = addFile(readFileSync(join(dirname(coreFile), "board.wasm")), "board", "wasm");

// The game on one machine and the chess clock: for /local and /clock.
const localUrl = addFile(readFileSync(join(dirname(coreFile), "local.wasm")), "local", "wasm");

// PGN with variations, and the engine: for the analysis board alone. The engine asks for its other
// half by name, beside itself.
const studyUrl = addFile(readFileSync(join(dirname(coreFile), "study.wasm")), "study", "wasm");
// What is true of a move: for hints, lessons and reports, when they are first asked.
const tutorUrl = addFile(readFileSync(join(dirname(coreFile), "tutor.wasm")), "tutor", "wasm");
const engine = join(web, "node_modules/stockfish.js");
const engineWasm = addFile(readFileSync(join(engine, "stockfish.wasm")), "stockfish", "wasm");
const engineScript = readFileSync(join(engine, "stockfish.wasm.js"), "utf8");
if (!engineScript.includes('"stockfish.wasm"')) throw new Error("stockfish.wasm.js names its other half differently now");
const engineUrl = addFile(engineScript.replace('"stockfish.wasm"', JSON.stringify(engineWasm.split("/").at(-1))), "stockfish", "js");

// Lessons, problems and opening lines, for the pages of /learn alone, and what they ask about positions.
const learnData = join(web, "../learn");
const learnUrls = Object.fromEntries([
  ...LEARN_LANGUAGES.map((code) => [
    code,
    addFile(JSON.stringify(readLessons(learnData, code)), `lessons-${code}`, "json"),
  ]),
  ["problems", addFile(readRows(learnData, "problems.txt"), "problems", "txt")],
  ["openings", addFile(readRows(learnData, "openings.txt"), "openings", "txt")],
  ["wasm", addFile(readFileSync(join(dirname(coreFile), "lesson.wasm")), "lesson", "wasm")],
]);

const pieceUrls = buildPieces(resolve(process.env.JADOUBE_PIECES ?? join(web, "pieces")), dist);
for (const name of ["favicon.svg", "manifest.webmanifest", "robots.txt", "plain.css"])
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
  define: { BOARD_WASM_URL: JSON.stringify(boardUrl), CORE_WASM_URL: JSON.stringify(coreUrl) },
};
const workerResult = await build(worker);
// What only some pages wear.
const extrasResult = await build({ ...shared, entryPoints: ["src/style/extras.css"] });
const learnSheet = await build({ ...shared, entryPoints: ["src/style/learn.css"] });

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
    BOARD_WASM_URL: JSON.stringify(boardUrl),
    CORE_WASM_URL: JSON.stringify(coreUrl),
    PIECE_URLS: JSON.stringify(pieceUrls),
    STUDY_WASM_URL: JSON.stringify(studyUrl),
    TUTOR_WASM_URL: JSON.stringify(tutorUrl),
    LOCAL_WASM_URL: JSON.stringify(localUrl),
    ENGINE_URL: JSON.stringify(engineUrl),
    EXTRAS_CSS_URL: JSON.stringify(outputOf(extrasResult.metafile, "src/style/extras.css").url),
    LEARN_URLS: JSON.stringify({ ...learnUrls, css: outputOf(learnSheet.metafile, "src/style/learn.css").url }),
    DEAD_WORKER_URL: JSON.stringify(outputOf(workerResult.metafile, "src/core/dead_worker.ts").url),
  },
};
// The first script of all, which is no module.
const early = { ...shared, entryPoints: ["src/app/early.ts"], format: "iife" };

// The addresses of the scripts an entry brings along that the other one does not.
function scriptsOf(meta, entry, besides) {
  const reach = (name) => {
    const found = new Set();
    const visit = (file) => {
      if (found.has(file)) return;
      found.add(file);
      for (const { path, kind } of meta.outputs[file].imports) if (kind === "import-statement") visit(path);
    };
    visit(Object.keys(meta.outputs).find((file) => meta.outputs[file].entryPoint === name));
    return found;
  };
  const there = reach(besides);
  return [...reach(entry)].filter((file) => !there.has(file)).map((file) => "/" + relative("dist", file));
}

function outputOf(meta, entry) {
  for (const [file, output] of Object.entries(meta.outputs))
    if (output.entryPoint === entry) return { url: "/" + relative("dist", file), output };
  throw new Error(`${entry} was not built`);
}

// The service worker keeps one address for ever, /sw.js; it knows all files of the client and is built
// after them.
async function buildServiceWorker(pagesMeta, earlyMeta) {
  const files = ["assets", "."].flatMap((folder) =>
    readdirSync(join(dist, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.map$|^sw\.js$|^(index|game\.\w+)\.html$|^robots\.txt$/.test(entry.name))
      .map((entry) => (folder === "." ? "/" : `/${folder}/`) + entry.name),
  );
  const offline = offlineFiles(pagesMeta, earlyMeta);
  const version = createHash("sha256").update(readFileSync(join(dist, "index.html")) + offline.join()).digest("hex");
  await build({
    ...shared,
    entryPoints: ["src/worker/sw.ts"],
    format: "iife",
    sourcemap: false,
    outdir: "dist",
    entryNames: "[name]",
    define: {
      CLIENT_FILES: JSON.stringify(files.sort()),
      OFFLINE_FILES: JSON.stringify(offline),
      OFFLINE_VERSION: JSON.stringify(version.slice(0, 12)),
    },
  });
}

// What the offline pages consist of: their scripts and those of the settings, their words in all
// languages, styles, men, the local game and the engine.
const OFFLINE_ENTRIES = ["app/main.tsx", "pages/local.tsx", "pages/clock.tsx", "pages/curiosity.tsx", "settings/menu.tsx", "settings/arrange.tsx"];
const OFFLINE_WORDS = /^src\/i18n\/((en|ru|ro)|areas\/(local|clock|analysis|computer|settings|tutor)\.(en|ru|ro))\.json$/;

function offlineFiles(pagesMeta, earlyMeta) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const { path, kind } of pagesMeta.outputs[file].imports) if (kind === "import-statement") visit(path);
  };
  const entryOf = (file) => pagesMeta.outputs[file].entryPoint ?? "";
  for (const file of Object.keys(pagesMeta.outputs))
    if (OFFLINE_ENTRIES.includes(entryOf(file).replace(/^src\//, "")) || OFFLINE_WORDS.test(entryOf(file)) || entryOf(file) === "src/style/main.css")
      visit(file);
  const pieces = readdirSync(join(dist, "assets")).filter((name) => /^(pieces-|celtic-|fantasy-|spatial-)/.test(name));
  return [
    ...[...found].map((file) => "/" + relative("dist", file)),
    ...pieces.map((name) => `/assets/${name}`),
    outputOf(earlyMeta, "src/app/early.ts").url,
    outputOf(extrasResult.metafile, "src/style/extras.css").url,
    localUrl,
    tutorUrl,
    engineUrl,
    engineWasm,
    "/favicon.svg",
    "/manifest.webmanifest",
  ].sort();
}

// index.html names what was built; static imports are announced so that they load side by side. The
// page of a game is a file of its own in each language: it announces whatever a board needs, and the
// server puts the game into it (src/net/game_page.c).
function writePages(pagesMeta, earlyMeta) {
  const main = outputOf(pagesMeta, "src/app/main.tsx");
  const imports = main.output.imports.filter((i) => i.kind === "import-statement").map((i) => "/" + relative("dist", i.path));
  const form = readFileSync(join(web, "src/index.html"), "utf8")
    .replaceAll("%STYLE%", outputOf(pagesMeta, "src/style/main.css").url)
    .replaceAll("%EARLY%", outputOf(earlyMeta, "src/app/early.ts").url)
    .replaceAll("%MAIN%", main.url);
  const write = (name, scripts, boot, language) =>
    writeFileSync(
      join(dist, name),
      form
        .replace('<html lang="en">', `<html lang="${language}">`)
        .replace(/\n *%PRELOAD%/, scripts.map((url) => `\n  <link rel="modulepreload" href="${url}">`).join("") + (boot ? rules : ""))
        .replace(/\n *%BOOT%/, boot),
    );
  const rules = `\n  <link rel="preload" href="${boardUrl}" as="fetch" crossorigin>`;
  write("index.html", imports, "", "en");
  const board = scriptsOf(pagesMeta, "src/pages/game.tsx", "src/app/main.tsx");
  for (const language of ["en", "ru", "ro"]) {
    const texts = outputOf(pagesMeta, `src/i18n/${language}.json`).url;
    const boot = '\n  <script type="application/json" id="boot"></script>';
    write(`game.${language}.html`, [...imports, ...board, texts], boot, language);
  }
}

// Modules that belong together. esbuild puts each set of modules that the same pages use into a script
// of its own, which makes dozens of tiny ones, and each costs a request with its head. So every page
// is made to use whatever the first script uses, and the crumbs of the board page: one script for all.
const CRUMB_BYTES = 9000;

function commonModules(meta) {
  const own = (file) => Object.keys(meta.outputs[file].inputs).filter((input) => /^src\/.*\.tsx?$/.test(input));
  const reach = (entry) => {
    const found = new Set();
    const visit = (file) => {
      if (found.has(file)) return;
      found.add(file);
      for (const { path, kind } of meta.outputs[file].imports) if (kind === "import-statement") visit(path);
    };
    visit(Object.keys(meta.outputs).find((file) => meta.outputs[file].entryPoint === entry));
    return [...found].filter((file) => meta.outputs[file].entryPoint === undefined);
  };
  const first = reach("src/app/main.tsx");
  const crumbs = reach("src/pages/game.tsx").filter((file) => meta.outputs[file].bytes < CRUMB_BYTES);
  return [...new Set([...first, ...crumbs].flatMap(own))];
}

function together(meta) {
  const modules = commonModules(meta);
  const entries = Object.values(meta.outputs)
    .map((output) => output.entryPoint)
    .filter((entry) => entry !== undefined && /\.tsx?$/.test(entry));
  const imports = modules.map((file) => `\nimport ${JSON.stringify(join(web, file))};`).join("");
  return {
    name: "together",
    setup: (b) =>
      b.onLoad({ filter: /\.tsx?$/ }, ({ path }) =>
        entries.includes(relative(web, path))
          ? { contents: readFileSync(path, "utf8") + imports, loader: "tsx", resolveDir: dirname(path) }
          : undefined,
      ),
  };
}

if (!watch) {
  const apart = await build({ ...pages, write: false });
  const result = await build({ ...pages, plugins: [together(apart.metafile)] });
  const first = await build(early);
  writePages(result.metafile, first.metafile);
  await buildServiceWorker(result.metafile, first.metafile);
} else {
  const index = {
    name: "index",
    setup: (b) =>
      b.onEnd(async (result) => {
        if (result.metafile && result.errors.length === 0) {
          const first = await build(early);
          writePages(result.metafile, first.metafile);
          await buildServiceWorker(result.metafile, first.metafile);
          console.log("built", new Date().toLocaleTimeString());
        }
      }),
  };
  await (await context({ ...pages, plugins: [index] })).watch();
}
