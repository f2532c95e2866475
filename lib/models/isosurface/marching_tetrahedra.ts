/**
 * The surface of a field as triangles: cells cut into tetrahedra, and tetrahedra cut by the surface.
 *
 * @module
 */
import { BLOCK, type SparseGrid } from "./sparse_grid.ts";
import { type SurfaceMesh, surfaceTooLargeError } from "./surface_mesh.ts";

/** Triangles beyond which a surface is noise, and files of it are of no use. */
const MAX_TRIANGLES = 8_000_000;

/** Edges that begin at a node: seven steps to other corners of its cell. */
const STEPS = 7;

/**
 * Marching tetrahedra (Payne and Toga 1990; Doi and Koide 1991): every cell is cut into six tetrahedra around its long
 * diagonal, and a vertex lies on every edge whose ends are on different sides, shared by all triangles around it. A
 * surface that does not reach the border of the grid is closed and has its triangles outward.
 *
 * @param extent Coordinate of the last node along every axis; the first one lies opposite.
 * @throws {SvcError} when there are too many triangles.
 */
export function marchingTetrahedra(grid: SparseGrid, extent: number): SurfaceMesh {
  const mesher = new Mesher(grid, extent);
  let layer = 0;
  for (const brick of grid.bricks) {
    const [x] = grid.origin(brick);
    for (; layer < x; layer++) mesher.leaveLayer(layer);
    mesher.addBrick(brick);
  }
  return mesher.finish();
}

class Mesher {
  readonly #grid: SparseGrid;
  readonly #nodes: number;
  readonly #channels: number;
  readonly #extent: number;
  readonly #level: number;
  readonly #shape: (value: number) => number;
  /** Numbers of the nodes of the current brick, and its first node. */
  readonly #block: Float32Array;
  #origin: readonly number[] = [0, 0, 0];
  /** Vertices on the edges that begin in a layer of nodes, by node and step; by the x of the layer. */
  readonly #layers = new Map<number, Int32Array>();
  readonly #spare: Int32Array[] = [];
  readonly #positions = new GrowingArray(Float32Array);
  readonly #triangles = new GrowingArray(Uint32Array);

  constructor(grid: SparseGrid, extent: number) {
    const { nodes, channels, level, shape } = grid.field;
    this.#grid = grid;
    this.#nodes = nodes;
    this.#channels = channels;
    this.#extent = extent;
    this.#level = level;
    this.#shape = shape ?? ((value) => value);
    this.#block = new Float32Array(BLOCK ** 3 * channels);
  }

  addBrick(brick: number): void {
    this.#origin = this.#grid.origin(brick);
    this.#grid.readBlock(brick, this.#block);
    const [x1, y1, z1] = this.#origin.map((start) => this.#grid.end(start) - start);
    for (let x = 0; x < x1; x++) {
      for (let y = 0; y < y1; y++) {
        for (let z = 0; z < z1; z++) this.#addCell(x, y, z);
      }
    }
    if (this.#triangles.length > 3 * MAX_TRIANGLES) throw surfaceTooLargeError(MAX_TRIANGLES);
  }

  /** Nothing begins in this layer any more. */
  leaveLayer(x: number): void {
    const layer = this.#layers.get(x);
    if (!layer) return;
    this.#layers.delete(x);
    this.#spare.push(layer);
  }

  finish(): SurfaceMesh {
    return { positions: this.#positions.take(), triangles: this.#triangles.take() };
  }

  /** Coordinates from here on count from the brick's first node. */
  #addCell(x: number, y: number, z: number): void {
    let inside = 0;
    for (let corner = 0; corner < 8; corner++) {
      if (this.#value(x, y, z, corner) > this.#level) inside |= 1 << corner;
    }
    for (const { from, step } of cellTriangles[inside]) {
      this.#triangles.push(this.#vertex(x + (from >> 2), y + (from >> 1 & 1), z + (from & 1), step));
    }
  }

  /** Number of a node, or of the one that lies a step from it. */
  #value(x: number, y: number, z: number, step: number, channel = 0): number {
    const at = ((x + (step >> 2)) * BLOCK + y + (step >> 1 & 1)) * BLOCK + z + (step & 1);
    return this.#block[at * this.#channels + channel];
  }

  #vertex(x: number, y: number, z: number, step: number): number {
    const layer = this.#layer(this.#origin[0] + x);
    const slot = ((this.#origin[1] + y) * this.#nodes + this.#origin[2] + z) * STEPS + step - 1;
    if (layer[slot] >= 0) return layer[slot];
    const from = this.#shape(this.#value(x, y, z, 0));
    const to = this.#shape(this.#value(x, y, z, step));
    const share = (this.#shape(this.#level) - from) / (to - from);
    // Infinite values leave no share; a vertex in the middle is as good as any other.
    const t = share >= 0 && share <= 1 ? share : 0.5;
    const place = [x, y, z];
    for (let axis = 0; axis < 3; axis++) {
      const node = this.#origin[axis] + place[axis];
      const ahead = step >> (2 - axis) & 1;
      const start = this.#regular(node) + this.#moved(x, y, z, 0, axis);
      const end = this.#regular(node + ahead) + this.#moved(x, y, z, step, axis);
      this.#positions.push(start + (end - start) * t);
    }
    return layer[slot] = this.#positions.length / 3 - 1;
  }

  #regular(node: number): number {
    return -this.#extent + node * 2 * this.#extent / (this.#nodes - 1);
  }

  /** How far a node is moved along an axis where the grid is deformed. */
  #moved(x: number, y: number, z: number, step: number, axis: number): number {
    return this.#channels === 1 ? 0 : this.#value(x, y, z, step, 1 + axis);
  }

  #layer(x: number): Int32Array {
    const known = this.#layers.get(x);
    if (known) return known;
    const layer = this.#spare.pop() ?? new Int32Array(this.#nodes * this.#nodes * STEPS);
    layer.fill(-1);
    this.#layers.set(x, layer);
    return layer;
  }
}

/** Corners of a cell: bit 2 is one step along x, bit 1 along y, bit 0 along z. */
type Corner = number;

/** The edge of a cell from its corner nearest to the origin, and the step to the other end. */
interface CellEdge {
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
const cellTriangles: readonly (readonly CellEdge[])[] = Array.from(
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

type Numbers = Float32Array | Uint32Array;

/** Numbers that are added one by one; twice the room whenever it is used up. */
class GrowingArray<T extends Numbers> {
  readonly #make: new (length: number) => T;
  #data: T;
  #length = 0;

  /** @param make The kind of array. */
  constructor(make: new (length: number) => T) {
    this.#make = make;
    this.#data = new make(1024);
  }

  /** Numbers so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds a number. */
  push(value: number): void {
    if (this.#length === this.#data.length) {
      const larger = new this.#make(2 * this.#length);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[this.#length++] = value;
  }

  /** All numbers, in an array of their length. */
  take(): T {
    return this.#data.slice(0, this.#length) as T;
  }
}
