// SPDX-License-Identifier: GPL-3.0-or-later
//
// What learn holds, made ready for the browser: the lessons of one language as JSON, the
// problems and opening lines without their comments. learn/README.md says how they are written;
// learn_check proves them.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const LEARN_LANGUAGES = ["en", "ru", "ro"];

const rows = (text) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

// Every text is taken in the one language.
export function readLesson(text, language) {
  const lesson = { slug: "", id: "", title: "", lead: "", steps: [] };
  let put = null; // where the text of the open block goes
  let step = null;
  for (const line of rows(text)) {
    const at = line.indexOf(" ");
    const word = at < 0 ? line : line.slice(0, at);
    const rest = at < 0 ? "" : line.slice(at + 1);
    if (LEARN_LANGUAGES.includes(word)) {
      if (word === language) put(rest);
      continue;
    }
    switch (word) {
      case "lesson":
        [lesson.slug, lesson.id] = rest.split(" ");
        break;
      case "title":
      case "lead":
        put = (text) => (lesson[word] = text);
        break;
      case "step":
        step = { kind: rest };
        lesson.steps.push(step);
        break;
      case "say":
      case "done": {
        const now = step;
        put = (text) => (now[word] = text);
        break;
      }
      case "option": {
        const option = { right: rest === "right", text: "" };
        (step.options ??= []).push(option);
        put = (text) => (option.text = text);
        break;
      }
      case "no": {
        const wrong = { san: rest, text: "" };
        (step.no ??= []).push(wrong);
        put = (text) => (wrong.text = text);
        break;
      }
      case "line":
        step.line = rest.split(" ").map((move) => move.split("|"));
        break;
      case "game":
      case "squares":
        step[word] = rest.split(" ");
        break;
      case "mark":
      case "arrow":
        (step[word] ??= []).push(...rest.split(" "));
        break;
      case "claim":
        break; // the checker's business
      default:
        step[word] = rest;
    }
  }
  return lesson;
}

export function readLessons(folder, language) {
  const files = readdirSync(join(folder, "lessons")).filter((name) => name.endsWith(".txt")).sort();
  return files.map((name) => readLesson(readFileSync(join(folder, "lessons", name), "utf8"), language));
}

export const readRows = (folder, name) => rows(readFileSync(join(folder, name), "utf8")).join("\n");
