// SPDX-License-Identifier: GPL-3.0-or-later
//
// 64 = 65 (L-030): the board cut into four pieces that can be moved and turned by hand or keyboard,
// and a glass that shows where the missing square hides.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { startServiceWorker } from "../app/service_worker";
import { setTitle } from "../app/title";
import {
  SIZES,
  areaOf,
  cassini,
  corners,
  formOf,
  rectangle,
  rest,
  shapes,
  square,
  turn,
  type Placed,
  type Point,
  type Size,
} from "../curiosity/geometry";
import { number, t } from "../i18n";
import { keepOffline } from "../local/offline";
import { say } from "../ui/say";

const ZOOM_MAX = 40;
const text = (points: readonly Point[]): string => points.map((p) => p.join(",")).join(" ");

export function CuriosityPage(): JSX.Element {
  const [size, setSize] = useState<Size>(SIZES[2]!);
  const [placed, setPlaced] = useState<Placed[]>(() => square(SIZES[2]!));
  const [picked, setPicked] = useState(0);
  const [zoom, setZoom] = useState(1);
  const drag = useRef<{ piece: number; x: number; y: number; from: Placed } | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  useEffect(() => setTitle(t("curiosity.title")), []);
  useEffect(() => void startServiceWorker().then(keepOffline), []);

  const list = useMemo(() => shapes(size), [size]);
  const { a, b, c } = size;
  const form = formOf(size, placed);
  // The field: room for either figure and a margin to lay pieces aside.
  const margin = Math.ceil(c / 4);
  const width = b + c + 2 * margin;
  const height = c + 2 * margin;
  // In the rectangle the glass looks at the middle of the rest; elsewhere it is laid away.
  const corner = useMemo((): Point => {
    const all = placed.flatMap((at, i) => corners(list[i]!, at));
    return [Math.min(...all.map((p) => p[0])), Math.min(...all.map((p) => p[1]))];
  }, [placed, list]);
  const glass = form === "rectangle" ? zoom : 1;
  const middle: Point = [corner[0] + (b + c) / 2, corner[1] + b / 2];
  const box =
    glass === 1
      ? [-margin, -margin, width, height]
      : [middle[0] - width / glass / 2, middle[1] - height / glass / 2, width / glass, height / glass];
  const gap = rest(size).map(([x, y]): Point => [x + corner[0], y + corner[1]]);
  const sign = cassini(size);

  const choose = (next: Size): void => {
    setSize(next);
    setPlaced(square(next));
    setZoom(1);
  };
  const arrange = (to: (size: Size) => Placed[]): void => {
    setPlaced(to(size));
    setZoom(1);
  };
  // From where the piece is by now: events may come faster than pictures.
  const change = (piece: number, to: (at: Placed) => Placed): void =>
    setPlaced((now) => now.map((at, i) => (i === piece ? to(at) : at)));
  const turnPiece = (piece: number): void => change(piece, (at) => turn(list[piece]!, at));
  const held = (at: Placed): Placed => ({
    ...at,
    x: Math.max(-margin, Math.min(b + c + margin, Math.round(at.x))),
    y: Math.max(-margin, Math.min(c + margin, Math.round(at.y))),
  });
  // Screen to squares.
  const place = (e: PointerEvent): Point => {
    const matrix = svg.current!.getScreenCTM()!.inverse();
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(matrix);
    return [p.x, p.y];
  };
  const onDown = (piece: number, e: PointerEvent): void => {
    if (e.button !== 0) return;
    const [x, y] = place(e);
    drag.current = { piece, x, y, from: placed[piece]! };
    svg.current!.setPointerCapture(e.pointerId);
    setPicked(piece);
  };
  const onMove = (e: PointerEvent): void => {
    const now = drag.current;
    if (!now) return;
    const [x, y] = place(e);
    change(now.piece, () => ({ ...now.from, x: now.from.x + x - now.x, y: now.from.y + y - now.y }));
  };
  const onUp = (): void => {
    const now = drag.current;
    drag.current = null;
    if (now) change(now.piece, held);
  };
  const onKey = (piece: number, e: KeyboardEvent): void => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (step) change(piece, (at) => held({ ...at, x: at.x + step[0]!, y: at.y + step[1]! }));
    else if (e.key === "Enter" || e.key === " " || e.code === "KeyR") turnPiece(piece);
    else return;
    e.preventDefault();
  };
  const formText =
    form === "square"
      ? t("curiosity.is_square", { n: c, area: c * c })
      : form === "rectangle"
        ? t("curiosity.is_rectangle", { n: b, m: b + c, area: b * (b + c) })
        : t("curiosity.is_none");
  useEffect(() => say(formText), [form, size]);

  return (
    <section class="sheet curiosity">
      <h1>{t("curiosity.title")}</h1>
      <p>{t("curiosity.lead")}</p>
      <p class="curiosity-row" role="group" aria-label={t("curiosity.size")}>
        <span>{t("curiosity.size")}</span>
        {SIZES.map((s) => (
          <button key={s.n} class="plain" aria-pressed={s === size} data-testid={`size-${s.c}`} onClick={() => choose(s)}>
            {number(s.c)} × {number(s.c)}
          </button>
        ))}
      </p>
      <svg
        ref={svg}
        class="curiosity-field"
        viewBox={box.join(" ")}
        data-testid="field"
        data-form={form}
        role="group"
        aria-label={t("curiosity.field")}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={onUp}
      >
        <Grid x={-margin} y={-margin} width={width} height={height} />
        {form === "rectangle" && sign > 0 && <polygon points={text(gap)} class="curiosity-rest" data-testid="rest" />}
        {list.map((shape, i) => {
          const at = placed[i]!;
          return (
            <polygon
              key={i}
              points={text(corners(shape, at))}
              class={`piece-${i} ${picked === i ? "picked" : ""}`}
              tabIndex={0}
              role="button"
              aria-label={t(i < 2 ? "curiosity.triangle" : "curiosity.trapezium", {
                n: i < 2 ? i + 1 : i - 1,
                x: Math.round(at.x),
                y: Math.round(at.y),
                turned: at.turns * 90,
              })}
              data-testid={`piece-${i}`}
              onPointerDown={(e) => onDown(i, e)}
              onDblClick={() => turnPiece(i)}
              onFocus={() => setPicked(i)}
              onKeyDown={(e) => onKey(i, e)}
            />
          );
        })}
        {form === "rectangle" && sign < 0 && <polygon points={text(gap)} class="curiosity-rest over" data-testid="rest" />}
      </svg>
      <p class="curiosity-row">
        <button data-testid="to-square" onClick={() => arrange(square)}>
          {t("curiosity.square")}
        </button>
        <button data-testid="to-rectangle" onClick={() => arrange(rectangle)}>
          {t("curiosity.rectangle")}
        </button>
        <button class="plain" data-testid="turn" onClick={() => turnPiece(picked)}>
          {t("curiosity.turn")}
        </button>
        <label>
          {t("curiosity.zoom")}{" "}
          <input
            type="range"
            min="1"
            max={ZOOM_MAX}
            step="1"
            value={glass}
            disabled={form !== "rectangle"}
            data-testid="zoom"
            onInput={(e) => setZoom(Number(e.currentTarget.value))}
          />{" "}
          <output>×{number(glass)}</output>
        </label>
      </p>
      <p class="curiosity-form" data-testid="form">
        <b>{formText}</b>
      </p>
      {form === "rectangle" && (
        <p data-testid="explain">
          {t(sign > 0 ? "curiosity.gap" : "curiosity.overlap", { area: areaOf(gap), n: a, m: c, k: b - a, l: b })}
        </p>
      )}
      <h2>{t("curiosity.cassini")}</h2>
      <p>{t("curiosity.cassini_text")}</p>
      <div class="table-frame" tabIndex={0} role="region" aria-label={t("curiosity.cassini")}>
        <table class="curiosity-table">
          <thead>
            <tr>
              <th scope="col">n</th>
              <th scope="col">F(n−1)</th>
              <th scope="col">F(n)</th>
              <th scope="col">F(n+1)</th>
              <th scope="col">F(n−1) · F(n+1) − F(n)²</th>
            </tr>
          </thead>
          <tbody>
            {SIZES.map((s) => (
              <tr key={s.n} aria-current={s === size ? "true" : undefined}>
                <td>{number(s.n)}</td>
                <td>{number(s.b)}</td>
                <td>{number(s.c)}</td>
                <td>{number(s.b + s.c)}</td>
                <td>
                  {number(s.b)} · {number(s.b + s.c)} − {number(s.c)}² = {number(s.b * (s.b + s.c))} − {number(s.c * s.c)} ={" "}
                  <b>{cassini(s) > 0 ? "+1" : "−1"}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Grid({ x, y, width, height }: { x: number; y: number; width: number; height: number }): JSX.Element {
  const lines: string[] = [];
  for (let i = 0; i <= width; i++) lines.push(`M${x + i} ${y}v${height}`);
  for (let i = 0; i <= height; i++) lines.push(`M${x} ${y + i}h${width}`);
  return <path class="curiosity-grid" d={lines.join("")} />;
}
