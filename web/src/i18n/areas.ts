// SPDX-License-Identifier: GPL-3.0-or-later
//
// The catalogues of single areas of the site. An area is a name, three files
// areas/NAME.{en,ru,ro}.json and a row here; a page that needs it says so in app/pages.tsx.
import type { Language } from "../net/types";
import type account from "./areas/account.en.json";
import type analysis from "./areas/analysis.en.json";
import type clock from "./areas/clock.en.json";
import type computer from "./areas/computer.en.json";
import type entry from "./areas/entry.en.json";
import type learn from "./areas/learn.en.json";
import type localGame from "./areas/local.en.json";
import type mate from "./areas/mate.en.json";
import type slow from "./areas/slow.en.json";
import type archive from "./areas/archive.en.json";
import type oidc from "./areas/oidc.en.json";
import type laws_page from "./areas/laws_page.en.json";
import type notices from "./areas/notices.en.json";
import type people from "./areas/people.en.json";
import type ratings from "./areas/ratings.en.json";
import type rematch from "./areas/rematch.en.json";
import type hints from "./areas/hints.en.json";
import type report from "./areas/report.en.json";
import type tutor from "./areas/tutor.en.json";
import type ruling from "./areas/ruling.en.json";
import type settings from "./areas/settings.en.json";

type Load = Record<Language, () => Promise<{ default: unknown }>>;

export const areas = {
  account: {
    en: () => import("./areas/account.en.json"),
    ru: () => import("./areas/account.ru.json"),
    ro: () => import("./areas/account.ro.json"),
  },
  analysis: {
    en: () => import("./areas/analysis.en.json"),
    ru: () => import("./areas/analysis.ru.json"),
    ro: () => import("./areas/analysis.ro.json"),
  },
  clock: {
    en: () => import("./areas/clock.en.json"),
    ru: () => import("./areas/clock.ru.json"),
    ro: () => import("./areas/clock.ro.json"),
  },
  local: {
    en: () => import("./areas/local.en.json"),
    ru: () => import("./areas/local.ru.json"),
    ro: () => import("./areas/local.ro.json"),
  },
  computer: {
    en: () => import("./areas/computer.en.json"),
    ru: () => import("./areas/computer.ru.json"),
    ro: () => import("./areas/computer.ro.json"),
  },
  entry: {
    en: () => import("./areas/entry.en.json"),
    ru: () => import("./areas/entry.ru.json"),
    ro: () => import("./areas/entry.ro.json"),
  },
  learn: {
    en: () => import("./areas/learn.en.json"),
    ru: () => import("./areas/learn.ru.json"),
    ro: () => import("./areas/learn.ro.json"),
  },
  mate: {
    en: () => import("./areas/mate.en.json"),
    ru: () => import("./areas/mate.ru.json"),
    ro: () => import("./areas/mate.ro.json"),
  },
  slow: {
    en: () => import("./areas/slow.en.json"),
    ru: () => import("./areas/slow.ru.json"),
    ro: () => import("./areas/slow.ro.json"),
  },
  oidc: {
    en: () => import("./areas/oidc.en.json"),
    ru: () => import("./areas/oidc.ru.json"),
    ro: () => import("./areas/oidc.ro.json"),
  },
  laws_page: {
    en: () => import("./areas/laws_page.en.json"),
    ru: () => import("./areas/laws_page.ru.json"),
    ro: () => import("./areas/laws_page.ro.json"),
  },
  notices: {
    en: () => import("./areas/notices.en.json"),
    ru: () => import("./areas/notices.ru.json"),
    ro: () => import("./areas/notices.ro.json"),
  },
  people: {
    en: () => import("./areas/people.en.json"),
    ru: () => import("./areas/people.ru.json"),
    ro: () => import("./areas/people.ro.json"),
  },
  archive: {
    en: () => import("./areas/archive.en.json"),
    ru: () => import("./areas/archive.ru.json"),
    ro: () => import("./areas/archive.ro.json"),
  },
  ratings: {
    en: () => import("./areas/ratings.en.json"),
    ru: () => import("./areas/ratings.ru.json"),
    ro: () => import("./areas/ratings.ro.json"),
  },
  rematch: {
    en: () => import("./areas/rematch.en.json"),
    ru: () => import("./areas/rematch.ru.json"),
    ro: () => import("./areas/rematch.ro.json"),
  },
  hints: {
    en: () => import("./areas/hints.en.json"),
    ru: () => import("./areas/hints.ru.json"),
    ro: () => import("./areas/hints.ro.json"),
  },
  report: {
    en: () => import("./areas/report.en.json"),
    ru: () => import("./areas/report.ru.json"),
    ro: () => import("./areas/report.ro.json"),
  },
  tutor: {
    en: () => import("./areas/tutor.en.json"),
    ru: () => import("./areas/tutor.ru.json"),
    ro: () => import("./areas/tutor.ro.json"),
  },
  ruling: {
    en: () => import("./areas/ruling.en.json"),
    ru: () => import("./areas/ruling.ru.json"),
    ro: () => import("./areas/ruling.ro.json"),
  },
  settings: {
    en: () => import("./areas/settings.en.json"),
    ru: () => import("./areas/settings.ru.json"),
    ro: () => import("./areas/settings.ro.json"),
  },
} satisfies Record<string, Load>;

export type Area = keyof typeof areas;
export type AreaKey =
  | keyof typeof account
  | keyof typeof analysis
  | keyof typeof archive
  | keyof typeof clock
  | keyof typeof computer
  | keyof typeof entry
  | keyof typeof learn
  | keyof typeof localGame
  | keyof typeof mate
  | keyof typeof oidc
  | keyof typeof laws_page
  | keyof typeof notices
  | keyof typeof people
  | keyof typeof ratings
  | keyof typeof rematch
  | keyof typeof ruling
  | keyof typeof settings
  | keyof typeof hints
  | keyof typeof report
  | keyof typeof tutor
  | keyof typeof slow;
