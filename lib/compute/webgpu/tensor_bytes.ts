/**
 * The representation of tensors in device memory.
 *
 * @module
 */
import type { Precision } from "../tensor/device.ts";
import type { TensorData } from "../tensor/dtype.ts";
import type { ValueType } from "../tensor/graph.ts";
import { toFloat32, toHalf } from "../tensor/half.ts";
import { type Shape, sizeOf } from "../tensor/shape.ts";
import { f32, i32, type Tensor, tensor } from "../tensor/tensor.ts";

/** Bytes of one element on the device. */
export function elementBytes(type: ValueType, precision: Precision): number {
  return type === "float" && precision === "f16" ? 2 : 4;
}

/** The elements as the device stores them, padded with zeros to a multiple of 4 bytes as WebGPU copies require. */
export function toDeviceBytes(t: Tensor, precision: Precision): Uint8Array<ArrayBuffer> {
  return paddedBytes(t.dtype === "i32" ? t.data : precision === "f16" ? toHalf(t).data : toFloat32(t));
}

/** The bytes of an array, with zeros up to a multiple of 4. */
export function paddedBytes(data: TensorData): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  if (bytes.length % 4 === 0) return bytes;
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  return padded;
}

/** The tensor restored from the device's bytes. */
export function fromDeviceBytes(
  buffer: ArrayBuffer,
  shape: Shape,
  type: ValueType,
  precision: Precision,
): Tensor<"f32"> | Tensor<"i32"> {
  const length = sizeOf(shape);
  if (type === "int") return i32(shape, new Int32Array(buffer, 0, length));
  if (precision === "f32") return f32(shape, new Float32Array(buffer, 0, length));
  return f32(shape, toFloat32(tensor("f16", shape, new Uint16Array(buffer, 0, length))));
}
