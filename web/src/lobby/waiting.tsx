// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Games waiting for an opponent": every open challenge, newest first, kept up by the channel
// "lobby".
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loginPath, navigate, place } from "../app/router";
import { me } from "../app/session";
import { createStore, useStore } from "../app/store";
import { age, dateTimeZone, t, tx } from "../i18n";
import { api, ApiError } from "../net/api";
import { serverNow } from "../net/clock_offset";
import { follow, refresh } from "../net/socket";
import type { Challenge, GameType } from "../net/types";
import { errorText } from "../ui/errors";
import { isGuest } from "../ui/nick";
import { editionYear } from "../game/words";
import { Rating } from "../ui/rating";
import { controlText, kindText } from "./controls";
import { useHouse } from "./draft";
import { Stone } from "./stone";
import { ToForm } from "./to_form";

// null until the server has told.
export const challenges = createStore<Challenge[] | null>(null);

export function followLobby(): () => void {
  const put = (list: Challenge[]): void =>
    challenges.set([...list].sort((a, b) => b.created - a.created));
  return follow("lobby", {
    message: (m) => {
      const now = challenges.get() ?? [];
      if (m.t === "lobby") put(m.d.challenges as Challenge[]);
      else if (m.t === "lobby+") {
        const c = m.d.challenge as Challenge;
        put([...now.filter((x) => x.id !== c.id), c]);
      } else if (m.t === "lobby-") put(now.filter((x) => x.id !== m.d.id));
    },
  });
}

// Takes a challenge; a guest logs in first and comes back.
export async function join(id: string): Promise<void> {
  const account = me.get();
  if (!account || isGuest(account.nick)) return navigate(loginPath(`/?join=${id}`));
  const { game } = await api.joinChallenge(id);
  navigate(`/game/${game}`);
}

// S-037: by type, control and rated; empty shows all.
interface Filter {
  type: GameType | "";
  control: string;
  rated: "" | "yes" | "no";
}
const NO_FILTER: Filter = { type: "", control: "", rated: "" };
const TYPES: readonly GameType[] = ["classic", "advance", "blitz"];

const passes = (c: Challenge, f: Filter): boolean =>
  (f.type === "" || c.type === f.type) &&
  (f.control === "" || controlText(c.control) === f.control) &&
  (f.rated === "" || c.rated === (f.rated === "yes"));

export function WaitingTable(): JSX.Element {
  const list = useStore(challenges);
  const account = useStore(me);
  const { query } = useStore(place);
  const [filter, setFilter] = useState(NO_FILTER);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => redraw((n) => n + 1), 30_000);
    return () => window.clearInterval(timer);
  }, []);

  const attempt = async (id: string, what: () => Promise<void>): Promise<void> => {
    try {
      await what();
    } catch (error) {
      setErrors({ [id]: errorText(error) });
      const code = error instanceof ApiError ? error.code : "";
      if (code === "seat_taken" || code === "not_found") refresh("lobby");
    }
  };
  const shown = (list ?? []).filter((c) => passes(c, filter));
  const invited = query.get("join");
  const invitation = invited === null ? undefined : list?.find((c) => c.id === invited);
  const gone = Object.entries(errors).find(([id]) => !list?.some((c) => c.id === id));

  return (
    <section class="waiting" aria-labelledby="waiting-title">
      <div class="title-row">
        <h2 id="waiting-title">{t("lobby.waiting")}</h2>
      </div>
      {(list?.length ?? 0) > 3 && <Filters list={list!} filter={filter} onFilter={setFilter} />}
      {invited !== null && list && (
        <p class="invitation" data-testid="invitation">
          {invitation ? (
            <>
              {tx("lobby.invitation", {
                nick: <b>{invitation.nick}</b>,
                control: <b>{controlText(invitation.control)}</b>,
              })}{" "}
              {invitation.nick !== account?.nick && (
                <button class="primary" onClick={() => void attempt(invited, () => join(invited))}>
                  {t("lobby.join")}
                </button>
              )}
            </>
          ) : (
            t("lobby.invitation_gone")
          )}
        </p>
      )}
      <div role="alert">{gone && <p class="error">{gone[1]}</p>}</div>
      {list && list.length > 0 && shown.length === 0 && (
        <p class="empty">
          {t("lobby.filtered")}{" "}
          <button class="plain link" onClick={() => setFilter(NO_FILTER)}>
            {t("lobby.filter_none")}
          </button>
        </p>
      )}
      {list && list.length === 0 && (
        <p class="empty" data-testid="no-challenges">
          {t("lobby.nobody")} <ToForm>{t("lobby.offer")}</ToForm>
        </p>
      )}
      {shown.length > 0 && (
        <div class="table-frame">
          <table class="cards waiting-cards" data-testid="challenges">
            <thead>
              <tr>
                <th scope="col">{t("table.player")}</th>
                <th scope="col">{t("table.control")}</th>
                <th scope="col" class="lesser">{t("table.category")}</th>
                <th scope="col">{t("table.takes")}</th>
                <th scope="col">{t("table.rated")}</th>
                <th scope="col" class="right lesser">{t("table.age")}</th>
                <th scope="col"><span class="unseen">{t("lobby.join")}</span></th>
              </tr>
            </thead>
            <tbody>
              {shown.map((c) => {
                const own = c.nick === account?.nick;
                return (
                  <tr key={c.id} class={own ? "own" : c.id === invited ? "asked" : ""} data-testid={`challenge-${c.id}`}>
                    <td>
                      <a href={`/player/${encodeURIComponent(c.nick)}`}>{c.nick}</a> <Rating of={c} />
                    </td>
                    <td class="figures-cell">
                      {controlText(c.control)}
                      <Special challenge={c} />
                    </td>
                    <td class="lesser">{kindText(c)}</td>
                    <td class="nowrap"><Stone color={c.color} /></td>
                    <td>
                      <span class="in-table">{c.rated ? t("table.yes") : t("table.no")}</span>
                      <span class="in-card">{c.rated ? t("game.rated") : t("game.unrated")}</span>
                    </td>
                    <td class="right quiet lesser">
                      <time title={dateTimeZone(c.created)}>{age(serverNow() - c.created)}</time>
                    </td>
                    <td class="right">
                      {own ? (
                        <button
                          data-testid={`cancel-${c.id}`}
                          onClick={() => void attempt(c.id, () => api.cancelChallenge(c.id))}
                        >
                          {t("lobby.cancel")}
                        </button>
                      ) : (
                        <button
                          class="primary"
                          data-testid={`join-${c.id}`}
                          aria-label={`${t("lobby.join")}: ${c.nick}, ${controlText(c.control)}`}
                          onClick={() => void attempt(c.id, () => join(c.id))}
                        >
                          {t("lobby.join")}
                        </button>
                      )}
                      {errors[c.id] && <p class="error" role="alert">{errors[c.id]}</p>}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {list && account && <Alone mine={list.filter((c) => c.nick === account.nick)} others={list.length} />}
    </section>
  );
}

interface FiltersProps {
  list: Challenge[];
  filter: Filter;
  onFilter: (next: Filter) => void;
}

function Filters({ list, filter, onFilter }: FiltersProps): JSX.Element {
  const controls = [...new Set(list.map((c) => controlText(c.control)))].sort();
  return (
    <p class="filters" role="group" aria-label={t("lobby.filter")}>
      <select
        aria-label={t("lobby.type")}
        data-testid="filter-type"
        value={filter.type}
        onChange={(e) => onFilter({ ...filter, type: e.currentTarget.value as Filter["type"] })}
      >
        <option value="">{t("lobby.filter_types")}</option>
        {TYPES.map((type) => <option key={type} value={type}>{t(`type.${type}`)}</option>)}
      </select>
      <select
        aria-label={t("table.control")}
        data-testid="filter-control"
        value={filter.control}
        onChange={(e) => onFilter({ ...filter, control: e.currentTarget.value })}
      >
        <option value="">{t("lobby.filter_controls")}</option>
        {controls.map((text) => <option key={text} value={text}>{text}</option>)}
      </select>
      <select
        aria-label={t("table.rated")}
        data-testid="filter-rated"
        value={filter.rated}
        onChange={(e) => onFilter({ ...filter, rated: e.currentTarget.value as Filter["rated"] })}
      >
        <option value="">{t("lobby.filter_rated")}</option>
        <option value="yes">{t("game.rated")}</option>
        <option value="no">{t("game.unrated")}</option>
      </select>
    </p>
  );
}

// What is not as usual: another edition than the house's, flags by claim, touch mode.
function Special({ challenge: c }: { challenge: Challenge }): JSX.Element | null {
  const site = useHouse();
  const said = [
    c.edition !== site.edition && t("game.laws", { year: editionYear(c.edition) }),
    c.flag === "claim" && t("table.flag_claim"),
    c.touch && t("game.touch"),
    c.fen !== null && t("table.position"),
    c.range && t("table.range", { least: String(c.range[0]), most: String(c.range[1]) }),
    c.confirmed && t("table.confirmed"),
  ].filter((part) => typeof part === "string");
  return said.length > 0 ? <small class="special">{said.join(", ")}</small> : null;
}

// For the newcomer whose challenge stands there alone: what to do meanwhile.
function Alone({ mine, others }: { mine: Challenge[]; others: number }): JSX.Element | null {
  const [copied, setCopied] = useState(false);
  const newest = mine[0];
  if (!newest || others > mine.length) return null;
  const link = `${location.origin}/?join=${newest.id}`;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      document.querySelector<HTMLInputElement>("#invite-link")?.select();
    }
  };
  return (
    <div class="alone" data-testid="alone-hint">
      <p>{t("lobby.alone")}</p>
      <p class="copy-row">
        <input id="invite-link" readOnly value={link} aria-label={t("lobby.invite_link")} onFocus={(e) => e.currentTarget.select()} />
        <button onClick={() => void copy()} data-testid="copy-invite">
          {copied ? t("common.copied") : t("common.copy")}
        </button>
      </p>
      <p class="quiet">{t("lobby.alone_try")}</p>
    </div>
  );
}
