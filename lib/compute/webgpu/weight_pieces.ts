/**
 * Weights in pieces as they lie in their files, and the kernels that make of them what programs read.
 *
 * @module
 */
import type { KernelName } from "../../../kernels-wgsl/generated.ts";
import type { Precision } from "../tensor/device.ts";
import { bytesPerElement, type DType } from "../tensor/dtype.ts";
import { sizeOf } from "../tensor/shape.ts";
import { tensorPart } from "../tensor/stored_tensor.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { GpuLimits } from "./gpu_context.ts";
import { expandKernel } from "./lowering/expand_kernel.ts";
import type { PackedConvWeight } from "./lowering/pack_conv_weight.ts";
import type { ProvedStep } from "./lowering/prove_bounds.ts";
import type { Region } from "./lowering/view.ts";
import { elementBytes, paddedBytes } from "./tensor_bytes.ts";

/** Most bytes of a piece. */
export const PIECE_BYTES: number = 64 * 2 ** 20;

/** A tensor and its form on the device: numbers of the device's types, these in another order, or its bytes. */
export type ConstantSource = Extract<Region["source"], { readonly kind: "constant" | "arranged" | "packed" }>;

/** Neighbouring elements of a weight. */
export interface WeightPiece {
  /** Bytes in the file. */
  readonly bytes: number;
  /** Reads them, padded with zeros to a multiple of 4. */
  readonly read: () => Uint8Array<ArrayBuffer>;
  /** The part of the weight's memory that they are written to, or of which the kernel writes some elements. */
  readonly to: { readonly offset: number; readonly bytes: number };
  /** The uniform struct of `load_weight.wgsl`. */
  readonly params: readonly number[];
}

/** A kernel and its constants. */
export interface WeightKernel {
  readonly name: KernelName;
  readonly constants: { readonly SOURCE: number; readonly HALF: number };
}

const formats: Readonly<Record<Exclude<DType, "i32">, number>> = { f32: 0, bf16: 1, f16: 2, i8: 3, u8: 4 };

/** Whether memory holds a constant. */
export function isConstant(source: Region["source"]): source is ConstantSource {
  return source.kind !== "input" && source.kind !== "scratch";
}

/** What stands for a constant in all programs. */
export function constantKey(source: ConstantSource): Tensor | PackedConvWeight {
  return source.kind === "arranged" ? source.weight : source.tensor;
}

/** The kernel that a weight needs; undefined where its bytes are what the device needs. */
export function weightKernel(source: ConstantSource, precision: Precision): WeightKernel | undefined {
  const { dtype } = fileTensor(source);
  if (source.kind === "packed" || dtype === "i32" || (source.kind === "constant" && dtype === precision)) return;
  const order = source.kind === "arranged" ? source.weight.order : "PLAIN";
  return { name: `load_weight ${order}`, constants: { SOURCE: formats[dtype], HALF: precision === "f16" ? 1 : 0 } };
}

/** Bytes of a weight on the device. */
export function constantBytes(source: ConstantSource, precision: Precision): number {
  if (source.kind === "packed") return sizeOf(source.tensor.shape);
  if (source.kind === "arranged") return sizeOf(source.weight.shape) * elementBytes("float", precision);
  return sizeOf(source.tensor.shape) * elementBytes(source.tensor.dtype === "i32" ? "int" : "float", precision);
}

/**
 * The pieces of a weight. They begin at whole words and at offsets that the device can bind, and have whole 2-D kernels
 * where elements of these are summed.
 */
export function* weightPieces(source: ConstantSource, precision: Precision, limits: GpuLimits): Generator<WeightPiece> {
  const tensor = fileTensor(source);
  const [outputs = 1, channels = 1, ...axes] = tensor.shape;
  const isArranged = source.kind === "arranged";
  const total = sizeOf(tensor.shape);
  const bytes = bytesPerElement(tensor.dtype);
  const made = constantBytes(source, precision);
  const madeBytes = isArranged ? 0 : made / total; // of an element; all of a weight in another order is bound
  const bound = weightKernel(source, precision) ? limits.maxStorageBufferBindingSize : PIECE_BYTES;
  const room = Math.min(PIECE_BYTES, bound);
  const unit = limits.minStorageBufferOffsetAlignment * (isArranged ? sizeOf(axes) : 1);
  const step = Math.max(1, Math.floor(room / Math.max(bytes, madeBytes) / unit)) * unit;
  for (let first = 0; first < total; first += step) {
    const count = Math.min(step, total - first);
    const to = isArranged ? { offset: 0, bytes: made } : { offset: first * madeBytes, bytes: count * madeBytes };
    const [elements, start] = isArranged ? [sizeOf(source.weight.shape), first] : [count, 0];
    yield {
      bytes: count * bytes,
      read: () => paddedBytes(tensorPart(tensor, [count], first).data),
      to,
      params: [Math.ceil(to.bytes / 4), elements, start, count, sizeOf(axes), channels, outputs, 0],
    };
  }
}

/** The dispatch that makes a piece of a weight, for the proof that it stays in its memory. */
export function weightStep(source: ConstantSource, piece: WeightPiece, precision: Precision): ProvedStep | undefined {
  const kernel = weightKernel(source, precision);
  if (!kernel) return;
  const read = 4 * Math.ceil(piece.bytes / 4);
  const file = { source: { kind: "scratch" }, type: "int", bytes: read } as const;
  const made = { source, type: "float", bytes: 4 * Math.ceil(constantBytes(source, precision) / 4) } as const;
  return {
    what: "upload of a weight",
    kernel: "load_weight",
    code: expandKernel(kernel.name),
    constants: { ...kernel.constants },
    params: Uint32Array.from(piece.params),
    bindings: [
      { region: file, offset: 0, bytes: read },
      { region: made, offset: piece.to.offset, bytes: 4 * Math.ceil(piece.to.bytes / 4) },
    ],
  };
}

function fileTensor(source: ConstantSource): Tensor {
  return source.kind === "arranged" ? source.weight.tensor : source.tensor;
}
