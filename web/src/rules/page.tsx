// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Laws as this program keeps them (S-042): every article by its number in a chosen edition, in
// short, and what the program does about it. Made from the table that `jadoube arbitrate --explain`
// reads. /rules?edition=fide-2005#9.5b is one article.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { navigate, place } from "../app/router";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { language, t } from "../i18n";
import type { Language } from "../net/types";

interface Row {
  n: string[];
  t: string;
  d: string;
}

const EDITIONS = ["fide-1997", "fide-2005", "fide-2009", "fide-2014", "fide-2023"] as const;
const load: Record<Language, () => Promise<{ default: Row[] }>> = {
  en: () => import("./articles.en.json"),
  ru: () => import("./articles.ru.json"),
  ro: () => import("./articles.ro.json"),
};

const natural = new Intl.Collator("en", { numeric: true });
const numbersOf = (row: Row, edition: number): string[] =>
  (row.n[edition] ?? "").split(",").map((part) => part.trim()).filter((part) => part !== "");
// "9" of "9.5b", "A" of "A.4c", the Preface before all.
const chapterOf = (number: string): string => /^(?:\d+|[A-Z](?![a-z])|[IVX]+(?=\.))/.exec(number)?.[0] ?? "";

interface Chapter {
  name: string;
  rows: { numbers: string[]; row: Row }[];
}

function chaptersOf(rows: Row[], edition: number): Chapter[] {
  const there = rows
    .map((row) => ({ numbers: numbersOf(row, edition), row }))
    .filter(({ numbers }) => numbers.length > 0)
    .map((one) => ({ ...one, chapter: chapterOf(one.numbers[0]!) }));
  const rank = (chapter: string): number => (chapter === "" ? 0 : /^\d/.test(chapter) ? 1 : 2);
  there.sort((a, b) => rank(a.chapter) - rank(b.chapter) || natural.compare(a.numbers[0]!, b.numbers[0]!));
  const chapters: Chapter[] = [];
  for (const { chapter, ...one } of there) {
    const last = chapters.at(-1);
    if (last?.name === chapter) last.rows.push(one);
    else chapters.push({ name: chapter, rows: [one] });
  }
  return chapters;
}

// The article an address names, or the nearest above it: 9.5.3 is told under 9.5.
function find(wanted: string): HTMLElement | null {
  for (let id = wanted; id !== ""; id = id.replace(/(?:\.?\d+|\(\d\)|\.?[A-Za-z]+)$/, "")) {
    const found = document.getElementById(id);
    if (found) return found;
    if (id === id.replace(/(?:\.?\d+|\(\d\)|\.?[A-Za-z]+)$/, "")) return null;
  }
  return null;
}

export function RulesPage(): JSX.Element {
  const { query } = useStore(place);
  const spoken = useStore(language);
  const [rows, setRows] = useState<Row[] | null>(null);
  const named = EDITIONS.findIndex((one) => one === query.get("edition"));
  const edition = named < 0 ? EDITIONS.length - 1 : named;
  const title = t("laws_page.title");
  useEffect(() => setTitle(title), [title]);
  useEffect(() => void load[spoken]().then((module) => setRows(module.default)), [spoken]);
  useEffect(() => {
    if (!rows) return;
    const show = (): void => {
      document.querySelector(".law.here")?.classList.remove("here");
      const found = find(decodeURIComponent(location.hash.slice(1)));
      found?.closest(".law")?.classList.add("here");
      found?.scrollIntoView({ block: "center" });
    };
    show();
    window.addEventListener("hashchange", show);
    return () => window.removeEventListener("hashchange", show);
  }, [rows, edition]);
  const heading = (name: string): string =>
    name === "" ? t("laws_page.preface") : /^\d/.test(name) ? t("laws_page.article", { n: name }) : t("laws_page.appendix", { n: name });
  return (
    <section class="sheet laws">
      <h1>{title}</h1>
      <div class="article">
        <p>{t("laws_page.lead")}</p>
        <p class="field">
          <label for="edition">{t("laws_page.edition")}</label>
          <select id="edition" data-testid="edition" value={EDITIONS[edition]}
            onChange={(e) => navigate(`/rules?edition=${e.currentTarget.value}`, true)}>
            {EDITIONS.map((one) => (
              <option key={one} value={one}>{one.replace(/^\D+/, "")}</option>
            ))}
          </select>
        </p>
        {!rows && <p class="loading" aria-busy="true" />}
        {rows && chaptersOf(rows, edition).map((chapter) => (
          <section key={chapter.name} aria-label={heading(chapter.name)}>
            <h2>{heading(chapter.name)}</h2>
            {chapter.rows.map(({ numbers, row }) => (
              <div class="law" key={numbers.join()}>
                <h3>
                  {numbers.map((number) => (
                    <a key={number} id={number} href={`#${encodeURIComponent(number)}`}>{number === "Preface" ? "§" : number}</a>
                  ))}{" "}
                  {row.t}
                </h3>
                <p>{row.d}</p>
              </div>
            ))}
          </section>
        ))}
        {rows && (
          <section aria-label={t("laws_page.house")}>
            <h2>{t("laws_page.house")}</h2>
            {rows.filter((row) => row.n.every((n) => n === "")).map((row) => (
              <div class="law" key={row.t}>
                <h3>{row.t}</h3>
                <p>{row.d}</p>
              </div>
            ))}
          </section>
        )}
      </div>
    </section>
  );
}
