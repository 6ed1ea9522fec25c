// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the pages about ratings have in common: the title and the way from one to the other.
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { place } from "../app/router";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { t, type Key } from "../i18n";
import { LISTS } from "./api";

const ARTICLES: readonly { path: string; key: Key }[] = [
  { path: "/ratings/rules", key: "ratings.rules" },
  { path: "/ratings/table", key: "ratings.table" },
  { path: "/ratings/classes", key: "ratings.classes" },
];

export function RatingsFrame({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  const { path } = useStore(place);
  useEffect(() => setTitle(title), [title]);
  const link = (to: string, text: string): JSX.Element => (
    <li key={to}>
      <a href={to} aria-current={path === to ? "page" : undefined}>
        {text}
      </a>
    </li>
  );
  return (
    <section class="sheet ratings">
      <nav aria-label={t("ratings.pages")} class="tabs">
        <ul>
          {LISTS.map((list) => link(`/ratings/${list}`, t(`list.${list}`)))}
          {ARTICLES.map(({ path: to, key }) => link(to, t(key)))}
        </ul>
      </nav>
      <h1>{title}</h1>
      {children}
    </section>
  );
}
