/**
 * How many layers a number has passed.
 *
 * @module
 */
import type { Graph, OpKind } from "../../lib/compute/tensor/mod.ts";

/** What a layer begins with; the elementwise work after it is computed with its result before that is rounded. */
export const LAYER_KINDS: ReadonlySet<OpKind> = new Set([
  ...["matmul", "quantizedLinear", "attention", "conv2d", "conv3d"] as const,
  ...["rmsNorm", "layerNorm", "softmax", "rope", "reduce"] as const,
]);

/** Layers on the longest way to each node of a graph, by its number. */
export function layerDepths({ nodes }: Graph): number[] {
  const depths: number[] = [];
  for (const { op, inputs } of nodes) {
    depths.push(Math.max(0, ...inputs.map(({ id }) => depths[id])) + (LAYER_KINDS.has(op.kind) ? 1 : 0));
  }
  return depths;
}
