// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who can still mate from here by any series of legal moves (Articles 5.2.2, 6.9), and how one
// knows: a line that mates, to be played on the board, or the kind of proof that there is none.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useStore } from "../app/store";
import type { DeadAnswer, MateAnswer } from "../core/core";
import { dead, stopDead } from "../core/dead";
import { t } from "../i18n";
import type { Color } from "../net/types";
import type { Study } from "./study";

export function DeadPanel({ study }: { study: Study }): JSX.Element {
  const { at } = useStore(study.state);
  const [answer, setAnswer] = useState<DeadAnswer | "asked" | "failed" | null>(null);
  useEffect(() => {
    setAnswer(null);
    return () => stopDead();
  }, [at]);
  const ask = async (): Promise<void> => {
    const { fen } = at;
    setAnswer("asked");
    try {
      const found = await dead(fen);
      if (study.state.get().at.fen === fen) setAnswer(found);
    } catch {
      setAnswer((now) => (now === "asked" ? "failed" : now));
    }
  };
  const found = answer !== null && typeof answer === "object" ? answer : null;
  return (
    <section class="dead" aria-labelledby="dead-title" data-testid="dead">
      <h2 id="dead-title">{t("analysis.dead")}</h2>
      <p>
        <button data-testid="dead-ask" disabled={answer === "asked"} onClick={() => void ask()}>
          {t("analysis.dead_ask")}
        </button>{" "}
        {answer === "asked" && (
          <button class="plain" onClick={() => setAnswer(null)}>
            {t("common.cancel")}
          </button>
        )}
      </p>
      <div role="status" data-testid="dead-answer">
        {answer === "asked" && <p class="quiet">{t("analysis.dead_asked")}</p>}
        {answer === "failed" && <p class="error">{t("analysis.dead_failed")}</p>}
        {found && (
          <>
            <p>
              <b>
                {t(found.dead === null ? "analysis.dead_unknown" : found.dead ? "analysis.dead_yes" : "analysis.dead_no")}
              </b>
            </p>
            <ul>
              {(["white", "black"] as const).map((color) => (
                <Side key={color} study={study} color={color} found={found[color]} />
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}

function Side({ study, color, found }: { study: Study; color: Color; found: MateAnswer }): JSX.Element {
  return (
    <li data-testid={`dead-${color}`}>
      {t(`color.${color}`)}: {t(`analysis.can_mate.${found.verdict}`)}
      {found.proof !== "none" && ` ${t(`analysis.proof.${found.proof}`, { n: found.line.length })}`}
      {found.line.length > 0 && (
        <>
          {" "}
          <button
            class="plain link"
            data-testid={`dead-line-${color}`}
            onClick={() => study.addLine(found.line, t("analysis.helpmate", { color: t(`color.${color}`) }))}
          >
            {t("analysis.show_line")}
          </button>
        </>
      )}
    </li>
  );
}
