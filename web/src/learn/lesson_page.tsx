// SPDX-License-Identifier: GPL-3.0-or-later
//
// A lesson, step by step (L-040 to L-062).
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import type { BoardCore } from "../core/core";
import { loadBoard } from "../core/load";
import { language, t } from "../i18n";
import { NotFoundPage } from "../pages/not_found";
import { loadLessonCore, loadLessons, type Lesson, type LessonCore } from "./data";
import { progress, stepDone } from "./progress";
import { StepView } from "./steps";

interface Loaded {
  core: BoardCore;
  facts: LessonCore;
  lessons: Lesson[];
}

export function LessonPage({ slug }: { slug: string }): JSX.Element {
  const lang = useStore(language);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let current = true;
    Promise.all([loadBoard(), loadLessonCore(), loadLessons(lang)]).then(
      ([core, facts, lessons]) => current && setLoaded({ core, facts, lessons }),
      () => current && setFailed(true),
    );
    return () => {
      current = false;
    };
  }, [lang]);
  if (failed) return <p class="sheet error">{t("learn.failed")}</p>;
  if (!loaded) return <p class="loading">{t("common.loading")}</p>;
  const index = loaded.lessons.findIndex((lesson) => lesson.slug === slug);
  const lesson = loaded.lessons[index];
  if (!lesson) return <NotFoundPage />;
  return <LessonView key={slug} lesson={lesson} next={loaded.lessons[index + 1]} core={loaded.core} facts={loaded.facts} />;
}

function LessonView({ lesson, next, core, facts }: { lesson: Lesson; next: Lesson | undefined; core: BoardCore; facts: LessonCore }): JSX.Element {
  const { lessons } = useStore(progress);
  const count = lesson.steps.length;
  const before = lessons[lesson.slug] ?? 0;
  const [at, setAt] = useState(before < count ? before : 0);
  const top = useRef<HTMLHeadingElement>(null);
  useEffect(() => setTitle(lesson.title), [lesson]);
  const step = lesson.steps[at]!;
  const go = (to: number): void => {
    setAt(to);
    top.current?.focus();
    window.scrollTo(0, 0);
  };
  const footer =
    at + 1 < count ? (
      <p class="learn-next">
        <button class="primary" data-testid="next-step" onClick={() => go(at + 1)}>
          {t("learn.next_step")}
        </button>
      </p>
    ) : (
      <p class="learn-next" data-testid="lesson-done">
        <b>{t("learn.lesson_done")}</b>{" "}
        {next && (
          <a class="button primary" href={`/learn/${next.slug}`}>
            {t("learn.next_lesson", { title: next.title })}
          </a>
        )}{" "}
        <a class="button" href="/learn">
          {t("learn.all")}
        </a>
      </p>
    );
  return (
    <div class="learn" data-lesson={lesson.id}>
      <p class="learn-crumb">
        <a href="/learn">{t("learn.title")}</a>
      </p>
      <h1 ref={top} tabIndex={-1}>
        {lesson.title}
      </h1>
      <nav class="learn-steps" aria-label={t("learn.steps")}>
        <ol>
          {lesson.steps.map((_, i) => (
            <li key={i}>
              <button
                type="button"
                class={i < before ? "done" : ""}
                aria-current={i === at ? "step" : undefined}
                aria-label={t(i < before ? "learn.step_done" : "learn.step", { n: i + 1, all: count })}
                data-testid={`step-${i + 1}`}
                onClick={() => go(i)}
              >
                {i < before ? "✓" : i + 1}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <div class="learn-desk">
        <StepView key={at} slug={lesson.slug} step={step} core={core} facts={facts} onDone={() => stepDone(lesson.slug, at + 1)} footer={footer} />
      </div>
    </div>
  );
}
