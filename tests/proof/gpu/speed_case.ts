/**
 * One operator at one shape, and its shapes of a published world.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import type { Graph, Tensor, Value } from "../../../lib/compute/tensor/mod.ts";
import { SMALL } from "./part.ts";

/** An operator that is timed. */
export interface SpeedCase {
  /** The shape, as in `shapes.json`. */
  readonly id: string;
  /** The operator; PyTorch's figures have the same names. */
  readonly group: string;
  /** Floating-point operations, two for a multiply-add. */
  readonly flops: number;
  /** Floats that must be read or written. */
  readonly floats: number;
  readonly inputs: Readonly<Record<string, Tensor>>;
  /** Elements of the result. */
  readonly size: number;
  /** One result; called several times for one graph, `turn` counts. */
  readonly build: (graph: Graph, inputs: Readonly<Record<string, Value>>, turn: number) => Value;
  /** One element of the first result in 64 bits. */
  readonly element?: (index: number) => number;
}

/** A line of `shapes.json`. */
export type SpeedShape = Readonly<Record<"t" | "c" | "o" | "y" | "x" | "m" | "k" | "n" | "q" | "h" | "d", number>> & {
  readonly id: string;
  readonly act?: "gelu";
  readonly shape: readonly number[];
  readonly kind: string;
};

/** The shapes by operator. */
export const shapes: Readonly<
  Record<"linear" | "attention" | "conv3d" | "enlarged" | "memory", readonly SpeedShape[]>
> = JSON.parse(readFileSync(new URL("./shapes.json", import.meta.url), "utf8"));

/** A length, or a sixteenth of it in a rehearsal. */
export function length(full: number, least: number): number {
  return SMALL ? Math.max(least, Math.ceil(full / 64) * 4) : full;
}

/** Cases one after the other: their weights are hundreds of megabytes, of which one set is held at a time. */
export function* made(
  all: readonly SpeedShape[],
  names: RegExp = /./,
  make: (shape: SpeedShape) => SpeedCase,
): Iterable<SpeedCase> {
  for (const shape of all) if (names.test(shape.id)) yield make(shape);
}
