// SPDX-License-Identifier: GPL-3.0-or-later
//
// FEN and PGN in and out, and the link to what is on the board.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useStore } from "../app/store";
import { CoreError } from "../core/core";
import { t } from "../i18n";
import { fenWords, pgnWords } from "./faults";
import { linkOf } from "./share";
import type { Study } from "./study";
import { fullMoves } from "./tree";

const FILE_MAX = 512 * 1024 - 16; // bytes of PGN that the module takes

function whyNot(e: unknown): string {
  if (e instanceof CoreError) {
    const { code } = e.fault;
    if (code === "no_game") return t("analysis.pgn_none");
    if (code === "bad_fen") return t("analysis.bad_fen", { why: fenWords(e.fault) });
    if (code === "too_long" || code === "too_large") return t("analysis.pgn_too_large");
  }
  return t("analysis.pgn_bad", { why: e instanceof Error ? e.message : "" });
}

export function TakeAlong({ study, onMessage }: { study: Study; onMessage: (text: string) => void }): JSX.Element {
  const { at, tree, changed, problems, games } = useStore(study.state);
  const [text, setText] = useState("");
  const [source, setSource] = useState(""); // the PGN of several games that was opened
  const [error, setError] = useState<string>();
  const [copied, setCopied] = useState("");

  const copy = async (what: string, value: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(what);
      onMessage(t("common.copied"));
    } catch {
      setText(value);
    }
  };
  useEffect(() => setCopied(""), [at, changed]);

  const open = (pgn: string, n: number): void => {
    setError(undefined);
    study.forgetProblems();
    try {
      if (new TextEncoder().encode(pgn).length > FILE_MAX) return setError(t("analysis.pgn_too_large"));
      // A position alone is as welcome as a game.
      if (n === 1 && /^[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}\s+[wb]\b/.test(pgn.trim())) study.openFen(pgn);
      else study.openPgn(pgn, n);
      setSource(pgn);
      const opened = study.state.get();
      onMessage(t("analysis.opened", { n: fullMoves(opened.tree) }));
    } catch (e) {
      setError(whyNot(e));
    }
  };
  const file = async (e: Event): Promise<void> => {
    const input = e.currentTarget as HTMLInputElement;
    const chosen = input.files?.[0];
    input.value = "";
    if (!chosen) return;
    if (chosen.size > FILE_MAX) return setError(t("analysis.pgn_too_large"));
    const pgn = await chosen.text();
    setText(pgn);
    open(pgn, 1);
  };
  const share = async (): Promise<void> => {
    const link = await linkOf(study.writePgn());
    if (link === null) return setError(t("analysis.link_too_long"));
    setError(undefined);
    await copy("link", link);
    setText(link);
  };
  return (
    <section class="take" aria-labelledby="take-title">
      <h2 id="take-title">{t("analysis.take")}</h2>
      <p class="copy-row">
        <input id="fen" readOnly value={at.fen} aria-label="FEN" data-testid="fen" />
        <button data-testid="copy-fen" onClick={() => void copy("fen", at.fen)}>
          {t(copied === "fen" ? "common.copied" : "common.copy")}
        </button>
      </p>
      <p class="field">
        <label for="pgn">{t("analysis.pgn")}</label>
        <textarea
          id="pgn"
          rows={5}
          value={text}
          spellcheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby="pgn-error"
          onInput={(e) => {
            setText(e.currentTarget.value);
            setError(undefined);
          }}
        />
      </p>
      <p id="pgn-error" role="alert" class={error ? "error" : ""} data-testid="pgn-error">
        {error}
      </p>
      {games > 1 && (
        <p>
          <label>
            {t("analysis.game_of", { n: games })}{" "}
            <input
              type="number"
              min="1"
              max={games}
              defaultValue="1"
              data-testid="game-number"
              onChange={(e) => open(source, Math.min(games, Math.max(1, Number(e.currentTarget.value) || 1)))}
            />
          </label>
        </p>
      )}
      {problems.length > 0 && (
        <ul class="problems" role="status" data-testid="problems">
          {problems.map((p, i) => (
            <li key={i}>{t("analysis.problem", { line: p.line, column: p.column, why: pgnWords(p) })}</li>
          ))}
        </ul>
      )}
      <p class="buttons">
        <button data-testid="pgn-open" disabled={text.trim() === ""} onClick={() => open(text, 1)}>
          {t("analysis.open")}
        </button>
        <label class="button">
          {t("analysis.file")}
          <input type="file" class="unseen" accept=".pgn,.txt,text/plain,application/x-chess-pgn" onChange={(e) => void file(e)} />
        </label>
        <button
          data-testid="pgn-write"
          onClick={() => {
            const pgn = study.writePgn();
            setText(pgn);
            void copy("pgn", pgn);
          }}
        >
          {t(copied === "pgn" ? "common.copied" : "analysis.pgn_write")}
        </button>
        <button data-testid="share" onClick={() => void share()}>
          {t(copied === "link" ? "common.copied" : "analysis.share")}
        </button>
      </p>
      {tree.tags.some(([name]) => name === "White") && (
        <p class="quiet small" data-testid="tags">
          {tree.tags.filter(([, v]) => v && !/^[?.]+$/.test(v)).map(([n, v]) => `${n}: ${v}`).join(" · ")}
        </p>
      )}
    </section>
  );
}
