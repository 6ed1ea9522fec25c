// SPDX-License-Identifier: GPL-3.0-or-later
//
// Piece sets that are loaded when somebody chooses them. The drawings are not ours and stand outside
// this repository: `./dev build` takes them out of Debian's package pychess into web/pieces/. Each
// set becomes one style sheet with a hashed name (LICENSES.md says whose they are).
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";

const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const LETTERS = { king: "k", queen: "q", rook: "r", bishop: "b", knight: "n", pawn: "p" };
// One drawing for each man, or one sheet of six columns with Black above White.
const SETS = { merida: "men", celtic: "sheet", fantasy: "sheet", spatial: "sheet" };

// What drawing programs leave behind for themselves.
function slim(svg) {
  let text = svg
    .replace(/<\?xml[^>]*\?>|<!DOCTYPE[^>]*>|<!--[\s\S]*?-->/g, "")
    .replace(/<metadata[\s\S]*?<\/metadata>|<sodipodi:namedview[^>]*\/>|<sodipodi:namedview[\s\S]*?<\/sodipodi:namedview>/g, "")
    .replace(/\s(?:sodipodi|inkscape|rdf|cc|dc):[\w-]+="[^"]*"/g, "")
    .replace(/>\s+</g, "><")
    .replace(/\s+/g, " ")
    .trim();
  const size = (name) => /^[\d.]+/.exec(new RegExp(`<svg[^>]*\\s${name}="([^"]*)"`).exec(text)?.[1] ?? "")?.[0];
  if (!/<svg[^>]*\sviewBox=/.test(text)) text = text.replace("<svg ", `<svg viewBox="0 0 ${size("width")} ${size("height")}" `);
  return text;
}

const hashed = (text) => createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();

const rule = (set, color, role, body) => `:root[data-pieces=${set}] .cg-wrap piece.${role}.${color}{${body}}`;

function sheetRules(set, url) {
  return ["black", "white"].flatMap((color, row) =>
    ROLES.map((role, column) =>
      rule(set, color, role, `background:url(${url}) ${column * 20}% ${row * 100}%/600% 200%`)));
}

function menRules(set, folder) {
  return ["black", "white"].flatMap((color) =>
    ROLES.map((role) => {
      const svg = slim(readFileSync(join(folder, `${color[0]}${LETTERS[role]}.svg`), "utf8"));
      return rule(set, color, role, `background-image:url(data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")})`);
    }));
}

// Writes the sets into dist/assets; the addresses of their style sheets by name.
export function buildPieces(folder, dist) {
  const urls = {};
  for (const [set, kind] of Object.entries(SETS)) {
    const from = join(folder, set);
    if (!existsSync(from)) throw new Error(`No piece set at ${from}: ./dev build fetches it, or name the folder in JADOUBE_PIECES.`);
    let rules;
    if (kind === "sheet") {
      const svg = slim(readFileSync(join(from, `${set}.svg`), "utf8"));
      const url = `/assets/${set}-${hashed(svg)}.svg`;
      writeFileSync(join(dist, url), svg);
      rules = sheetRules(set, url);
    } else {
      rules = menRules(set, from);
    }
    const css = rules.join("\n") + "\n";
    urls[set] = `/assets/pieces-${set}-${hashed(css)}.css`;
    writeFileSync(join(dist, urls[set]), css);
  }
  return urls;
}
