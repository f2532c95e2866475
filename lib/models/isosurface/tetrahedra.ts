/**
 * A cell cut into tetrahedra, and a tetrahedron cut by a surface.
 *
 * @module
 */

/** Corners of a cell: bit 2 is one step along x, bit 1 along y, bit 0 along z. */
type Corner = number;

/** The edge of a cell from its corner nearest to the origin, and the step to the other end. */
export interface CellEdge {
  readonly from: Corner;
  readonly step: Corner;
}

/** Four corners on the way from the first to the last corner of a cell, one axis after the other (Freudenthal 1942). */
interface Path {
  readonly corners: readonly [Corner, Corner, Corner, Corner];
  /** The corners turn to the left. */
  readonly positive: boolean;
}

const paths: readonly Path[] = [[4, 2, 1], [2, 1, 4], [1, 4, 2], [4, 1, 2], [2, 4, 1], [1, 2, 4]].map(
  ([a, b], i) => ({ corners: [0, a, a | b, 7], positive: i < 3 }),
);

/** Orders of four corners that can be reached by an even number of swaps, by which of them are inside. */
const orders: readonly (readonly number[] | undefined)[] = [
  undefined,
  [0, 1, 2, 3],
  [1, 0, 3, 2],
  [0, 1, 2, 3],
  [2, 0, 1, 3],
  [0, 2, 3, 1],
  [1, 2, 0, 3],
  [3, 0, 2, 1],
  [3, 0, 2, 1],
  [0, 3, 1, 2],
  [1, 3, 2, 0],
  [2, 0, 1, 3],
  [2, 3, 0, 1],
  [1, 0, 3, 2],
  [0, 1, 2, 3],
  undefined,
];

/**
 * The triangles of a cell by which of its corners are inside (bit c for corner c): three edges a triangle. Neighbouring
 * cells cut their common face along the same diagonal, so that the surface has no gaps.
 */
export const cellTriangles: readonly (readonly CellEdge[])[] = Array.from(
  { length: 256 },
  (_, inside) => paths.flatMap((path) => pathTriangles(path, inside)),
);

function pathTriangles({ corners, positive }: Path, inside: number): CellEdge[] {
  const flags = corners.reduce((bits, corner, i) => bits | (inside >> corner & 1) << i, 0);
  const order = orders[flags];
  if (!order) return [];
  const count = [0, 1, 2, 3].filter((i) => flags >> i & 1).length;
  const edge = (i: number, j: number): CellEdge => {
    const [a, b] = [corners[order[i]], corners[order[j]]];
    return { from: a & b, step: a ^ b };
  };
  // With one corner inside it comes first in its order, with one outside that one does; with two inside they come first.
  const triangles = count === 2
    ? [[edge(0, 2), edge(0, 3), edge(1, 3)], [edge(0, 2), edge(1, 3), edge(1, 2)]]
    : [[edge(0, 1), edge(0, 2), edge(0, 3)]];
  const outward = positive === (count < 3);
  return triangles.flatMap(([a, b, c]) => (outward ? [a, b, c] : [a, c, b]));
}
