/**
 * Graphs and devices: a network is written once, as a graph, and runs on WebGPU or on ONNX Runtime.
 *
 * @example
 * ```ts
 * import { f32, Graph, linear } from "@svc/sdk/compute";
 * const g = new Graph();
 * const w = g.constant(f32([4, 3], new Float32Array(12).fill(0.5)));
 * g.output("y", linear(g.input("x", [2, 3]), w));
 * console.assert(g.outputs.get("y")!.shape.join() === "2,4");
 * ```
 *
 * @module
 */
export * from "./tensor/mod.ts";
export { type OnnxDeviceOptions, openOnnxDevice } from "./onnx/mod.ts";
export { openWebGpuDevice, type WebGpuDeviceOptions, type WebGpuOpening } from "./webgpu/mod.ts";
