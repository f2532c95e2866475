/**
 * The part of a field that a surface goes through.
 *
 * @module
 */
import type { OperationSteps } from "../vision/operation.ts";
import type { GridField } from "./grid_field.ts";

/** Cells on the side of a brick. */
const BRICK = 4;

/** Nodes on the side of a brick with its far border. */
export const BLOCK: number = BRICK + 1;

/** Bricks on the side of a grid that is so small that all of it is evaluated. */
const SMALL_SIDE = 8;

/** Nodes that are evaluated at a time. */
export const EVALUATION_BATCH = 32768;

/** Numbers of the nodes that a brick owns: those of its cells' lower corners. */
interface Brick {
  /** [BRICK^3,channels]; a value of NaN was not evaluated. */
  readonly values: Float32Array;
}

/**
 * A field of which only bricks near the surface are evaluated: first every fourth node, then the bricks whose corners
 * lie on both sides of the level or come near to it, then every brick into which the surface runs on. A part of the
 * surface that is smaller than a brick and far from all others can be missed.
 */
export class SparseGrid {
  readonly field: GridField;
  /** Bricks on a side. */
  readonly side: number;
  readonly #bricks = new Map<number, Brick>();
  readonly #active = new Set<number>();
  /** Values at the corners of bricks, [side+1]^3. */
  readonly #corners: Float32Array;

  private constructor(field: GridField) {
    this.field = field;
    this.side = Math.ceil((field.nodes - 1) / BRICK);
    this.#corners = new Float32Array((this.side + 1) ** 3);
  }

  /** Evaluates what the surface needs; a step costs the nodes that are evaluated. */
  static async build(field: GridField, steps: OperationSteps): Promise<SparseGrid> {
    const grid = new SparseGrid(field);
    await grid.#evaluateCorners(steps);
    let fresh = grid.#bricksNearLevel();
    while (fresh.length > 0) {
      for (const brick of fresh) grid.#active.add(brick);
      await grid.#evaluateBricks(fresh, steps);
      fresh = grid.#neighboursReached(fresh);
    }
    return grid;
  }

  /** Bricks with surface in them, ascending: all of one x after those of the x before. */
  get bricks(): readonly number[] {
    return [...this.#active].sort((a, b) => a - b);
  }

  /**
   * Numbers of all nodes of an active brick, [x,y,z,channel] with BLOCK nodes a side; those beyond the grid are left.
   */
  readBlock(brick: number, block: Float32Array): void {
    const { channels } = this.field;
    const [x0, y0, z0] = this.origin(brick);
    for (let x = x0; x <= this.end(x0); x++) {
      for (let y = y0; y <= this.end(y0); y++) {
        for (let z = z0; z <= this.end(z0); z++) {
          const { values } = this.#bricks.get(this.#brickOf(x, y, z))!;
          const slot = this.#slot(x, y, z);
          const to = (((x - x0) * BLOCK + y - y0) * BLOCK + z - z0) * channels;
          for (let c = 0; c < channels; c++) block[to + c] = values[slot + c];
        }
      }
    }
  }

  /** First node of a brick. */
  origin(brick: number): [number, number, number] {
    const width = this.side + 1;
    const z = brick % width;
    const rest = (brick - z) / width;
    return [Math.floor(rest / width) * BRICK, rest % width * BRICK, z * BRICK];
  }

  /** Last node of a brick along an axis that begins at `start`. */
  end(start: number): number {
    return Math.min(start + BRICK, this.field.nodes - 1);
  }

  /** Bricks are numbered like their first corners, so that nodes on the far border have a brick of their own. */
  #brickOf(x: number, y: number, z: number): number {
    const width = this.side + 1;
    return (Math.floor(x / BRICK) * width + Math.floor(y / BRICK)) * width + Math.floor(z / BRICK);
  }

  #slot(x: number, y: number, z: number): number {
    return (((x % BRICK) * BRICK + y % BRICK) * BRICK + z % BRICK) * this.field.channels;
  }

  #node(x: number, y: number, z: number): number {
    return (x * this.field.nodes + y) * this.field.nodes + z;
  }

  async #evaluateCorners(steps: OperationSteps): Promise<void> {
    const width = this.side + 1;
    const last = this.field.nodes - 1;
    const place = (i: number) => Math.min(i * BRICK, last);
    const nodes = Int32Array.from({ length: width ** 3 }, (_, i) => {
      const rest = Math.floor(i / width);
      return this.#node(place(Math.floor(rest / width)), place(rest % width), place(i % width));
    });
    await this.#evaluate(nodes, steps, (i, values, at) => this.#corners[i] = values[at]);
  }

  /** Bricks whose corners lie on both sides of the level, or within the difference between them of it. */
  #bricksNearLevel(): number[] {
    const { level } = this.field;
    const width = this.side + 1;
    const near: number[] = [];
    for (let x = 0; x < this.side; x++) {
      for (let y = 0; y < this.side; y++) {
        for (let z = 0; z < this.side; z++) {
          const first = (x * width + y) * width + z;
          let [low, high] = [Infinity, -Infinity];
          for (const corner of [0, 1, width, width + 1]) {
            for (const value of [this.#corners[first + corner], this.#corners[first + corner + width * width]]) {
              low = Math.min(low, value);
              high = Math.max(high, value);
            }
          }
          // Written so that a corner that is not a number makes the brick one to look at.
          const far = low - (high - low) > level || high + (high - low) <= level;
          if (!far || this.side <= SMALL_SIDE) near.push(first);
        }
      }
    }
    return near;
  }

  async #evaluateBricks(bricks: readonly number[], steps: OperationSteps): Promise<void> {
    let nodes: number[] = [];
    let places: [Brick, number][] = [];
    const flush = async () => {
      const batch = places;
      await this.#evaluate(Int32Array.from(nodes), steps, (i, values, at) => this.#store(...batch[i], values, at));
      [nodes, places] = [[], []];
    };
    for (const number of bricks) {
      const [x0, y0, z0] = this.origin(number);
      for (let x = x0; x <= this.end(x0); x++) {
        for (let y = y0; y <= this.end(y0); y++) {
          for (let z = z0; z <= this.end(z0); z++) {
            const brick = this.#brick(this.#brickOf(x, y, z));
            const slot = this.#slot(x, y, z);
            if (!Number.isNaN(brick.values[slot])) continue;
            brick.values[slot] = this.field.level; // asked for once
            nodes.push(this.#node(x, y, z));
            places.push([brick, slot]);
          }
        }
      }
      if (nodes.length >= EVALUATION_BATCH) await flush();
    }
    await flush();
  }

  /** NaN is outside: at the level. */
  #store(brick: Brick, slot: number, values: Float32Array, at: number): void {
    const { channels, level } = this.field;
    brick.values[slot] = Number.isNaN(values[at]) ? level : values[at];
    for (let c = 1; c < channels; c++) brick.values[slot + c] = values[at + c];
  }

  #brick(number: number): Brick {
    let brick = this.#bricks.get(number);
    if (!brick) {
      brick = { values: new Float32Array(BRICK ** 3 * this.field.channels).fill(NaN) };
      this.#bricks.set(number, brick);
    }
    return brick;
  }

  /** Bricks beside these on whose common face the level is crossed. */
  #neighboursReached(bricks: readonly number[]): number[] {
    const reached = new Set<number>();
    const width = this.side + 1;
    for (const brick of bricks) {
      const origin = this.origin(brick);
      [width * width, width, 1].forEach((stride, axis) => {
        for (const [place, neighbour] of [[origin[axis], -1], [this.end(origin[axis]), 1]] as const) {
          const at = origin[axis] / BRICK + neighbour;
          const other = brick + neighbour * stride;
          if (at < 0 || at >= this.side || this.#active.has(other)) continue;
          if (this.#faceCrosses(origin, axis, place)) reached.add(other);
        }
      });
    }
    return [...reached];
  }

  #faceCrosses(origin: readonly number[], axis: number, place: number): boolean {
    const [u, v] = [0, 1, 2].filter((a) => a !== axis);
    const node = [0, 0, 0];
    node[axis] = place;
    let [inside, outside] = [false, false];
    for (node[u] = origin[u]; node[u] <= this.end(origin[u]); node[u]++) {
      for (node[v] = origin[v]; node[v] <= this.end(origin[v]); node[v]++) {
        const [x, y, z] = node;
        const { values } = this.#bricks.get(this.#brickOf(x, y, z))!;
        if (values[this.#slot(x, y, z)] > this.field.level) inside = true;
        else outside = true;
      }
    }
    return inside && outside;
  }

  async #evaluate(
    nodes: Int32Array,
    steps: OperationSteps,
    store: (i: number, values: Float32Array, at: number) => void,
  ): Promise<void> {
    for (let start = 0; start < nodes.length; start += EVALUATION_BATCH) {
      const batch = nodes.subarray(start, start + EVALUATION_BATCH);
      const values = await steps.step(batch.length, () => this.field.evaluate(batch));
      for (let i = 0; i < batch.length; i++) store(start + i, values, i * this.field.channels);
    }
  }
}
