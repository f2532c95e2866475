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
 * Importing this module loads no device: the two functions that open one load it.
 *
 * @module
 */
import type { OnnxDeviceOptions } from "./onnx/onnx_device.ts";
import type { Device } from "./tensor/device.ts";
import type { WebGpuDeviceOptions, WebGpuOpening } from "./webgpu/webgpu_device.ts";

export type { Device, OnnxDeviceOptions, WebGpuDeviceOptions, WebGpuOpening };
export type { DeviceTensor, Precision, Program, ValueSpec } from "./tensor/device.ts";
export type { DType, DTypeArrays } from "./tensor/tensor.ts";
export { Graph, type GraphNode, type Value, type ValueType } from "./tensor/graph.ts";
export type { Op } from "./tensor/op.ts";
/** The operators of graphs: functions from values to a value. */
export * as ops from "./tensor/ops/mod.ts";
export { SafetensorsError, type StoredTensor } from "./tensor/safetensors_header.ts";
export { type ByteSource, openSafetensors, type TensorFile } from "./tensor/safetensors_reader.ts";
export { encodeSafetensors } from "./tensor/safetensors_writer.ts";
export { type Shape, ShapeError } from "./tensor/shape.ts";
export { f32, i32, type Tensor, tensor } from "./tensor/tensor.ts";
export type { QuantizedMatrix, QuantizedParts } from "./tensor/quantized_matrix.ts";

/**
 * Opens the CPU: graphs are lowered to ONNX and run by ONNX Runtime in 32-bit floats.
 *
 * A run blocks the calling thread until it has ended, so a server opens the device in a worker. Memory counts tensors
 * and weights; the scratch memory of ONNX Runtime is not known to its callers.
 *
 * @throws {RangeError} when `threads` is not a positive integer.
 * @throws {Error} when `onnxruntime-node` is missing or has no library for this machine.
 *
 * @example
 * ```ts
 * import { f32, Graph, openOnnxDevice, ops } from "@svc/sdk/compute";
 * const device = await openOnnxDevice({ threads: 1 });
 * const g = new Graph();
 * g.output("y", ops.mul(g.input("x", [2]), 3));
 * const program = await device.compile(g);
 * const { y } = await program.run({ x: f32([2], [1, 2]) });
 * console.assert((await y.read()).data.join() === "3,6");
 * device.dispose();
 * ```
 */
export async function openOnnxDevice(options: OnnxDeviceOptions = {}): Promise<Device> {
  return await (await import("./onnx/onnx_device.ts")).openOnnxDevice(options);
}

/**
 * Opens the best GPU of this machine: through Dawn where the npm package `webgpu` is installed, else through the
 * platform's own `navigator.gpu`. Adapters that compute on the CPU are refused, ONNX Runtime is much faster there.
 *
 * @example
 * ```ts
 * import { openWebGpuDevice } from "@svc/sdk/compute";
 * const opening = await openWebGpuDevice();
 * console.assert(opening.ok || opening.remedy.length > 0);
 * if (opening.ok) opening.device.dispose();
 * ```
 */
export async function openWebGpuDevice(options: WebGpuDeviceOptions = {}): Promise<WebGpuOpening> {
  return await (await import("./webgpu/webgpu_device.ts")).openWebGpuDevice(options);
}
