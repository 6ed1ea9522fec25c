// SPDX-License-Identifier: GPL-3.0-or-later
//
// A new game on this machine: who plays whom, with which colour, on what clock, from which position
// (L-002 to L-004, L-025).
import { read } from "@lichess-org/chessground/fen";
import type { Key as Square } from "@lichess-org/chessground/types";
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { fenWords } from "../analysis/faults";
import { Setup } from "../analysis/setup";
import { START_FEN } from "../analysis/tree";
import { Man } from "../board/promotion";
import { CoreError } from "../core/core";
import { other } from "../game/clock";
import { number, t, type Key } from "../i18n";
import type { Color } from "../net/types";
import { Check, Field, FormError } from "../ui/field";
import type { LocalCore } from "./core";
import { keepNewGame, lastNewGame, type NewGame } from "./prefs";
import type { Table } from "./table";

const FEN_BOARD = /^[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}(\s|$)/;
const EDITIONS = ["fide-2023", "fide-2014", "fide-2009", "fide-2005", "fide-1997"] as const;
const MINUTES = [1, 5, 10, 15, 30, 60] as const;
const COLORS = ["white", "random", "black", "alternate"] as const;
const SIDES = ["white", "black"] as const;

const whole = (text: string, most: number): boolean => /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most;

// The fields that are out of range: the form is not sent with them (L-003).
function faults(g: NewGame): Set<string> {
  const bad = new Set<string>();
  const sides = g.unequal ? SIDES : (["white"] as const);
  if (g.clock === "total") {
    for (const side of sides) if (!whole(g.minutes[side], 600)) bad.add(`minutes-${side}`);
    if (g.kind !== "plain" && !whole(g.extra, 60)) bad.add("extra");
  }
  if (g.clock === "move") for (const side of sides) if (!whole(g.seconds[side], 3600)) bad.add(`seconds-${side}`);
  return bad;
}

function ownColor(g: NewGame): Color {
  if (g.color === "random") return Math.random() < 0.5 ? "white" : "black";
  if (g.color === "alternate") return other(g.lastColor);
  return g.color;
}

// The lines of the core's "new".
function linesOf(g: NewGame, mine: Color): string[] {
  const lines: string[] = [`edition ${g.edition}`];
  if (g.fen.trim()) lines.push(`fen ${g.fen.trim()}`);
  if (g.opponents === "computer") lines.push(`${other(mine)}-level ${g.level}`);
  if (g.opponents === "computers") lines.push(`white-level ${g.level}`, `black-level ${g.level2}`);
  for (const side of SIDES) {
    const from = g.unequal ? side : "white";
    const isPerson = g.opponents === "human" || (g.opponents === "computer" && side === mine);
    const name = g.names[side].replace(/[\r\n]/g, " ").trim();
    if (name && isPerson) lines.push(`${side}-name ${name}`);
    if (g.clock === "total") lines.push(`${side}-minutes ${g.minutes[from].trim()}`);
    if (g.clock === "move") lines.push(`${side}-move ${g.seconds[from].trim()}`);
  }
  if (g.clock === "total" && g.kind !== "plain") lines.push(`${g.kind} ${g.extra.trim()}`);
  if (g.clock !== "none" && g.noUndo) lines.push("no-undo 1");
  return lines;
}

// Why no game begins from a position: in the reader's language (L-025).
const fenFault = ({ fault }: CoreError): string =>
  fault.code === "bad_setup" ? t("local.fen.no_game") : fenWords(fault);

interface ChipsProps<T extends string> {
  name: string;
  legend: string;
  values: readonly T[];
  value: T;
  text: (value: T) => ComponentChildren;
  onValue: (value: T) => void;
}
function Chips<T extends string>({ name, legend, values, value, text, onValue }: ChipsProps<T>): JSX.Element {
  return (
    <fieldset class="colors">
      <legend>{legend}</legend>
      {values.map((v) => (
        <label class="chip" key={v}>
          <input type="radio" name={name} value={v} checked={v === value} onChange={() => onValue(v)} data-testid={`${name}-${v}`} />
          <span>{text(v)}</span>
        </label>
      ))}
    </fieldset>
  );
}

// The position the game will begin from, small; nothing while the field holds none.
function Taken({ fen }: { fen: string }): JSX.Element | null {
  const pieces = FEN_BOARD.test(fen) ? read(fen) : null;
  if (!pieces) return null;
  return (
    <figure class="local-taken" data-testid="setup-taken">
      <figcaption>{t("local.setup_taken")}</figcaption>
      <span class="small-board" role="img" aria-label={fen}>
        {[..."87654321"].flatMap((rank) =>
          [..."abcdefgh"].map((file) => {
            const piece = pieces.get((file + rank) as Square);
            return (
              <i key={file + rank} class={(file.charCodeAt(0) + Number(rank)) % 2 === 1 ? "light" : "dark"}>
                {piece && <Man role={piece.role} color={piece.color} />}
              </i>
            );
          }),
        )}
      </span>
    </figure>
  );
}

interface FormProps {
  table: Table;
  core: LocalCore;
  onBegun: () => void;
  onCancel?: () => void;
}

export function NewGameForm({ table, core, onBegun, onCancel }: FormProps): JSX.Element {
  const [draft, setDraft] = useState(lastNewGame);
  const [setting, setSetting] = useState(false);
  const [more, setMore] = useState(false);
  const [error, setError] = useState<string>();
  const set = (part: Partial<NewGame>): void => {
    setDraft({ ...draft, ...part });
    setError(undefined);
  };
  const bad = faults(draft);
  const errorOf = (name: string, most: number): string | undefined =>
    bad.has(name) ? t("local.range", { most: number(most) }) : undefined;

  const start = (event: Event): void => {
    event.preventDefault();
    if (bad.size > 0) return;
    const mine = ownColor(draft);
    try {
      table.begin(linesOf(draft, mine), draft.name.trim());
    } catch (e) {
      if (!(e instanceof CoreError)) throw e;
      return setError(t("local.bad_fen", { why: fenFault(e) }));
    }
    keepNewGame({ ...draft, lastColor: draft.opponents === "computer" ? mine : draft.lastColor, fen: "" });
    onBegun();
  };

  if (setting)
    return (
      <Setup
        fen={draft.fen.trim() || START_FEN}
        orientation="white"
        done={t("local.setup_done")}
        faultText={fenFault}
        onFen={(fen) => {
          core.call("check", fen);
          set({ fen });
          setSetting(false);
        }}
        onCancel={() => setSetting(false)}
      />
    );

  const level = (which: "level" | "level2", label: string): JSX.Element => (
    <label class="field local-level">
      <span>{label}</span>
      <select value={draft[which]} data-testid={which} onChange={(e) => set({ [which]: Number(e.currentTarget.value) })}>
        {table.levels.map(({ level: n, elo }) => (
          <option key={n} value={n}>
            {n}. {t(`level.${n}` as "level.1")} ({t("computer.about", { elo: String(elo) })})
          </option>
        ))}
      </select>
    </label>
  );
  const time = (side: Color): JSX.Element => {
    const what = draft.clock === "total" ? "minutes" : "seconds";
    const label = t(`local.${what}` as Key);
    return (
      <Field
        key={what + side}
        name={`${what}-${side}`}
        label={draft.unequal ? `${label}, ${t(`color.${side}`)}` : label}
        value={draft[what][side]}
        error={errorOf(`${what}-${side}`, draft.clock === "total" ? 600 : 3600)}
        maxLength={4}
        onValue={(text) => set({ [what]: { ...draft[what], [side]: text } })}
      />
    );
  };
  return (
    <form class="local-new" onSubmit={start} data-testid="local-new">
      <Chips
        name="opponents"
        legend={t("local.who")}
        values={["computer", "human", "computers"] as const}
        value={draft.opponents}
        text={(v) => t(`local.who.${v}`)}
        onValue={(opponents) => set({ opponents })}
      />
      {draft.opponents === "computer" && level("level", t("computer.level"))}
      {draft.opponents === "computers" && (
        <div class="local-pair">
          {level("level", t("color.white"))}
          {level("level2", t("color.black"))}
        </div>
      )}
      {draft.opponents === "computer" && (
        <Chips
          name="color"
          legend={t("lobby.color")}
          values={COLORS}
          value={draft.color}
          text={(v) =>
            v === "alternate" ? (
              t("local.alternate")
            ) : (
              <>
                <i class={`stone ${v}`} aria-hidden="true" />
                {t(`color.${v}`)}
              </>
            )
          }
          onValue={(color) => set({ color })}
        />
      )}
      <Chips
        name="clock"
        legend={t("lobby.control")}
        values={["none", "total", "move"] as const}
        value={draft.clock}
        text={(v) => t(`local.clock.${v}`)}
        onValue={(clock) => set({ clock })}
      />
      {draft.clock === "total" && (
        <p class="local-minutes" role="group" aria-label={t("local.minutes")}>
          {MINUTES.map((m) => (
            <button
              key={m}
              type="button"
              class="plain"
              aria-pressed={!draft.unequal && draft.minutes.white === String(m)}
              data-testid={`minutes-${m}`}
              onClick={() => set({ minutes: { white: String(m), black: String(m) }, unequal: false })}
            >
              {number(m)}
            </button>
          ))}
        </p>
      )}
      {draft.clock !== "none" && (
        <>
          <div class="local-pair">
            {time("white")}
            {draft.unequal && time("black")}
          </div>
          <Check name="unequal" checked={draft.unequal} onChecked={(unequal) => set({ unequal })}>
            {t("local.unequal")}
          </Check>
        </>
      )}
      {draft.clock === "total" && (
        <div class="local-pair">
          <label class="field">
            <span>{t("local.kind")}</span>
            <select value={draft.kind} data-testid="kind" onChange={(e) => set({ kind: e.currentTarget.value as NewGame["kind"] })}>
              {(["plain", "increment", "delay"] as const).map((kind) => (
                <option key={kind} value={kind}>
                  {t(`local.kind.${kind}`)}
                </option>
              ))}
            </select>
          </label>
          {draft.kind !== "plain" && (
            <Field
              name="extra"
              label={t("local.extra")}
              value={draft.extra}
              error={errorOf("extra", 60)}
              maxLength={2}
              onValue={(extra) => set({ extra })}
            />
          )}
        </div>
      )}
      <details open={more || draft.fen.trim() !== ""} onToggle={(e) => setMore(e.currentTarget.open)}>
        <summary>{t("computer.more")}</summary>
        <Field name="game-name" label={t("local.game_name")} value={draft.name} maxLength={60} onValue={(name) => set({ name })} />
        {draft.opponents !== "computers" && (
          <div class="local-pair">
            {SIDES.map((side) => (
              <Field
                key={side}
                name={`name-${side}`}
                label={t(`local.name.${side}`)}
                value={draft.names[side]}
                maxLength={40}
                onValue={(name) => set({ names: { ...draft.names, [side]: name } })}
              />
            ))}
          </div>
        )}
        <label class="field">
          <span>{t("computer.edition")}</span>
          <select value={draft.edition} data-testid="edition" onChange={(e) => set({ edition: e.currentTarget.value })}>
            {EDITIONS.map((edition) => (
              <option key={edition} value={edition}>
                {t("computer.laws_of", { year: edition.slice(5) })}
              </option>
            ))}
          </select>
        </label>
        {draft.clock !== "none" && (
          <Check name="no-undo" checked={draft.noUndo} onChecked={(noUndo) => set({ noUndo })}>
            {t("local.no_undo")}
          </Check>
        )}
        <Field
          name="fen"
          label={t("computer.fen")}
          hint={t("computer.fen_hint")}
          value={draft.fen}
          maxLength={128}
          onValue={(fen) => set({ fen })}
        />
        <p class="buttons">
          <button type="button" data-testid="setup-open" onClick={() => setSetting(true)}>
            {t("local.setup")}
          </button>
        </p>
        <Taken fen={draft.fen.trim()} />
      </details>
      <FormError text={error} />
      <p class="buttons">
        <button class="primary" data-testid="local-start" disabled={bad.size > 0}>
          {t("local.start")}
        </button>
        {onCancel && (
          <button type="button" class="plain" onClick={onCancel}>
            {t("common.cancel")}
          </button>
        )}
      </p>
    </form>
  );
}
