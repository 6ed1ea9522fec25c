// SPDX-License-Identifier: GPL-3.0-or-later
//
// A dial of the old kind: the hands stand so that the time is out at twelve. The minute hand takes
// the flag up over the last minutes of every hour and lets it fall at twelve.
import type { JSX } from "preact";

const HOUR = 3_600_000;
const LIFT = 3 * 60_000;

// How far the flag is lifted, 0 (hangs) to 1 (level).
export const lift = (ms: number, down: boolean): number => {
  if (down || ms <= 0) return 0;
  const left = ms % HOUR;
  return left > LIFT ? 0 : 1 - left / LIFT;
};

const point = (angle: number, radius: number): [number, number] => [
  Math.sin(angle) * radius,
  -Math.cos(angle) * radius,
];

export function Dial({ ms, down }: { ms: number; down: boolean }): JSX.Element {
  const turn = (part: number): number => -part * 2 * Math.PI;
  const [mx, my] = point(turn(ms / HOUR), 40);
  const [hx, hy] = point(turn(ms / (12 * HOUR)), 26);
  const [sx, sy] = point(turn((ms % 60_000) / 60_000), 43);
  // The flag hangs from a pin left of twelve and swings up to lie level.
  const angle = Math.PI / 2 - (lift(ms, down) * Math.PI) / 2;
  const [fx, fy] = [-13 + Math.cos(angle) * 12, -34 + Math.sin(angle) * 12];
  return (
    <svg class="dial" viewBox="-50 -50 100 100" aria-hidden="true">
      <circle r="48" class="dial-face" />
      {Array.from({ length: 60 }, (_, i) => {
        const a = (i / 60) * 2 * Math.PI;
        const [x1, y1] = point(a, i % 5 === 0 ? 42 : 45);
        const [x2, y2] = point(a, 47);
        return <line key={i} x1={x1} y1={y1} x2={x2} y2={y2} class={i % 5 === 0 ? "dial-hour" : "dial-minute"} />;
      })}
      {[12, 3, 6, 9].map((n) => {
        const [x, y] = point((n / 12) * 2 * Math.PI, 35);
        return (
          <text key={n} x={x} y={y + 3.2} class="dial-figure">
            {n}
          </text>
        );
      })}
      <path class={down ? "dial-flag down" : "dial-flag"} data-lift={lift(ms, down).toFixed(2)} d={`M-13 -34L${fx} ${fy}L${fx - 3} ${fy - 4}Z`} />
      <line x2={hx} y2={hy} class="dial-hand hour" />
      <line x2={mx} y2={my} class="dial-hand" />
      <line x2={sx} y2={sy} class="dial-hand second" />
      <circle r="2.2" class="dial-pin" />
    </svg>
  );
}
