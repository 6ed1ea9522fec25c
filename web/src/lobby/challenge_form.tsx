// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Start a new game": its type, time control, Laws, colour, rated or not.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { loginPath, navigate, place } from "../app/router";
import { me } from "../app/session";
import { loadSite } from "../app/site";
import { useStore } from "../app/store";
import { t } from "../i18n";
import { api, ApiError } from "../net/api";
import type { Challenge, GameType } from "../net/types";
import { errorText } from "../ui/errors";
import { Check, Field, FormError } from "../ui/field";
import { isGuest } from "../ui/nick";
import { chosenControl, formOf, keepDraft, lastDraft, rangeOf, useHouse, type Draft } from "./draft";
import { ControlFields } from "./form_control";
import { JoinerFields } from "./form_joiners";
import { LawsFields } from "./form_laws";

const COLORS = ["white", "random", "black"] as const;
const TYPES: readonly GameType[] = ["classic", "advance", "blitz"];

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

export function ChallengeFormBlock({ onCreated }: { onCreated: (c: Challenge) => void }): JSX.Element {
  const account = useStore(me);
  // Who plays the computer as a guest has no account to be challenged by.
  const visitor = account === null || (account !== undefined && isGuest(account.nick));
  const site = useHouse();
  const { query } = useStore(place);
  const asked = query.get("to") ?? ""; // from a player's page
  const [draft, setDraft] = useState(lastDraft);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // One key per wish: a double click, or a second try after a broken connection, makes one challenge.
  const key = useRef(newKey());
  const control = chosenControl(draft);
  useEffect(() => keepDraft(draft), [draft]);
  useEffect(() => void loadSite(), []);
  useEffect(() => {
    if (asked !== "") set({ to: asked });
  }, [asked]);
  // S-004, S-034: rated games need a confirmed address.
  const unconfirmed = !visitor && account?.confirmed === false;
  // nor are games from a set-up position rated.
  const setUp = draft.fen.trim() !== "";
  const wish = unconfirmed || setUp ? { ...draft, rated: false } : draft;

  const set = (part: Partial<Draft>): void => {
    setDraft((now) => ({ ...now, ...part }));
    setError(null);
    key.current = newKey();
  };

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    if (visitor) return navigate(loginPath());
    if (!control) return setError(new ApiError("control_range", "", "control"));
    if (rangeOf(wish) === undefined) return setError(new ApiError("range_bad", "", "rating"));
    setBusy(true);
    try {
      const challenge = await api.createChallenge(formOf(wish, control, site, key.current));
      key.current = newKey();
      setError(null);
      if (wish.to !== "" || setUp) set({ to: "", fen: "" });
      onCreated(challenge);
    } catch (e) {
      setError(e);
    }
    setBusy(false);
  };

  const fault = error instanceof ApiError ? error : null;
  const controlError = fault?.code === "control_range";
  const toError = fault?.field === "to" ? (fault.code === "not_found" ? t("player.unknown") : errorText(error)) : undefined;
  const ratingError = fault?.field === "rating" ? errorText(error) : undefined;
  const fenError = fault?.field === "fen" ? errorText(error) : undefined;
  const elsewhere = controlError || [toError, ratingError, fenError].some((e) => e !== undefined);
  return (
    <form class="challenge" onSubmit={submit} data-testid="challenge-form">
      <fieldset class="types">
        <legend>{t("lobby.type")}</legend>
        {TYPES.map((type) => (
          <label class="type-choice" key={type}>
            <input
              type="radio"
              name="type"
              value={type}
              checked={draft.type === type}
              onChange={() => set({ type })}
              data-testid={`type-${type}`}
            />
            <span>
              <b>{t(`type.${type}`)}</b> <small>{t(`type.${type}_more`)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <ControlFields draft={draft} control={control} set={set} error={controlError ? errorText(error) : undefined} />
      <div class="challenge-rest">
        <fieldset class="colors">
          <legend>{t("lobby.color")}</legend>
          {COLORS.map((color) => (
            <label class="chip" key={color}>
              <input
                type="radio"
                name="color"
                value={color}
                checked={draft.color === color}
                onChange={() => set({ color })}
                data-testid={`color-${color}`}
              />
              <span>
                <i class={`stone ${color}`} aria-hidden="true" />
                {t(`color.${color}`)}
              </span>
            </label>
          ))}
        </fieldset>
        {unconfirmed ? (
          <p class="hint" data-testid="unrated-only">{t("lobby.unrated_only")}</p>
        ) : (
          <Check name="rated" checked={wish.rated} disabled={setUp} onChecked={(rated) => set({ rated })}>
            {t("lobby.rated")}
          </Check>
        )}
      </div>
      <LawsFields draft={wish} control={control} site={site} set={set} />
      <details class="joiners" open={setUp} data-testid="from-position">
        <summary>{t("lobby.position")}</summary>
        <Field
          name="fen"
          label={t("lobby.fen")}
          hint={t("lobby.fen_hint")}
          value={draft.fen}
          maxLength={128}
          error={fenError}
          onValue={(fen) => set({ fen })}
        />
      </details>
      <JoinerFields draft={draft} set={set} error={{ to: toError, rating: ratingError }} />
      <p class="aside"><a href="/rules" data-testid="rules-link">{t("nav.rules")}</a></p>
      <FormError text={error && !elsewhere ? errorText(error) : undefined} />
      <button class="primary" data-testid="create-challenge" disabled={busy}>
        {visitor ? t("lobby.login_to_play") : wish.to.trim() === "" ? t("lobby.accept") : t("lobby.challenge", { nick: wish.to.trim() })}
      </button>
    </form>
  );
}
