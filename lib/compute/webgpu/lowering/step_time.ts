/**
 * What a dispatch takes, estimated in the unit of {@linkcode chooseTiles}: multiply-adds of one processor. Only ratios
 * of estimates mean something.
 *
 * @module
 */
import type { GpuLimits } from "../gpu_context.ts";
import { DISPATCH_COST, PARTIAL_COST, PROCESSORS } from "./choose_tiles.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Binding } from "./step.ts";

/** Bytes that memory moves in the time of {@linkcode PARTIAL_COST}: a partial sum out and in again. */
const PARTIAL_BYTES = 8;

/** Multiply-adds of attention beside those of a product in tiles of 128: it also reads, scales and adds up weights. */
const ATTENTION_RATE = 0.4;

/** The longer of computing and moving, and the dispatch itself. */
export function stepTime(
  { kernel, flops = 0, workgroups, time, traffic }: Dispatch,
  bindings: readonly Binding[],
  { processors = PROCESSORS }: GpuLimits,
): number {
  const bytes = traffic ?? bindings.reduce((sum, { bytes }) => sum + bytes, 0);
  const moving = bytes * PARTIAL_COST / PARTIAL_BYTES / processors;
  const share = Math.ceil(workgroups / processors) * flops / 2 / workgroups;
  const computing = time ?? (kernel.startsWith("attention") ? share / ATTENTION_RATE : 0);
  return Math.max(computing, moving) + DISPATCH_COST;
}
