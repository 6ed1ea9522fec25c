// SPDX-License-Identifier: GPL-3.0-or-later
//
// Position and size of blocks (S-273 to S-277): a bar with the layouts there are, and with "own
// layout" ticked tinted boxes over the blocks, moved by mouse, finger or arrow keys, drawn out at
// their lower right corner or with Shift and the arrows. Where a box may not stay it goes back.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { prefs, type Layout as Choice } from "../app/prefs";
import { useStore } from "../app/store";
import { BLOCKS, STANDARD_LAYOUTS, ZONES, faultOf, isFixed, type Block } from "../game/layout";
import { blocksOf, layouts, loadLayouts, ownName, useForm } from "../game/layout_store";
import { draft } from "../game/zone";
import { t } from "../i18n";
import { ApiError, api } from "../net/api";
import type { Blocks, Cells, Form, Layout } from "../net/types";
import { errorText } from "../ui/errors";
import { say } from "../ui/say";
import { canArrange } from "./features";
import { Reset } from "./reset";

const STANDARD = Object.keys(STANDARD_LAYOUTS) as (keyof typeof STANDARD_LAYOUTS)[];

export function Arrange({ onClose }: { onClose: () => void }): JSX.Element {
  const form = useForm();
  const { layout } = useStore(prefs);
  const own = useStore(layouts);
  const blocks = useStore(draft);
  const name = ownName(layout);
  const [typed, setTyped] = useState(name ?? "");
  const [error, setError] = useState<string>();
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false); // the server has not answered: the names are about to change
  const bar = useRef<HTMLElement>(null);
  const able = canArrange();

  useEffect(() => {
    void loadLayouts();
    bar.current?.querySelector("select")?.focus();
    return () => draft.set(null);
  }, []);
  useEffect(() => draft.set(null), [form]); // another form of window, other places
  useEffect(() => setTyped(name ?? ""), [name]);

  const choose = (wanted: Choice): void => {
    draft.set(null);
    setError(undefined);
    setNote("");
    prefs.patch({ layout: wanted });
  };
  const tick = (on: boolean): void =>
    draft.set(on ? (blocksOf(layout, form, own) ?? STANDARD_LAYOUTS.standard[form]) : null);
  const run = async (change: () => Promise<{ layouts: Layout[] }>, then: Choice, said: string): Promise<void> => {
    setError(undefined);
    setNote("");
    setBusy(true);
    try {
      layouts.set((await change()).layouts);
      prefs.patch({ layout: then });
      draft.set(null);
      setNote(said);
      say(said);
    } catch (e) {
      setError(e instanceof ApiError ? errorText(e) : t("error.internal"));
    } finally {
      setBusy(false);
    }
  };
  const text = typed.trim();
  const save = (e: Event): void => {
    e.preventDefault();
    if (!blocks) return;
    void run(() => api.saveLayout(text, form, blocks, text !== name), `own:${text}`, t("layout.saved"));
  };
  const previous = own.find((l) => l.name === name)?.previous[form];

  return (
    <>
      {blocks && <Boxes form={form} blocks={blocks} />}
      <section class="arrange-bar" aria-label={t("settings.layout")} data-testid="arrange" ref={bar}>
        {!able && <p class="warning">{t("settings.old_browser")}</p>}
        <form onSubmit={save}>
          <label class="arrange-choice">
            <span>{t("layout.choice")}</span>
            <select
              value={layout}
              data-testid="layout-choice"
              disabled={!able}
              onChange={(e) => choose(e.currentTarget.value as Choice)}
            >
              {STANDARD.map((s) => (
                <option key={s} value={s}>
                  {t(`layout.${s}`)}
                </option>
              ))}
              {own.map((l) => (
                <option key={l.name} value={`own:${l.name}`}>
                  {l.name}
                </option>
              ))}
              {name !== null && !own.some((l) => l.name === name) && <option value={layout}>{name}</option>}
            </select>
          </label>
          <label class="tick">
            <input
              type="checkbox"
              data-testid="layout-own"
              checked={blocks !== null}
              disabled={!able}
              onChange={(e) => tick(e.currentTarget.checked)}
            />
            <span>{t("layout.own")}</span>
          </label>
          <label class="arrange-name">
            <span>{t("layout.name")}</span>
            <input
              value={typed}
              maxLength={30}
              data-testid="layout-name"
              aria-invalid={error ? true : undefined}
              aria-describedby="layout-error"
              onInput={(e) => {
                setTyped(e.currentTarget.value);
                setError(undefined);
              }}
            />
          </label>
          <button class="primary" data-testid="layout-save" disabled={busy || !blocks || text === ""}>
            {t("settings.save")}
          </button>
          {name !== null && (
            <>
              <button
                type="button"
                data-testid="layout-rename"
                disabled={busy || text === "" || text === name}
                onClick={() => void run(() => api.renameLayout(name, text), `own:${text}`, t("layout.renamed"))}
              >
                {t("layout.rename")}
              </button>
              {previous && (
                <button
                  type="button"
                  data-testid="layout-previous"
                  disabled={busy}
                  onClick={() => void run(() => api.restoreLayout(name, form), layout, t("layout.restored"))}
                >
                  {t("layout.previous")}
                </button>
              )}
              <Reset
                text="layout.delete"
                disabled={busy}
                onReset={() => void run(() => api.deleteLayout(name), "standard", t("layout.deleted"))}
              />
            </>
          )}
          {name === null && <Reset disabled={busy} onReset={() => choose("standard")} />}
          <button type="button" data-testid="arrange-close" onClick={onClose}>
            {t("common.close")}
          </button>
        </form>
        <p id="layout-error" role="alert" class={error ? "error" : ""} data-testid="layout-error">
          {error}
        </p>
        <p class="quiet small" role="status">
          {note || (blocks ? t("layout.how") : "")}
        </p>
      </section>
    </>
  );
}

type Way = "move" | "size";

interface Drag {
  block: Block;
  way: Way;
  pointer: number;
  x: number;
  y: number;
  cell: number;
  before: Blocks;
}

// A place moved or drawn out by so many cells; the board stays a square.
function changed(block: Block, [x, y, width, height]: Cells, way: Way, dx: number, dy: number): Cells {
  if (way === "move") return [x + dx, y + dy, width, height];
  if (block !== "board") return [x, y, width + dx, height + dy];
  const by = Math.abs(dx) > Math.abs(dy) ? dx : dy;
  return [x, y, width + by, height + by];
}

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function Boxes({ form, blocks }: { form: Form; blocks: Blocks }): JSX.Element {
  const drag = useRef<Drag | null>(null);
  const [held, setHeld] = useState<Block | null>(null);
  const put = (block: Block, to: Cells): void => draft.set({ ...draft.get()!, [block]: to });

  const down = (e: PointerEvent, block: Block, way: Way): void => {
    if (e.button !== 0 || drag.current) return;
    const box = (e.currentTarget as HTMLElement).closest<HTMLElement>(".arrange-box")!;
    box.setPointerCapture(e.pointerId);
    drag.current = {
      block,
      way,
      pointer: e.pointerId,
      x: e.clientX,
      y: e.clientY + window.scrollY,
      cell: box.getBoundingClientRect().width / blocks[block][2],
      before: blocks,
    };
    setHeld(block);
    e.stopPropagation();
  };
  const move = (e: PointerEvent): void => {
    const d = drag.current;
    if (!d || e.pointerId !== d.pointer) return;
    const cells = (px: number): number => Math.round(px / d.cell);
    put(d.block, changed(d.block, d.before[d.block], d.way, cells(e.clientX - d.x), cells(e.clientY + window.scrollY - d.y)));
  };
  const up = (e: PointerEvent): void => {
    const d = drag.current;
    if (!d || e.pointerId !== d.pointer) return;
    drag.current = null;
    setHeld(null);
    const fault = e.type === "pointercancel" ? "overlap" : faultOf(form, draft.get()!, d.block);
    if (!fault) return;
    draft.set(d.before);
    say(t(`layout.fault.${fault}`));
  };
  const key = (e: KeyboardEvent, block: Block): void => {
    const arrow = ARROWS[e.key];
    if (!arrow || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    e.stopPropagation();
    const way: Way = e.shiftKey ? "size" : "move";
    if (way === "size" && isFixed(block)) return say(t("layout.fixed"));
    const to = changed(block, blocks[block], way, ...arrow);
    const fault = faultOf(form, { ...blocks, [block]: to }, block);
    if (fault) say(t(`layout.fault.${fault}`));
    else {
      put(block, to);
      say(placeText(to));
    }
  };
  return (
    <div class="arrange" role="group" aria-label={t("layout.blocks")}>
      {BLOCKS.map((block) => (
        <div
          key={block}
          data-place={block}
          data-testid={`box-${block}`}
          class={`arrange-box ${held === block ? "held" : ""} ${faultOf(form, blocks, block) ? "bad" : ""}`}
          tabIndex={0}
          role="button"
          aria-roledescription={t("layout.block")}
          aria-label={`${t(`layout.block.${block}`)}: ${placeText(blocks[block])}`}
          onPointerDown={(e) => down(e, block, "move")}
          onPointerMove={move}
          onPointerUp={up}
          onPointerCancel={up}
          onKeyDown={(e) => key(e, block)}
        >
          <span>{t(`layout.block.${block}`)}</span>
          {!isFixed(block) && (
            <i class="arrange-corner" data-testid={`corner-${block}`} onPointerDown={(e) => down(e, block, "size")} />
          )}
        </div>
      ))}
      <p class="unseen">{t("layout.zone", { width: ZONES[form].width, height: ZONES[form].height })}</p>
    </div>
  );
}

const placeText = ([x, y, width, height]: Cells): string =>
  t("layout.place", { x: x + 1, y: y + 1, width, height });
