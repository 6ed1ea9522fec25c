// SPDX-License-Identifier: GPL-3.0-or-later
//
// The questions before a move (L-052), answered for one move: what does it attack, what does it leave,
// is the king safe, can the opponent answer with gain. The fifth, whether there is a better move, is
// for an engine, and asked by whoever shows this.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadTutor, type Fact, type MoveFacts } from "../core/tutor";
import type { WriteMove } from "../game/write";
import { t } from "../i18n";
import { factText } from "./words";

const QUESTIONS = ["attacked", "left", "king", "answer"] as const;

// What a move does to the question "attacked": the plain list only where nothing more telling is said.
function answersTo(facts: readonly Fact[], question: (typeof QUESTIONS)[number]): Fact[] {
  const found = facts.filter((fact) => fact.question === question);
  const telling = found.filter((fact) => fact.id !== "attacks");
  return telling.length > 0 ? telling : found;
}

// The facts of a move, once they are there.
export function useFacts(fen: string, uci: string | null): MoveFacts | null {
  const [found, setFound] = useState<{ key: string; facts: MoveFacts } | null>(null);
  const key = `${fen} ${uci}`;
  useEffect(() => {
    if (uci === null) return;
    let gone = false;
    loadTutor().then(
      (tutor) => gone || setFound({ key, facts: tutor.move(fen, uci) }),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [key]);
  return uci !== null && found?.key === key ? found.facts : null;
}

export function FactLine({ fact, write }: { fact: Fact; write: WriteMove }): JSX.Element {
  const costs = !fact.good && fact.id !== "checks_left";
  return (
    <span class={costs ? "fact bad" : "fact"} data-fact={fact.id}>
      {costs && (
        <b aria-hidden="true">
          ⚠{" "}
        </b>
      )}
      {factText(fact, write)}
    </span>
  );
}

interface Props {
  facts: MoveFacts;
  write: WriteMove;
  over?: boolean; // nobody can answer: what the move did is all there is to say
}

export function BeforeMove({ facts, write, over = false }: Props): JSX.Element {
  return (
    <dl class="before" data-testid="before-move">
      {(over ? QUESTIONS.slice(0, 1) : QUESTIONS).map((question) => {
        const answers = answersTo(facts.facts, question);
        return (
          <div key={question} data-question={question}>
            <dt>{t(`hints.ask.${question}`)}</dt>
            <dd>
              {answers.length === 0
                ? t(`hints.none.${question}`)
                : answers.map((fact, i) => (
                    <span key={i}>
                      <FactLine fact={fact} write={write} />{" "}
                    </span>
                  ))}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
