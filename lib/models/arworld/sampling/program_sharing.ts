/**
 * Which programs of the transformer there are.
 *
 * @module
 */
import { type Device, sizeOf } from "../../../compute/tensor/mod.ts";
import type { TransformerConfig } from "../config.ts";
import { transformerShapes } from "../tensor_shapes.ts";

/**
 * What one program is for: one pass after one number of blocks in the window (`pass`), both passes after one number of
 * them (`length`), or all (`all`).
 */
export type ProgramSharing = "pass" | "length" | "all";

/** Transformers with more parameters have one program on the CPU. */
const ALL_FROM = 2 ** 28;

/**
 * How few programs a transformer has. On the CPU each program has its own copy of the weights: small ones have one for
 * each length of the window, which costs a hundredth of the time of a block, large ones one that computes hidden slots.
 * On GPUs programs share the weights, and each leaves out what it is not for.
 */
export function programSharing({ kind }: Pick<Device, "kind">, config: TransformerConfig): ProgramSharing {
  if (kind !== "cpu") return "pass";
  const parameters = [...transformerShapes(config).values()].reduce((sum, shape) => sum + sizeOf(shape), 0);
  return parameters > ALL_FROM ? "all" : "length";
}
