// SPDX-License-Identifier: GPL-3.0-or-later
//
// The advantage through a game, in pawns for White; a press goes to the move.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { prefs } from "../app/prefs";
import { useStore } from "../app/store";
import { t } from "../i18n";
import type { Node } from "./tree";

interface GraphProps {
  nodes: readonly Node[];
  heights: readonly (number | null)[];
  at: Node;
  onGo: (node: Node) => void;
}

const HEIGHT = 130;

export function EvaluationGraph({ nodes, heights, at, onGo }: GraphProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef({ nodes, onGo, at });
  latest.current = { nodes, onGo, at };
  const { theme } = useStore(prefs);

  useEffect(() => {
    const box = frame.current!;
    const color = (name: string): string => getComputedStyle(box).getPropertyValue(name).trim();
    const made = new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, points: { show: true }, drag: { x: false, y: false } },
        scales: { x: { time: false }, y: { range: [-10.5, 10.5] } },
        axes: [
          { show: false },
          { stroke: color("--ink-2"), size: 34, grid: { stroke: color("--rule") }, ticks: { show: false }, splits: () => [-10, -5, 0, 5, 10] },
        ],
        series: [{}, { stroke: color("--act"), width: 2, fill: color("--act-tint"), points: { show: false }, spanGaps: false }],
        hooks: {
          // Where one stands.
          draw: [
            (u) => {
              const x = u.valToPos(latest.current.nodes.indexOf(latest.current.at), "x", true);
              if (!Number.isFinite(x) || latest.current.nodes.indexOf(latest.current.at) < 0) return;
              u.ctx.save();
              u.ctx.strokeStyle = color("--clock");
              u.ctx.lineWidth = 2;
              u.ctx.beginPath();
              u.ctx.moveTo(x, u.bbox.top);
              u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
              u.ctx.stroke();
              u.ctx.restore();
            },
          ],
        },
      },
      [[], []],
      box,
    );
    plot.current = made;
    made.over.addEventListener("click", () => {
      const node = made.cursor.idx == null ? undefined : latest.current.nodes[made.cursor.idx];
      if (node) latest.current.onGo(node);
    });
    const observer = new ResizeObserver(() => made.setSize({ width: box.clientWidth, height: HEIGHT }));
    observer.observe(box);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [theme]);

  useEffect(() => {
    plot.current?.setData([nodes.map((_, i) => i), [...heights]]);
  }, [nodes, heights, at, theme]);

  return (
    <div
      class="graph"
      ref={frame}
      role="img"
      aria-label={t("analysis.graph", { n: heights.filter((h) => h !== null).length })}
      data-testid="graph"
    />
  );
}
