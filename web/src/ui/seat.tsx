// SPDX-License-Identifier: GPL-3.0-or-later
//
// A player wherever he is named: his nick as a link to his page, and whether he is there.
import type { JSX } from "preact";
import { t } from "../i18n";
import type { Seat } from "../net/types";
import { isGuest, nickText } from "./nick";
import { Rating } from "./rating";

// A name in words: the computer's by its level, a guest's as such.
export const seatText = (seat: Seat): string =>
  seat.level !== null
    ? t("computer.name", { level: t(`level.${seat.level}` as "level.1") })
    : seat.nick === null
      ? t("player.former")
      : nickText(seat.nick);

export function SeatName({ seat }: { seat: Seat }): JSX.Element {
  if (seat.nick === null) return <i class="quiet">{t("player.former")}</i>;
  return (
    <a href={`/player/${encodeURIComponent(seat.nick)}`}>{seatText(seat)}</a>
  );
}

// Beside the name, of those whose games can be rated: neither the computer's nor a guest's.
export function SeatRating({ seat }: { seat: Seat }): JSX.Element | null {
  if (seat.nick === null || seat.level !== null || isGuest(seat.nick)) return null;
  return <> <Rating of={seat} /></>;
}

// A dot, filled or hollow, with its meaning in words.
export function Presence({ online }: { online: boolean }): JSX.Element {
  const text = online ? t("player.online") : t("player.offline");
  return <span class={online ? "presence on" : "presence"} role="img" aria-label={text} title={text} />;
}
