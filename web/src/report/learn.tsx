// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Learn from your mistakes": each stands on the board once more, and a better move is to be found.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Study } from "../analysis/study";
import { useStore } from "../app/store";
import type { Tutor } from "../core/tutor";
import type { WriteMove } from "../game/write";
import { t } from "../i18n";
import { FactLine } from "../tutor/before";
import { say } from "../ui/say";
import { judge, type Look } from "./judge";
import type { JudgedNode } from "./panel";

interface Props {
  study: Study;
  write: WriteMove;
  tutor: Tutor;
  faults: readonly JudgedNode[];
  look: (fen: string) => Promise<Look>;
  onEnd: () => void;
}

type Answer = "judging" | "right" | "good" | "wrong" | "shown";

// A move that loses no more than this of the chances to win is as good as the engine's.
const ENOUGH = 5;

export function Learn({ study, write, tutor, faults, look, onEnd }: Props): JSX.Element {
  const { at } = useStore(study.state);
  const [index, setIndex] = useState(0);
  const [answer, setAnswer] = useState<{ kind: Answer; text: string } | null>(null);
  const fault = faults[index];

  useEffect(() => {
    setAnswer(null);
    if (fault) study.go(fault.node.parent!);
  }, [index]);

  const settle = (kind: Answer, text: string): void => {
    setAnswer({ kind, text });
    if (kind !== "judging") say(text);
  };

  // A move was made on the board from the position of the mistake.
  const tried = fault && at.parent === fault.node.parent && at.uci !== fault.node.uci ? at : null;
  useEffect(() => {
    if (!tried || !fault || answer?.kind === "right" || answer?.kind === "good" || answer?.kind === "shown") return;
    const move = write(tried);
    if (tried.uci === fault.best[0]) return settle("right", t("report.right", { move }));
    let gone = false;
    settle("judging", t("report.judging", { move }));
    const before = { score: fault.score, pv: fault.best };
    look(tried.fen).then(
      (after) => {
        if (gone) return;
        const judged = judge(fault.color, tried.uci, before, after);
        const good = judged.before - judged.after < ENOUGH && judged.missedMate === null;
        settle(good ? "good" : "wrong", t(good ? "report.also_good" : "report.wrong", { move }));
      },
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [tried]);

  if (!fault)
    return (
      <div class="learn" data-testid="learn">
        <p role="status">{t("report.done")}</p>
        <p class="buttons">
          <button class="primary" data-testid="learn-end" onClick={onEnd}>
            {t("report.finish")}
          </button>
        </p>
      </div>
    );

  const again = (): void => {
    if (tried && tried.children.length === 0) study.remove();
    study.go(fault.node.parent!);
    setAnswer(null);
  };
  const show = (): void => {
    settle("shown", t("report.was", { move: write(study.core.move(fault.node.parent!.fen, fault.best[0]!)) }));
    study.go(fault.node.parent!);
    study.play(fault.best[0]!);
  };
  const solved = answer?.kind === "right" || answer?.kind === "good" || answer?.kind === "shown";
  const reason = solved && fault.best[0] ? tutor.move(fault.node.parent!.fen, fault.best[0], fault.best).reason : null;
  return (
    <div class="learn" data-testid="learn">
      <h3>{t("report.learn", { n: index + 1, of: faults.length })}</h3>
      <p>{t(`report.find_${fault.color}`, { move: write(fault.node) })}</p>
      <p role="status" data-testid="learn-answer" data-answer={answer?.kind}>
        {answer && <b>{answer.text}</b>}{" "}
        {reason && answer?.kind !== "good" && <FactLine fact={reason} write={write} />}
      </p>
      <p class="buttons">
        {answer?.kind === "wrong" && (
          <button class="primary" data-testid="learn-again" onClick={again}>
            {t("report.again")}
          </button>
        )}
        {!solved && fault.best[0] && (
          <button data-testid="learn-show" onClick={show}>
            {t("report.show")}
          </button>
        )}
        <button class={solved ? "primary" : ""} data-testid="learn-next" onClick={() => setIndex(index + 1)}>
          {t("report.next")}
        </button>
        <button class="plain" data-testid="learn-end" onClick={onEnd}>
          {t("report.finish")}
        </button>
      </p>
    </div>
  );
}
