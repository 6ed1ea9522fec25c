// SPDX-License-Identifier: GPL-3.0-or-later
//
// Texts in three languages. A catalogue is a flat JSON file: a key holds a text, or the forms of a
// text by plural category. {name} in a text is filled from the parameters. The catalogue of the
// chosen language is loaded alone; what only some pages say stands in an area's catalogue
// (areas.ts), loaded with those pages. tests/tools/i18n.mjs keeps the three languages alike.
import type { ComponentChild } from "preact";
import { createStore } from "../app/store";
import { local } from "../app/local";
import type { Language } from "../net/types";
import { areas, type Area, type AreaKey } from "./areas";
import type en from "./en.json";

export type Key = keyof typeof en | AreaKey;
type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;
type Catalogue = Record<Key, Text>;
export type Params = Record<string, string | number>;

export const LANGUAGES: readonly { code: Language; name: string; short: string }[] = [
  { code: "en", name: "English", short: "EN" },
  { code: "ru", name: "Русский", short: "РУ" },
  { code: "ro", name: "Română", short: "RO" },
];
const isLanguage = (text: string | null | undefined): text is Language =>
  text === "en" || text === "ru" || text === "ro";

const load: Record<Language, () => Promise<{ default: unknown }>> = {
  en: () => import("./en.json"),
  ru: () => import("./ru.json"),
  ro: () => import("./ro.json"),
};

export const language = createStore<Language>("en");
let catalogue = {} as Catalogue;
let plurals: Intl.PluralRules | null = null; // made when a text needs it

// The language of this visit: ?hl=, what was chosen before, then the browser's wishes.
export function startLanguage(): Promise<void> {
  const asked = new URLSearchParams(location.search).get("hl");
  if (isLanguage(asked)) return setLanguage(asked);
  const kept = local.get("language");
  if (isLanguage(kept)) return setLanguage(kept);
  for (const wish of navigator.languages ?? []) {
    const code = wish.slice(0, 2).toLowerCase();
    if (isLanguage(code)) return setLanguage(code);
    if (code === "mo") return setLanguage("ro");
  }
  return setLanguage("en");
}

const wanted = new Set<Area>();

const catalogueOf = async (part: Promise<{ default: unknown }>): Promise<Partial<Catalogue>> =>
  (await part).default as Partial<Catalogue>;

// Before a page that says something out of an area is drawn; stays across changes of language.
export async function loadArea(area: Area): Promise<void> {
  if (wanted.has(area)) return;
  const code = language.get();
  const part = await catalogueOf(areas[area][code]());
  if (code !== language.get()) return loadArea(area); // changed meanwhile
  wanted.add(area);
  catalogue = { ...catalogue, ...part };
}

export async function setLanguage(code: Language): Promise<void> {
  const parts = [load[code](), ...[...wanted].map((area) => areas[area][code]())];
  catalogue = Object.assign({}, ...(await Promise.all(parts.map(catalogueOf)))) as Catalogue;
  plurals = null;
  numbers = null;
  document.documentElement.lang = code;
  local.set("language", code);
  // The server's own pages (log-in without scripts, legal texts) read the cookie.
  document.cookie = `lang=${code}; Path=/; Max-Age=31536000; SameSite=Lax`;
  language.set(code);
}

function textOf(key: Key, params?: Params): string {
  const text = catalogue[key];
  if (typeof text === "string") return text;
  if (text === undefined) return key;
  plurals ??= new Intl.PluralRules(language.get());
  return text[plurals.select(Number(params?.n ?? 0))] ?? text.other ?? text.many ?? key;
}

const PLACE = /\{(\w+)\}/g;

export function t(key: Key, params?: Params): string {
  return textOf(key, params).replace(PLACE, (whole, name: string) => {
    const value = params?.[name];
    return value === undefined ? whole : typeof value === "number" ? number(value) : value;
  });
}

// The same with elements (a link, a name in bold) in the places.
export function tx(key: Key, parts: Record<string, ComponentChild>): ComponentChild[] {
  return textOf(key).split(PLACE).map((piece, i) => (i % 2 === 0 ? piece : parts[piece]));
}

// Whether the catalogue knows this key: for codes that come from the server.
export const known = (key: string): key is Key => key in catalogue;

// A formatter is dear to make; what has no groups and no fraction needs none in our languages.
let numbers: Intl.NumberFormat | null = null;
export function number(value: number): string {
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  return (numbers ??= new Intl.NumberFormat(language.get())).format(value);
}

// Per cent as each language writes it: 68.9% in English, with a space that does not break in the others.
export function percent(value: number): string {
  const format = new Intl.NumberFormat(language.get(), { style: "percent", maximumFractionDigits: 1 });
  return format.format(value / 100);
}

const locale = (): string => (language.get() === "en" ? "en-GB" : language.get());

export function date(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { day: "numeric", month: "long", year: "numeric" }).format(ms);
}
export function dateTime(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(ms);
}
// With the zone, for tooltips.
export function dateTimeZone(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "full", timeStyle: "long" }).format(ms);
}
export function weekdayDate(ms: number): string {
  return new Intl.DateTimeFormat(locale(), {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  }).format(ms);
}

// "2 minutes ago", in the largest unit that fits.
export function age(ms: number): string {
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto", style: "short" });
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return t("time.just_now");
  if (minutes < 60) return format.format(-minutes, "minute");
  if (minutes < 24 * 60) return format.format(-Math.floor(minutes / 60), "hour");
  return format.format(-Math.floor(minutes / (24 * 60)), "day");
}
