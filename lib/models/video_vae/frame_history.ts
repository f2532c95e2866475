/**
 * What a streaming VAE remembers between two calls.
 *
 * @module
 */
import { concat, f32, type Graph, pad, type Shape, sizeOf, slice, type Value } from "../../compute/tensor/mod.ts";

/** The place of a call in its stream: the first one, a later one, or the only one. */
export type StreamPlace = "first" | "later" | "only";

/**
 * The last input frames of every convolution over time, as inputs and outputs of one graph.
 *
 * The first call of a stream sees zeros in place of the past (causal padding); each later call gets what the call
 * before gave out, so that a clip decoded in any grouping of frames gives the same result as in one go. The outputs
 * have the names of the inputs that they become.
 */
export class FrameHistory {
  /** True for a call that has no past. */
  readonly first: boolean;
  readonly #graph: Graph;
  readonly #continued: boolean;

  constructor(graph: Graph, place: StreamPlace) {
    this.#graph = graph;
    this.first = place !== "later";
    this.#continued = place !== "only";
  }

  /** x [T,C,H,W] with the `count` frames before it in front -> [count+T,C,H,W]; zeros where there is no past. */
  prepend(name: string, x: Value, count: number): Value {
    if (this.first) {
      const padded = pad(x, [count, 0, 0, 0], [0, 0, 0, 0]);
      this.keep(name, padded, count);
      return padded;
    }
    const past = this.past(name, x, count);
    const missing = count - x.shape[0];
    // Not a part of the joined frames: convolutions are then all that reads these, and a device need not join them.
    this.keep(name, missing > 0 ? concat([slice(past, { axis: 0, start: -missing }), x], 0) : x, count);
    return concat([past, x], 0);
  }

  /** The `count` frames of the size of x [T,C,H,W] that the call before kept under this name. */
  past(name: string, x: Value, count: number): Value {
    return this.#graph.input(name, framesLike(x, count));
  }

  /** Keeps the last `count` frames of x for the next call. */
  keep(name: string, x: Value, count: number): void {
    if (this.#continued) this.#graph.output(name, slice(x, { axis: 0, start: -count }));
  }

  /** Lets the next call see zeros in place of the `count` frames of the size of x before it. */
  forget(name: string, x: Value, count: number): void {
    const zeros = framesLike(x, count);
    if (this.#continued) this.#graph.output(name, this.#graph.constant(f32(zeros, new Float32Array(sizeOf(zeros)))));
  }
}

function framesLike(x: Value, count: number): Shape {
  return [count, ...x.shape.slice(1)];
}
