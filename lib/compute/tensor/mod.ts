/**
 * Tensors, the graph that models are written in, and weights on disk.
 *
 * @example
 * ```ts
 * import { f32, Graph, linear } from "./mod.ts";
 * const g = new Graph();
 * const w = g.constant(f32([4, 3], new Float32Array(12).fill(0.5)));
 * g.output("y", linear(g.input("x", [2, 3]), w));
 * console.assert(g.outputs.get("y")!.shape.join() === "2,4");
 * ```
 *
 * @module
 */
export * from "./device.ts";
export * from "./tensor.ts";
export * from "./graph.ts";
export * from "./graph_cost.ts";
export * from "./half.ts";
export type * from "./op.ts";
export * from "./quantized_matrix.ts";
export * from "./safetensors_header.ts";
export * from "./safetensors_reader.ts";
export * from "./safetensors_writer.ts";
export * from "./shape.ts";
export * from "./stored_tensor.ts";
export * from "./ops/attention.ts";
export * from "./ops/conv.ts";
export * from "./ops/elementwise.ts";
export * from "./ops/layout.ts";
export * from "./ops/matmul.ts";
export * from "./ops/norm.ts";
