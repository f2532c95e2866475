/**
 * Values that are never made because only convolutions read them.
 *
 * @module
 */
import type { GraphNode, Value } from "../../tensor/graph.ts";

/** The frames that a convolution reads. */
export interface ConvSource {
  readonly input: Value;
  /** Frames before those of the input. */
  readonly past?: Value | undefined;
  /** Whole factor by which the input is enlarged, by nearest neighbours. */
  readonly scale: number;
}

/** Enlarged images and joined frames that nothing but convolutions reads, with what these are to read in their place. */
export function convSources(nodes: readonly GraphNode[], kept: ReadonlySet<Value>): ReadonlyMap<Value, ConvSource> {
  const sources = new Map<Value, ConvSource>();
  for (const { op, inputs, output } of nodes) {
    if (output.shape.length !== 4 || kept.has(output)) continue;
    if (op.kind === "upsample") sources.set(output, { input: inputs[0], scale: op.scale });
    if (op.kind === "concat" && op.axis === 0 && inputs.length === 2) {
      sources.set(output, { past: inputs[0], input: inputs[1], scale: 1 });
    }
  }
  for (const { op, inputs } of nodes) {
    const isConvolution = op.kind === "conv2d" || op.kind === "conv3d";
    for (const other of isConvolution ? inputs.slice(1) : inputs) sources.delete(other);
  }
  return sources;
}
