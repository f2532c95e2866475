/**
 * Weights by their canonical names, as a tree.
 *
 * @module
 */
import {
  formatShape,
  type Graph,
  type Shape,
  sizeOf,
  type Tensor,
  tensor,
  type Value,
} from "../../compute/tensor/mod.ts";

/**
 * Tensors of a model below one prefix. The same name and shape always give the same tensor object, so that all
 * programs of a model share one copy on the device.
 */
export class Weights {
  readonly #tensors: ReadonlyMap<string, Tensor>;
  readonly #reshaped: Map<string, Tensor>;
  readonly #prefix: string;

  /** All tensors of a model by name. */
  constructor(tensors: ReadonlyMap<string, Tensor>, prefix = "", reshaped: Map<string, Tensor> = new Map()) {
    this.#tensors = tensors;
    this.#reshaped = reshaped;
    this.#prefix = prefix;
  }

  /** The branch below `path`, such as `blocks.0.self_attn`. */
  at(path: string): Weights {
    return new Weights(this.#tensors, `${this.#prefix}${path}.`, this.#reshaped);
  }

  /** Whether the tensor exists. */
  has(name: string): boolean {
    return this.#tensors.has(this.#prefix + name);
  }

  /**
   * A tensor as it is stored, or under another shape of as many elements.
   *
   * @throws {Error} when the model has no such tensor; a loader that checked its files makes that impossible.
   */
  get(name: string, shape?: Shape): Tensor {
    const path = this.#prefix + name;
    const stored = this.#tensors.get(path);
    if (!stored) throw new Error(`Cannot find weight "${path}": the model was loaded without it`);
    if (!shape) return stored;
    if (sizeOf(shape) !== sizeOf(stored.shape)) {
      throw new Error(
        `Cannot use weight "${path}" as ${formatShape(shape)}: it has the shape ${formatShape(stored.shape)}`,
      );
    }
    const key = `${path} ${shape.join()}`;
    const known = this.#reshaped.get(key);
    if (known) return known;
    const view = tensor(stored.dtype, shape, stored.data);
    this.#reshaped.set(key, view);
    return view;
  }

  /** Some neighbouring entries of the first axis, such as one of the layers that a fused weight holds. */
  rows(name: string, start: number, count: number): Tensor {
    const path = this.#prefix + name;
    const stored = this.get(name);
    const [rows, ...rest] = stored.shape;
    if (start + count > rows) {
      throw new Error(`Cannot use rows ${start} to ${start + count} of weight "${path}": it has ${rows}`);
    }
    const key = `${path} ${start}+${count}`;
    const known = this.#reshaped.get(key);
    if (known) return known;
    const size = sizeOf(rest);
    const view = tensor(stored.dtype, [count, ...rest], stored.data.subarray(start * size, (start + count) * size));
    this.#reshaped.set(key, view);
    return view;
  }

  /** The tensor as a value of a graph. */
  in(graph: Graph, name: string, shape?: Shape): Value {
    return graph.constant(this.get(name, shape));
  }

  /** The one-axis form of a per-channel parameter such as `gamma` [C,1,1,1]. */
  vector(graph: Graph, name: string): Value {
    return this.in(graph, name, [sizeOf(this.get(name).shape)]);
  }
}
