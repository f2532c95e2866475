/**
 * Whether the weights are so large that there may be no second copy of them.
 *
 * @module
 */
import { type Device, sizeOf } from "../../compute/tensor/mod.ts";
import type { ActionTransformerConfig } from "./config.ts";
import { usedTransformerShapes } from "./tensor_shapes.ts";

/** Transformers with more parameters have one program at a time for each of their two streams. */
const SINGLE_FROM = 2 ** 28;

/** On the CPU every program has its own copy of its weights. */
export function needsOneProgram({ kind }: Pick<Device, "kind">, config: ActionTransformerConfig): boolean {
  if (kind !== "cpu") return false;
  return [...usedTransformerShapes(config).values()].reduce((sum, shape) => sum + sizeOf(shape), 0) > SINGLE_FROM;
}
