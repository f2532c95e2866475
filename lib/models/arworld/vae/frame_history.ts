/**
 * What a streaming VAE remembers between two calls.
 *
 * @module
 */
import { concat, f32, type Graph, pad, type Shape, sizeOf, slice, type Value } from "../../../tensor/mod.ts";

/**
 * The last input frames of every convolution over time, as inputs and outputs of one graph.
 *
 * The first call of a stream sees zeros in place of the past (causal padding); each later call gets what the call
 * before gave out, so that a clip decoded in any grouping of frames gives the same result as in one go.
 */
export class FrameHistory {
  /** True for the call that starts the stream. */
  readonly first: boolean;
  readonly #graph: Graph;

  /** The outputs of the graph that are the next call's inputs have the names of those inputs. */
  constructor(graph: Graph, first: boolean) {
    this.#graph = graph;
    this.first = first;
  }

  /**
   * x [T,C,H,W] with the `count` frames before it in front -> [count+T,C,H,W]. The last `count` frames of the result
   * become the output `name`, which the next call takes as its input of that name.
   */
  prepend(name: string, x: Value, count: number): Value {
    const past: Shape = [count, ...x.shape.slice(1)];
    const joined = this.first ? pad(x, [count, 0, 0, 0], [0, 0, 0, 0]) : concat([this.#graph.input(name, past), x], 0);
    this.#graph.output(name, slice(joined, { axis: 0, start: -count }));
    return joined;
  }

  /** Makes the next call see zeros in place of the `count` frames before it; x gives the size of a frame. */
  forget(name: string, x: Value, count: number): void {
    const past = [count, ...x.shape.slice(1)];
    this.#graph.output(name, this.#graph.constant(f32(past, new Float32Array(sizeOf(past)))));
  }
}
