/**
 * Tensors in the memory of a WebGPU device, and their representation there.
 *
 * @module
 */
import type { DeviceTensor, Precision } from "../tensor/device.ts";
import type { ValueType } from "../tensor/graph.ts";
import { toFloat32, toHalf } from "../tensor/half.ts";
import { formatShape, type Shape, sizeOf } from "../tensor/shape.ts";
import { f32, i32, type Tensor, tensor, type TensorData } from "../tensor/tensor.ts";
import type { GpuContext } from "./gpu_context.ts";
import { type Allocation, bufferUsage, mapModeRead } from "./gpu_memory.ts";

/** A tensor that owns a share of an allocation. */
export class WebGpuTensor implements DeviceTensor {
  readonly shape: Shape;
  readonly type: ValueType;
  readonly byteLength: number;
  readonly #context: GpuContext;
  readonly #allocation: Allocation;
  #owners = 1;

  /** Takes over one ownership of the allocation. */
  constructor(context: GpuContext, allocation: Allocation, shape: Shape, type: ValueType) {
    this.shape = shape;
    this.type = type;
    this.byteLength = sizeOf(shape) * elementBytes(type, context.precision);
    this.#context = context;
    this.#allocation = allocation;
  }

  /**
   * The memory, for a program of the same device.
   *
   * @throws {Error} when the tensor was released or belongs to another device.
   */
  allocationOn(context: GpuContext): Allocation {
    if (context !== this.#context) {
      throw new Error(
        `Cannot use tensor ${formatShape(this.shape)}: it belongs to another device, read it and feed the copy`,
      );
    }
    this.#checkAlive();
    return this.#allocation;
  }

  async read(into?: Float32Array): Promise<Tensor<"f32"> | Tensor<"i32">> {
    this.#checkAlive();
    const context = this.#context;
    const size = Math.ceil(this.byteLength / 4) * 4;
    const staging = await context.guard("read tensor", () => {
      const buffer = context.device.createBuffer({ size, usage: bufferUsage.mapRead | bufferUsage.copyDestination });
      const encoder = context.device.createCommandEncoder();
      encoder.copyBufferToBuffer(this.#allocation.buffer, 0, buffer, 0, size);
      context.device.queue.submit([encoder.finish()]);
      return buffer;
    });
    context.memory.count(size);
    try {
      await context.wait(staging.mapAsync(mapModeRead));
      const bytes = staging.getMappedRange();
      const read = (from: ArrayBuffer) => fromDeviceBytes(from, this.shape, this.type, context.precision);
      if (!into || this.type === "int") return read(bytes.slice(0));
      const copy = tensor("f32", this.shape, into);
      into.set(read(bytes).data);
      return copy;
    } finally {
      staging.destroy();
      context.memory.count(-size);
    }
  }

  retain(): this {
    this.#checkAlive();
    this.#owners++;
    return this;
  }

  release(): void {
    this.#checkAlive();
    if (--this.#owners === 0) this.#allocation.release();
  }

  #checkAlive(): void {
    if (this.#owners <= 0) {
      throw new Error(`Cannot use tensor ${formatShape(this.shape)}: it was released by its last owner`);
    }
  }
}

/** Copies a tensor to the device. */
export function uploadTensor(context: GpuContext, t: Tensor): WebGpuTensor {
  context.check();
  const bytes = toDeviceBytes(t, context.precision);
  const allocation = context.memory.allocate(bytes.byteLength);
  context.device.queue.writeBuffer(allocation.buffer, 0, bytes);
  return new WebGpuTensor(context, allocation, t.shape, t.dtype === "i32" ? "int" : "float");
}

/** Bytes of one element on the device. */
export function elementBytes(type: ValueType, precision: Precision): number {
  return type === "float" && precision === "f16" ? 2 : 4;
}

/** The elements as the device stores them, padded with zeros to a multiple of 4 bytes as WebGPU copies require. */
function toDeviceBytes(t: Tensor, precision: Precision): Uint8Array<ArrayBuffer> {
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
function fromDeviceBytes(
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
