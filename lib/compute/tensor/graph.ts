/**
 * The graph that a model is written in: static shapes, one output per node, built by the functions of `ops/`.
 * A graph owns only descriptions and the weights it was given. A {@linkcode Device} compiles it.
 *
 * @module
 */
import type { Op } from "./op.ts";
import { checkShape, formatShape, type Shape, ShapeError } from "./shape.ts";
import type { Tensor } from "./tensor.ts";

/** Element type of a value while a program runs: floats in the device's precision, or 32-bit integers (indices). */
export type ValueType = "float" | "int";

/** The result of one node: argument and result of operators. */
export interface Value {
  /** The graph that it belongs to. */
  readonly graph: Graph;
  /** Position in {@linkcode Graph.nodes}; inputs of a node always come before it. */
  readonly id: number;
  /** Length of each dimension. */
  readonly shape: Shape;
  /** Type of the elements. */
  readonly type: ValueType;
}

/** One operator applied to values. */
export interface GraphNode {
  /** The operator. */
  readonly op: Op;
  /** Inputs. */
  readonly inputs: readonly Value[];
  /** Its result. */
  readonly output: Value;
}

/**
 * A static computation: named inputs, weights, operators, named outputs.
 *
 * @example
 * ```ts
 * import { Graph, ops } from "@svc/sdk/compute";
 * const g = new Graph();
 * const x = g.input("x", [2, 3]);
 * g.output("y", ops.add(x, x));
 * console.assert(g.outputs.get("y")!.shape.join() === "2,3");
 * ```
 */
export class Graph {
  /** Whether its values can pass 65504, the largest number of 16 bits: devices that have a choice keep 32 then. */
  readonly isWide: boolean;
  /**
   * Independent entries, such as worlds whose passes run together: the batch of each matrix product, or else its rows,
   * are those of one entry after the other. Each entry gets, bit for bit, what it gets alone.
   */
  readonly entries: number;
  /** All nodes in an order in which they can run. */
  readonly nodes: GraphNode[] = [];
  /** Inputs. */
  readonly inputs: Map<string, Value> = new Map();
  /** Outputs. */
  readonly outputs: Map<string, Value> = new Map();
  readonly #constants = new Map<Tensor, Value>();

  /**
   * An empty graph.
   *
   * @param options `isWide` says that values can pass 65504; false by default. `entries` is 1 by default.
   */
  constructor({ isWide = false, entries = 1 }: { readonly isWide?: boolean; readonly entries?: number } = {}) {
    this.isWide = isWide;
    this.entries = entries;
  }

  /** Declares a named input. */
  input(name: string, shape: Shape, type: ValueType = "float"): Value {
    if (this.inputs.has(name)) throw new ShapeError(`Cannot declare input "${name}": the graph already has one`);
    checkShape(`declare input "${name}"`, shape);
    const value = this.push({ kind: "input", name }, [], shape, type);
    this.inputs.set(name, value);
    return value;
  }

  /** Adds a weight or table to the graph; the same tensor object becomes the same value. */
  constant(t: Tensor): Value {
    const known = this.#constants.get(t);
    if (known) return known;
    const value = this.push({ kind: "constant", tensor: t }, [], t.shape, t.dtype === "i32" ? "int" : "float");
    this.#constants.set(t, value);
    return value;
  }

  /** Names a value as an output. */
  output(name: string, value: Value): void {
    if (value.graph !== this) throw new ShapeError(`Cannot name output "${name}": the value belongs to another graph`);
    if (this.outputs.has(name)) throw new ShapeError(`Cannot name output "${name}": the graph already has one`);
    this.outputs.set(name, value);
  }

  /** Appends a node; the functions of `ops/` call this after checking their arguments. */
  push(op: Op, inputs: readonly Value[], shape: Shape, type: ValueType = "float"): Value {
    for (const v of inputs) {
      if (v.graph !== this) {
        throw new ShapeError(
          `Cannot apply ${op.kind}: a value of shape ${formatShape(v.shape)} belongs to another graph`,
        );
      }
    }
    const output: Value = { graph: this, id: this.nodes.length, shape, type };
    this.nodes.push({ op, inputs, output });
    return output;
  }
}
