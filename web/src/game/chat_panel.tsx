// SPDX-License-Identifier: GPL-3.0-or-later
//
// The mini-chat beside the board, and after the game the talk of all who watched.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { me } from "../app/session";
import { useStore } from "../app/store";
import { dateTimeZone, number, t } from "../i18n";
import type { Color, Game, Room } from "../net/types";
import { errorText } from "../ui/errors";
import { LINE_MAX, type Chat } from "./chat";
import { other } from "./clock";
import { isOver } from "./fold";

interface ChatPanelProps {
  chat: Chat;
  game: Game;
  side: Color | null;
}

export function ChatPanel({ chat, game, side }: ChatPanelProps): JSX.Element | null {
  const state = useStore(chat.state);
  const over = isOver(game);
  const [room, setRoom] = useState<Room>(side ? "players" : "watchers");
  useEffect(() => chat.load(), [side, over]);
  useEffect(() => {
    const seen = (): void => {
      if (chat.state.get().open && document.visibilityState === "visible") chat.seen();
    };
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);
  // While a game runs its watchers have nothing to say to each other.
  if (!side && !over) return null;
  const shown: Room = side && over ? room : side ? "players" : "watchers";
  return (
    <details class="chat" open={state.open} onToggle={(e) => chat.setOpen(e.currentTarget.open)} data-testid="chat">
      <summary>
        {t(side ? "chat.mini" : "chat.watchers")}
        {state.unread > 0 && (
          <b class="count" data-testid="chat-unread" aria-label={t("chat.unread", { n: state.unread })}>
            {number(state.unread)}
          </b>
        )}
      </summary>
      {side && over && (
        <p class="rooms" role="group" aria-label={t("chat.room")}>
          {(["players", "watchers"] as const).map((name) => (
            <button
              key={name}
              class="plain"
              aria-pressed={shown === name}
              data-testid={`chat-${name}`}
              onClick={() => setRoom(name)}
            >
              {t(`chat.room.${name}`)}
            </button>
          ))}
        </p>
      )}
      <Lines chat={chat} room={shown} />
      <Speak chat={chat} room={shown} side={side} />
    </details>
  );
}

function Lines({ chat, room }: { chat: Chat; room: Room }): JSX.Element {
  const lines = useStore(chat.state).lines[room];
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const frame = list.current;
    if (frame) frame.scrollTop = frame.scrollHeight;
  }, [lines.length, room]);
  return (
    <ol class="lines" ref={list} data-testid="chat-lines" aria-label={t("chat.lines")} tabIndex={0}>
      {lines.length === 0 && <li class="quiet">{t(room === "players" ? "chat.empty" : "chat.empty_watchers")}</li>}
      {lines.map((line) => (
        <li key={line.seq} title={dateTimeZone(line.at)}>
          <b>{line.nick ?? t("player.former")}</b> {line.text}
        </li>
      ))}
    </ol>
  );
}

interface SpeakProps {
  chat: Chat;
  room: Room;
  side: Color | null;
}

function Speak({ chat, room, side }: SpeakProps): JSX.Element {
  const state = useStore(chat.state);
  const own = useStore(me);
  if (!own) return <p class="quiet small">{t("chat.guest")}</p>;
  if (room === "players" && side && !state.on[side])
    return (
      <p class="off">
        {t("chat.off_own")}{" "}
        <button class="plain link" data-testid="chat-on" onClick={() => void chat.toggle(true)}>
          {t("chat.switch_on")}
        </button>
      </p>
    );
  const silent = room === "players" && side !== null && !state.on[other(side)];
  const length = [...state.draft].length;
  const tooLong = length > LINE_MAX;
  const fault = tooLong
    ? t("chat.too_long", { n: length - LINE_MAX })
    : state.error
      ? errorText(state.error)
      : undefined;
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        if (!tooLong) void chat.say(room);
      }}
    >
      {silent && <p class="off" data-testid="chat-off-other">{t("chat.off_other")}</p>}
      <span class="move-row">
        <input
          aria-label={t("chat.text")}
          data-testid="chat-text"
          value={state.draft}
          disabled={silent}
          autocomplete="off"
          enterKeyHint="send"
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? "chat-error" : undefined}
          onInput={(e) => chat.setDraft(e.currentTarget.value)}
        />
        <button disabled={silent || tooLong} data-testid="chat-send">
          {t("chat.send")}
        </button>
      </span>
      {fault && (
        <p class="error" id="chat-error" role="alert" data-testid="chat-error">
          {fault}
        </p>
      )}
      {room === "players" && side && (
        <button type="button" class="plain link small" data-testid="chat-switch-off" onClick={() => void chat.toggle(false)}>
          {t("chat.switch_off")}
        </button>
      )}
    </form>
  );
}
