// SPDX-License-Identifier: GPL-3.0-or-later
//
// On a player's page: to follow him, and to be friends when both want it.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useStore } from "../app/store";
import { t } from "../i18n";
import { errorText } from "../ui/errors";
import { lookAtPeople, people, relate } from "./api";

export function PeopleButtons({ nick }: { nick: string }): JSX.Element | null {
  const now = useStore(people);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => void lookAtPeople().catch(setError), [nick]);
  if (!now) return error !== null ? <p class="error">{errorText(error)}</p> : null;
  const isIn = (list: { nick: string }[]): boolean => list.some((p) => p.nick === nick);
  const attempt = (kind: "friends" | "follows", on: boolean) => (): void => {
    setError(null);
    relate(kind, nick, on).catch(setError);
  };
  const friend = isIn(now.friends);
  const asked = isIn(now.asked);
  const asks = isIn(now.asks);
  const follows = isIn(now.follows);
  return (
    <div class="people-buttons" data-testid="people">
      <p role="status">{friend ? t("people.is_friend") : asked ? t("people.asked") : ""}</p>
      <p class="buttons">
        {friend ? (
          <button data-testid="unfriend" onClick={attempt("friends", false)}>{t("people.end")}</button>
        ) : asked ? (
          <button data-testid="withdraw" onClick={attempt("friends", false)}>{t("people.withdraw")}</button>
        ) : (
          <button data-testid="befriend" onClick={attempt("friends", true)}>
            {asks ? t("people.agree") : t("people.friend")}
          </button>
        )}
        {asks && <button data-testid="decline" onClick={attempt("friends", false)}>{t("people.decline")}</button>}
        <button data-testid="follow" aria-pressed={follows} onClick={attempt("follows", !follows)}>
          {follows ? t("people.unfollow") : t("people.follow")}
        </button>
      </p>
      {error !== null && <p class="error" role="alert">{errorText(error)}</p>}
    </div>
  );
}
