// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said at one game: the mini-chat of the two players, and after the end the talk of all who
// watch. Lines come from the server twice, as they are said and in the history that is read at every
// new connection; their numbers bring the two together.
import { tab } from "../app/local";
import { createStore } from "../app/store";
import { api, ApiError } from "../net/api";
import { ask, socketStatus, type Message } from "../net/socket";
import type { ChatLine, ChatMessage, Color, Room, SaidMessage } from "../net/types";

export interface ChatState {
  lines: Record<Room, ChatLine[]>;
  on: Record<Color, boolean>;
  open: boolean;
  unread: number;
  draft: string;
  error: ApiError | null;
}

export const LINE_MAX = 200; // characters

export class Chat {
  readonly state = createStore<ChatState>({
    lines: { players: [], watchers: [] },
    on: { white: true, black: true },
    open: false,
    unread: 0,
    draft: "",
    error: null,
  });
  // A line of somebody else has come.
  onLine: (line: ChatLine) => void = () => {};
  private readonly end: () => void;

  constructor(
    private readonly id: string,
    private readonly side: () => Color | null,
    private readonly isOver: () => boolean,
  ) {
    this.state.patch({ draft: tab.get(`chat:${id}`) ?? "", open: tab.get("chat-open") === "1" });
    this.end = socketStatus.subscribe(() => {
      if (socketStatus.get() !== "open") return;
      this.state.patch({ on: { white: true, black: true } }); // else the server says so at once
      this.load();
    });
  }

  close(): void {
    this.end();
  }

  // Reads what was said before; who may not read it is not told. The watchers' room is empty until the
  // game is over.
  load(): void {
    const rooms: Room[] = [];
    if (this.side() !== null) rooms.push("players");
    if (this.isOver()) rooms.push("watchers");
    for (const room of rooms)
      api.chat(this.id, room).then(
        ({ lines }) => this.merge(room, lines),
        () => {},
      );
  }

  receive(message: Message): boolean {
    if (message.t === "chat") {
      const { white, black } = message.d as unknown as ChatMessage;
      this.state.patch({ on: { white, black } });
      return true;
    }
    if (message.t !== "said") return false;
    const said = message.d as unknown as SaidMessage;
    this.merge(said.room, [said]);
    const own = this.side();
    if (said.by !== null && said.by === own) return true;
    const { open, unread } = this.state.get();
    if (!open || document.visibilityState !== "visible") this.state.patch({ unread: unread + 1 });
    this.onLine(said);
    return true;
  }

  setOpen(open: boolean): void {
    this.state.patch(open ? { open, unread: 0 } : { open });
    tab.set("chat-open", open ? "1" : null);
  }
  seen(): void {
    if (this.state.get().unread > 0) this.state.patch({ unread: 0 });
  }

  setDraft(draft: string): void {
    this.state.patch({ draft, error: null });
    tab.set(`chat:${this.id}`, draft || null);
  }

  async say(room: Room): Promise<void> {
    const { draft } = this.state.get();
    if (draft.trim() === "") return;
    try {
      await ask("say", { ch: `game:${this.id}`, room, text: draft });
      // What was typed meanwhile stays.
      if (this.state.get().draft === draft) this.setDraft("");
    } catch (error) {
      this.state.patch({ error: error as ApiError });
    }
  }

  async toggle(on: boolean): Promise<void> {
    try {
      await ask("chat", { game: this.id, on });
    } catch (error) {
      this.state.patch({ error: error as ApiError });
    }
  }

  private merge(room: Room, fresh: readonly ChatLine[]): void {
    const { lines } = this.state.get();
    const bySeq = new Map([...lines[room], ...fresh].map((line) => [line.seq, line]));
    const merged = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
    this.state.patch({ lines: { ...lines, [room]: merged } });
  }
}
