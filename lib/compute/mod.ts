/**
 * Graphs and devices: a network is written once, as a graph, and runs on WebGPU or on ONNX Runtime.
 *
 * @example
 * ```ts
 * import { f32, Graph, ops } from "@svc/sdk/compute";
 * const g = new Graph();
 * const w = g.constant(f32([4, 3], new Float32Array(12).fill(0.5)));
 * g.output("y", ops.linear(g.input("x", [2, 3]), w));
 * console.assert(g.outputs.get("y")!.shape.join() === "2,4");
 * ```
 *
 * @module
 */
export { type OnnxDeviceOptions, openOnnxDevice } from "./onnx/mod.ts";
export { type Device, type DeviceTensor, type Precision, type Program, type ValueSpec } from "./tensor/device.ts";
export type { DType, DTypeArrays } from "./tensor/dtype.ts";
export { Graph, type GraphNode, type Value, type ValueType } from "./tensor/graph.ts";
export type { Activation, BinaryFunction, Op, ReduceFunction, RopePairs, UnaryFunction } from "./tensor/op.ts";
/** The operators of graphs: functions from values to a value. */
export * as ops from "./tensor/ops/mod.ts";
export type { StoredTensor } from "./tensor/safetensors_header.ts";
export { type ByteSource, openSafetensors, type TensorFile } from "./tensor/safetensors_reader.ts";
export { encodeSafetensors } from "./tensor/safetensors_writer.ts";
export type { Shape } from "./tensor/shape.ts";
export { f32, i32, type Tensor, tensor } from "./tensor/tensor.ts";
export type { QuantizedMatrix, QuantizedParts } from "./tensor/quantized_matrix.ts";
export { openWebGpuDevice, type WebGpuDeviceOptions, type WebGpuOpening } from "./webgpu/mod.ts";
