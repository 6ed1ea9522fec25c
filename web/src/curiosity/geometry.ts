// SPDX-License-Identifier: GPL-3.0-or-later
//
// 64 = 65: a square of side F(n) cut into two right triangles and two trapezia that seem to fill a
// rectangle of F(n-1) by F(n+1). Cassini: F(n-1)·F(n+1) − F(n)² = (−1)^n; the rest is a thin
// parallelogram of area 1, a gap where n is even and an overlap where it is odd. Pure.

export type Point = readonly [number, number];
export interface Placed {
  x: number;
  y: number;
  turns: number; // quarters, clockwise
}
export interface Size {
  n: number; // of the Fibonacci number that is the side
  a: number; // F(n-2)
  b: number; // F(n-1)
  c: number; // F(n), the side
}

export const SIZES: readonly Size[] = [
  { n: 4, a: 1, b: 2, c: 3 },
  { n: 5, a: 2, b: 3, c: 5 },
  { n: 6, a: 3, b: 5, c: 8 },
  { n: 7, a: 5, b: 8, c: 13 },
  { n: 8, a: 8, b: 13, c: 21 },
];

// F(n-1)·F(n+1) − F(n)²: +1 or −1.
export const cassini = ({ b, c }: Size): number => b * (b + c) - c * c;

// The four pieces about their own corner, unturned: triangle, triangle, trapezium, trapezium.
export function shapes({ a, b, c }: Size): readonly (readonly Point[])[] {
  const triangle: Point[] = [
    [0, 0],
    [c, 0],
    [0, a],
  ];
  const trapezium: Point[] = [
    [0, 0],
    [a, 0],
    [b, b],
    [0, b],
  ];
  return [triangle, triangle, trapezium, trapezium];
}

const turned = ([x, y]: Point, turns: number): Point => {
  switch (((turns % 4) + 4) % 4) {
    case 1:
      return [-y, x];
    case 2:
      return [-x, -y];
    case 3:
      return [y, -x];
    default:
      return [x, y];
  }
};

export const corners = (shape: readonly Point[], at: Placed): Point[] =>
  shape.map((p) => {
    const [x, y] = turned(p, at.turns);
    return [x + at.x, y + at.y];
  });

// Turned about its own middle, on whole squares again.
export function turn(shape: readonly Point[], at: Placed, by = 1): Placed {
  const middle = (points: readonly Point[]): Point => {
    const xs = points.map((p) => p[0]);
    const ys = points.map((p) => p[1]);
    return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
  };
  const next = { ...at, turns: (at.turns + by + 4) % 4 };
  const [x0, y0] = middle(corners(shape, at));
  const [x1, y1] = middle(corners(shape, next));
  // Half a square down and half a square up by turns, so that four turns lead back.
  const whole = next.turns % 2 === 1 ? Math.floor : Math.ceil;
  return { ...next, x: whole(at.x + x0 - x1), y: whole(at.y + y0 - y1) };
}

export const square = ({ a, b, c }: Size): Placed[] => [
  { x: 0, y: 0, turns: 0 },
  { x: c, y: a, turns: 2 },
  { x: 0, y: a, turns: 0 },
  { x: c, y: a + b, turns: 2 },
];

// b high, b + c wide.
export const rectangle = ({ b, c }: Size): Placed[] => [
  { x: b, y: 0, turns: 0 },
  { x: c, y: b, turns: 2 },
  { x: b, y: 0, turns: 1 },
  { x: c, y: b, turns: 3 },
];

// The rest between the pieces of the rectangle, about its middle.
export const rest = ({ a, b, c }: Size): Point[] => [
  [0, b],
  [c, b - a],
  [b + c, 0],
  [b, a],
];

export function areaOf(points: readonly Point[]): number {
  let sum = 0;
  points.forEach(([x, y], i) => {
    const [u, v] = points[(i + 1) % points.length]!;
    sum += x * v - u * y;
  });
  return Math.abs(sum) / 2;
}

// A piece by its corners, whatever its place in the list and however far the whole was moved.
const keyOf = (points: readonly Point[], dx: number, dy: number): string =>
  points
    .map(([x, y]) => `${x - dx},${y - dy}`)
    .sort()
    .join(" ");

function together(pieces: readonly (readonly Point[])[]): string {
  const all = pieces.flat();
  const dx = Math.min(...all.map((p) => p[0]));
  const dy = Math.min(...all.map((p) => p[1]));
  return pieces
    .map((p) => keyOf(p, dx, dy))
    .sort()
    .join("|");
}

// What the pieces form now.
export function formOf(size: Size, placed: readonly Placed[]): "square" | "rectangle" | "none" {
  const list = shapes(size);
  const of = (at: readonly Placed[]): string => together(list.map((shape, i) => corners(shape, at[i]!)));
  const now = of(placed);
  if (now === of(square(size))) return "square";
  return now === of(rectangle(size)) ? "rectangle" : "none";
}
