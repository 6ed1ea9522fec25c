// SPDX-License-Identifier: GPL-3.0-or-later
//
// /learn: what there is to learn, and how far one has come.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { language, t } from "../i18n";
import { loadLessons, loadProblems, type Lesson } from "./data";
import { progress } from "./progress";

export function LearnPage(): JSX.Element {
  const lang = useStore(language);
  const { lessons: done, problems: solved, best } = useStore(progress);
  const [lessons, setLessons] = useState<Lesson[] | null>(null);
  const [problems, setProblems] = useState(0);
  const [failed, setFailed] = useState(false);
  useEffect(() => setTitle(t("learn.title")), [lang]);
  useEffect(() => {
    loadLessons(lang).then(setLessons, () => setFailed(true));
    loadProblems().then((list) => setProblems(list.length), () => {});
  }, [lang]);
  const points = Object.values(solved).filter((n) => n > 0).length;
  return (
    <section class="sheet learn-index">
      <h1>{t("learn.title")}</h1>
      <p>{t("learn.lead")}</p>
      <ul class="learn-doors">
        <li>
          <a href="/learn/problems" data-testid="to-problems">
            <b>{t("learn.problems")}</b>
            <span>{t("learn.problems_lead", { n: problems })}</span>
            {points > 0 && <span class="quiet small">{t("learn.solved", { n: points, best })}</span>}
          </a>
        </li>
        <li>
          <a href="/learn/openings" data-testid="to-openings">
            <b>{t("learn.openings")}</b>
            <span>{t("learn.openings_lead")}</span>
          </a>
        </li>
        <li>
          <a href="/learn/coordinates" data-testid="to-coordinates">
            <b>{t("learn.coordinates")}</b>
            <span>{t("learn.coordinates_lead")}</span>
          </a>
        </li>
      </ul>
      <h2>{t("learn.lessons")}</h2>
      {failed && <p class="error">{t("learn.failed")}</p>}
      <ol class="learn-lessons">
        {lessons?.map((lesson) => {
          const count = done[lesson.slug] ?? 0;
          const all = lesson.steps.length;
          return (
            <li key={lesson.slug}>
              <a href={`/learn/${lesson.slug}`} data-testid={`lesson-${lesson.slug}`}>
                <b>{lesson.title}</b>
                <span>{lesson.lead}</span>
                <span class="quiet small">
                  {count >= all ? `✓ ${t("learn.finished")}` : count > 0 ? t("learn.steps_of", { n: count, all }) : t("learn.steps_count", { n: all })}
                </span>
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
