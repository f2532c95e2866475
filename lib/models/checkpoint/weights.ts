/**
 * The weights of a network by their names in the checkpoint, also where only their shapes are known.
 *
 * @module
 */
import {
  formatShape,
  type Graph,
  quantizedRows,
  type Shape,
  sizeOf,
  type Tensor,
  type TensorFile,
  tensorPart,
  type Value,
} from "../../compute/tensor/mod.ts";
import { describeWeight, isQuantized, type StoredWeight } from "./stored_weight.ts";

/**
 * Tensors of a model below one prefix. The same name and shape always give the same tensor object, so that all
 * programs of a model share one copy on the device.
 */
export class Weights {
  readonly #tensors: ReadonlyMap<string, StoredWeight>;
  readonly #reshaped: Map<string, StoredWeight>;
  readonly #prefix: string;

  /** All weights of a model by name. */
  constructor(
    tensors: ReadonlyMap<string, StoredWeight>,
    prefix = "",
    reshaped: Map<string, StoredWeight> = new Map(),
  ) {
    this.#tensors = tensors;
    this.#reshaped = reshaped;
    this.#prefix = prefix;
  }

  /** The branch below `path`, such as `blocks.0.self_attn`. */
  at(path: string): Weights {
    return new Weights(this.#tensors, `${this.#prefix}${path}.`, this.#reshaped);
  }

  /** The same weights with all of `other` below `path`. */
  with(path: string, other: Weights): Weights {
    const more = Array.from(other.#tensors, ([name, tensor]) => [`${this.#prefix}${path}.${name}`, tensor] as const);
    return new Weights(new Map([...this.#tensors, ...more]), this.#prefix, this.#reshaped);
  }

  /** Whether the tensor exists. */
  has(name: string): boolean {
    return this.#tensors.has(this.#prefix + name);
  }

  /**
   * A tensor as it is stored, or under another shape of as many elements.
   *
   * @throws {Error} when the model has no such tensor, or a quantised one; a loader that checked its files makes the
   * first impossible, and only layers that take quantised weights may have them.
   */
  get(name: string, shape?: Shape): Tensor {
    const path = this.#prefix + name;
    const stored = this.matrix(name);
    if (isQuantized(stored)) throw new Error(`Cannot use weight "${path}": it is quantised, expected a plain tensor`);
    if (!shape) return stored;
    if (sizeOf(shape) !== sizeOf(stored.shape)) {
      throw new Error(
        `Cannot use weight "${path}" as ${formatShape(shape)}: it has the shape ${formatShape(stored.shape)}`,
      );
    }
    return this.#once(`${path} ${shape.join()}`, () => tensorPart(stored, shape));
  }

  /** The weight of a linear layer or of an embedding as it is stored, quantised or not. */
  matrix(name: string): StoredWeight {
    const path = this.#prefix + name;
    const stored = this.#tensors.get(path);
    if (!stored) throw new Error(`Cannot find weight "${path}": the model was loaded without it`);
    return stored;
  }

  /** Some neighbouring rows of a linear layer's weight, such as one of the layers that a fused weight holds. */
  rows(name: string, start: number, count: number): StoredWeight {
    const path = this.#prefix + name;
    const stored = this.matrix(name);
    const [rows, columns] = stored.shape;
    if (start + count > rows) {
      throw new Error(`Cannot use rows ${start} to ${start + count} of weight "${path}": it has ${rows}`);
    }
    return this.#once(`${path} ${start}+${count}`, () => {
      if (isQuantized(stored)) return quantizedRows(stored, start, count);
      return tensorPart(stored, [count, columns], start * columns);
    });
  }

  /** The tensor as a value of a graph. */
  in(graph: Graph, name: string, shape?: Shape): Value {
    return graph.constant(this.get(name, shape));
  }

  /** The one-axis form of a per-channel parameter such as `gamma` [C,1,1,1]. */
  vector(graph: Graph, name: string): Value {
    return this.in(graph, name, [sizeOf(this.get(name).shape)]);
  }

  #once<T extends StoredWeight>(key: string, make: () => T): T {
    const known = this.#reshaped.get(key);
    if (known) return known as T;
    const made = make();
    this.#reshaped.set(key, made);
    return made;
  }
}

/** Graphs are built with the numbers of small weights. */
const SMALL = 2 ** 14;

/** The weights of a file whose names and shapes were checked, quantised where they are, without elements. */
export function describeWeights(
  file: TensorFile,
  shapes: TensorShapes,
  nameInFile: (name: string) => string = same,
): Weights {
  return new Weights(
    new Map(Array.from(shapes, ([name, shape]) => [name, describeWeight(file, nameInFile(name), shape)])),
  );
}

/** Weights without elements, small ones with zeros: enough to build graphs and to plan with. */
export function describedWeights(shapes: TensorShapes): Weights {
  return new Weights(
    new Map(Array.from(shapes, ([name, shape]) => {
      const size = sizeOf(shape);
      return [name, { dtype: "f32", shape, data: new Float32Array(size <= SMALL ? size : 0) }];
    })),
  );
}

function same(name: string): string {
  return name;
}

/** Shape of every tensor by its name. */
export type TensorShapes = ReadonlyMap<string, Shape>;
