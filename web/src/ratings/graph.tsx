// SPDX-License-Identifier: GPL-3.0-or-later
//
// The way of a rating as a line, with uPlot; drawn anew when the colours or the width change. What
// the line shows stands below it as a table too.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { prefs } from "../app/prefs";
import { useStore } from "../app/store";
import { date, dateTime, t } from "../i18n";

interface GraphProps {
  points: [number, number][]; // instant, rating
  label: string;
}

const HEIGHT = 220;
const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function RatingGraph({ points, label }: GraphProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const { theme } = useStore(prefs);
  const [at, setAt] = useState<number | null>(null);

  useEffect(() => {
    const box = frame.current!;
    const when = points[points.length - 1]![0] - points[0]![0] < 3 * 86_400_000 ? dateTime : date;
    const draw = (): void => {
      plot.current?.destroy();
      const axis = { stroke: color("--ink-2"), grid: { stroke: color("--rule"), width: 1 }, ticks: { show: false }, font: "12px sans-serif" };
      plot.current = new uPlot(
        {
          width: box.clientWidth,
          height: HEIGHT,
          legend: { show: false },
          cursor: { y: false, drag: { x: false, y: false } },
          scales: { x: { time: true }, y: { range: (_, low, high) => [Math.floor(low / 50) * 50 - 25, Math.ceil(high / 50) * 50 + 25] } },
          axes: [
            { ...axis, values: (_, ticks) => ticks.map((s) => when(s * 1000)), space: 130 },
            { ...axis, values: (_, ticks) => ticks.map(String), size: 48 },
          ],
          series: [{}, { stroke: color("--act"), width: 2, points: { show: points.length < 40, size: 6, fill: color("--act") } }],
          hooks: { setCursor: [(u) => setAt(u.cursor.idx ?? null)] },
        },
        [points.map((p) => p[0] / 1000), points.map((p) => p[1])],
        box,
      );
    };
    draw();
    const watch = new ResizeObserver(() => plot.current?.setSize({ width: box.clientWidth, height: HEIGHT }));
    watch.observe(box);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    return () => {
      scheme.removeEventListener("change", draw);
      watch.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [points, theme]);

  const step = (by: number): void => {
    const next = at === null ? points.length - 1 : Math.min(points.length - 1, Math.max(0, at + by));
    setAt(next);
    const u = plot.current;
    if (u) u.setCursor({ left: u.valToPos(points[next]![0] / 1000, "x"), top: 10 }, false);
  };
  const onKey = (e: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -points.length, End: points.length }[e.key];
    if (by === undefined) return;
    e.preventDefault();
    step(by);
  };
  const point = at === null ? undefined : points[at];
  return (
    <figure class="rating-graph">
      <div ref={frame} class="graph-frame" role="img" aria-label={label} tabIndex={0} onKeyDown={onKey} data-testid="graph" />
      <figcaption class="quiet">
        <span role="status">{point ? `${date(point[0])}: ${point[1]}` : t("ratings.graph_hint")}</span>
      </figcaption>
      <details>
        <summary>{t("ratings.graph_table")}</summary>
        <div class="table-frame graph-table" tabIndex={0} role="region" aria-label={t("ratings.graph_table")}>
          <table class="narrow-table">
            <thead>
              <tr>
                <th scope="col">{t("ratings.date")}</th>
                <th scope="col" class="right">{t("ratings.rating")}</th>
              </tr>
            </thead>
            <tbody>
              {[...points].reverse().map(([ms, rating]) => (
                <tr key={ms}>
                  <td>{date(ms)}</td>
                  <td class="right">{rating}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
