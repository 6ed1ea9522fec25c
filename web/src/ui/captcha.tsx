// SPDX-License-Identifier: GPL-3.0-or-later
//
// Showing that one is a person: pictures of pieces to choose from, or for those who do not see them a
// code by letter, or a question in words. A right answer gives a pass, which the form sends along.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadSite, site } from "../app/site";
import { useStore } from "../app/store";
import { language, t, type Key } from "../i18n";
import { api, ApiError } from "../net/api";
import type { Captcha, CaptchaWay } from "../net/types";
import { errorText } from "./errors";
import { Field } from "./field";

interface CaptchaProps {
  onPass: (pass: string | null) => void;
  // Grows when the form's pass was spent or is no longer good: something new is asked.
  round?: number;
  error?: string | undefined;
}

export function CaptchaBox({ onPass, round = 0, error }: CaptchaProps): JSX.Element | null {
  const info = useStore(site);
  const [task, setTask] = useState<Captcha | null>(null);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [text, setText] = useState("");
  const [email, setEmail] = useState("");
  const [asking, setAsking] = useState(false);
  const [passed, setPassed] = useState(false);
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);

  const show = (next: Captcha | null): void => {
    setTask(next);
    setChosen([]);
    setText("");
  };
  const ask = async (way: CaptchaWay, more: { email?: string; instead_of?: string } = {}): Promise<void> => {
    setBusy(true);
    try {
      show(await api.captcha({ way, language: language.get(), ...more }));
      setAsking(false);
    } catch (e) {
      setFault(errorText(e));
    }
    setBusy(false);
  };
  useEffect(() => void loadSite(), []);
  useEffect(() => {
    setPassed(false);
    onPass(null);
    if (info && info.captcha !== "off") void ask(info.captcha);
  }, [info, round]);
  if (!info || info.captcha === "off") return null;

  const answer = async (): Promise<void> => {
    if (!task || busy) return;
    setBusy(true);
    setFault(undefined);
    try {
      const { pass, next } = await api.answerCaptcha(task.id, task.way === "pictures" ? { cells: [...chosen] } : { text });
      show(next);
      if (pass) {
        setPassed(true);
        onPass(pass);
      }
    } catch (e) {
      setFault(errorText(e));
      const over = e instanceof ApiError && e.code === "captcha_locked";
      if (over) show(null);
      else if (task.way === "code") setText("");
      else await ask(task.way);
    }
    setBusy(false);
  };
  const toggle = (cell: number): void =>
    setChosen(chosen.includes(cell) ? chosen.filter((other) => other !== cell) : [...chosen, cell]);
  const other = (): void => {
    setFault(undefined);
    if (task) void ask(task.way, { instead_of: task.id });
    else void ask(info.captcha as CaptchaWay);
  };
  const inWords = (): void => {
    setFault(undefined);
    if (info.mail) setAsking(true);
    else void ask("question");
  };
  const onEnter = (event: KeyboardEvent, act: () => void): void => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // not the form around it
    act();
  };

  if (passed) return <p class="captcha-passed" role="status" data-testid="captcha-passed">✓ {t("entry.captcha_passed")}</p>;
  return (
    <fieldset class={error || fault ? "captcha bad" : "captcha"} data-testid="captcha">
      <legend>{t("entry.captcha_legend")}</legend>
      {asking ? (
        <div onKeyDown={(e) => onEnter(e, () => void ask("code", { email: email.trim() }))}>
          <Field name="captcha_email" type="email" label={t("entry.captcha_email")} hint={t("entry.captcha_email_hint")}
            value={email} onValue={setEmail} autocomplete="email" />
          <p class="buttons">
            <button type="button" disabled={busy} onClick={() => void ask("code", { email: email.trim() })}>{t("entry.captcha_send")}</button>
            <button type="button" class="plain" onClick={() => setAsking(false)}>{t("common.cancel")}</button>
          </p>
        </div>
      ) : task?.way === "pictures" ? (
        <Pictures task={task} chosen={chosen} toggle={toggle} />
      ) : task ? (
        <div onKeyDown={(e) => onEnter(e, () => void answer())}>
          <Field name="captcha_text" label={task.way === "code" ? t("entry.captcha_code") : task.question!} value={text}
            onValue={setText} />
        </div>
      ) : null}
      <p class="error" role="alert" data-testid="captcha-error">{fault ?? error}</p>
      {!asking && (
        <p class="buttons">
          {task && (
            <button type="button" data-testid="captcha-check" disabled={busy} onClick={() => void answer()}>
              {t("entry.captcha_check")}
            </button>
          )}
          <button type="button" class="plain sign" title={t("entry.captcha_other")} aria-label={t("entry.captcha_other")}
            data-testid="captcha-other" disabled={busy} onClick={other}>
            ↻
          </button>
          {task?.way === "pictures" && (
            <button type="button" class="plain link" data-testid="captcha-words" onClick={inWords}>{t("entry.captcha_words")}</button>
          )}
        </p>
      )}
    </fieldset>
  );
}

const TASKS = {
  pawn: "entry.captcha_pawn",
  knight: "entry.captcha_knight",
  bishop: "entry.captcha_bishop",
  rook: "entry.captcha_rook",
  queen: "entry.captcha_queen",
  king: "entry.captcha_king",
} as const satisfies Record<string, Key>;

function Pictures({ task, chosen, toggle }: { task: Captcha; chosen: readonly number[]; toggle: (cell: number) => void }): JSX.Element {
  const side = task.side!;
  return (
    <>
      <p id="captcha-task">
        {t(TASKS[task.piece!])}
        {task.grids === 2 && ` (${task.grid}/2)`}
      </p>
      <div class={`captcha-grid side-${side}`} role="group" aria-labelledby="captcha-task">
        <img src={task.picture} alt="" width={side * 96 + 4} height={side * 96 + 4} />
        <div class="captcha-cells">
          {Array.from({ length: side * side }, (_, cell) => (
            <button type="button" key={`${task.id}${cell}`} aria-pressed={chosen.includes(cell)} onClick={() => toggle(cell)}
              aria-label={t("entry.captcha_cell", { row: Math.floor(cell / side) + 1, column: (cell % side) + 1 })} />
          ))}
        </div>
      </div>
    </>
  );
}
