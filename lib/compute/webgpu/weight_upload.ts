/**
 * Brings weights onto a device in pieces, as stored in their files; kernels make of them what programs read.
 *
 * @module
 */
import type { KernelName } from "../../../kernels-wgsl/generated.ts";
import type { Precision } from "../tensor/device.ts";
import { sizeOf } from "../tensor/shape.ts";
import { tensorPart } from "../tensor/stored_tensor.ts";
import { bytesPerElement, type DType, type Tensor } from "../tensor/tensor.ts";
import type { GpuContext, GpuLimits } from "./gpu_context.ts";
import { type Allocation, bufferUsage } from "./gpu_memory.ts";
import { expandKernel } from "./lowering/expand_kernel.ts";
import { proveBounds, type ProvedStep } from "./lowering/prove_bounds.ts";
import { foldWorkgroups } from "./lowering/step.ts";
import type { PackedConvWeight, Region } from "./lowering/view.ts";
import { elementBytes, paddedBytes } from "./webgpu_tensor.ts";

/** What a workgroup of `load_weight.wgsl` writes. */
const WORDS_PER_WORKGROUP = 1024;

interface PlacedPiece {
  readonly piece: WeightPiece;
  readonly allocation: Allocation;
  /** Absent where the bytes are what the device needs. */
  readonly pipeline: GPUComputePipeline | undefined;
}

/**
 * Uploads weights one after another, and waits each time after {@linkcode PIECE_BYTES} of them until the device has let
 * go of their copies: ordinary memory and the device hold a few pieces beside the weights.
 *
 * @param place Called when it is a weight's turn; errors of the device while it allocates are reported.
 */
export async function uploadWeights(
  context: GpuContext,
  sources: readonly ConstantSource[],
  place: (source: ConstantSource) => Allocation,
): Promise<void> {
  const { device, precision, limits, memory } = context;
  const pipelines = new Map<ConstantSource, GPUComputePipeline>();
  const alignment = Math.max(limits.minStorageBufferOffsetAlignment, limits.minUniformBufferOffsetAlignment);
  let converted = 0;
  for (const source of sources) {
    const kernel = weightKernel(source, precision);
    if (!kernel) continue;
    pipelines.set(source, await context.pipeline(expandKernel(kernel.name), { ...kernel.constants }));
    for (const piece of weightPieces(source, precision, limits)) {
      if (limits.unchecked) proveBounds([weightStep(source, piece, precision)!]);
      converted += stagedBytes(piece, alignment);
    }
  }
  function* placedPieces(): Generator<PlacedPiece> {
    for (const source of sources) {
      const allocation = place(source);
      const pipeline = pipelines.get(source);
      for (const piece of weightPieces(source, precision, limits)) yield { piece, allocation, pipeline };
    }
  }
  const size = Math.min(converted, PIECE_BYTES + 2 * alignment);
  const staging = size > 0 ? await context.guard("upload weights", () => stagingBuffer(device, size)) : undefined;
  memory.count(size);
  try {
    const pieces = placedPieces();
    let next: IteratorResult<PlacedPiece> | undefined;
    while (!next?.done) {
      if (next) await context.wait(device.queue.onSubmittedWorkDone());
      next = await context.guard("upload weights", () => submitPieces(context, pieces, next, staging, alignment));
    }
  } finally {
    staging?.destroy();
    memory.count(-size);
  }
}

/** Submits pieces from `next` on, until there is no more room for their bytes; returns the one that comes after. */
function submitPieces(
  { device, limits }: GpuContext,
  pieces: Iterator<PlacedPiece>,
  next: IteratorResult<PlacedPiece> = pieces.next(),
  staging: GPUBuffer | undefined,
  alignment: number,
): IteratorResult<PlacedPiece> {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  let [written, staged] = [0, 0];
  while (!next.done) {
    const { piece, allocation: { buffer }, pipeline } = next.value;
    const needed = pipeline ? stagedBytes(piece, alignment) : 0;
    if (written > 0 && (written + piece.bytes > PIECE_BYTES || staged + needed > (staging?.size ?? 0))) break;
    const bytes = piece.read();
    if (pipeline) {
      const params = Uint32Array.from(piece.params);
      device.queue.writeBuffer(staging!, staged, params);
      device.queue.writeBuffer(staging!, staged + alignment, bytes);
      pass.setPipeline(pipeline);
      pass.setBindGroup(
        0,
        device.createBindGroup({
          layout: pipeline.getBindGroupLayout(0),
          entries: [
            { binding: 0, resource: { buffer: staging!, offset: staged, size: params.byteLength } },
            { binding: 1, resource: { buffer: staging!, offset: staged + alignment, size: bytes.byteLength } },
            { binding: 2, resource: { buffer, offset: piece.to.offset, size: Math.ceil(piece.to.bytes / 4) * 4 } },
          ],
        }),
      );
      pass.dispatchWorkgroups(
        ...foldWorkgroups(Math.ceil(piece.params[0] / WORDS_PER_WORKGROUP), limits.maxComputeWorkgroupsPerDimension),
      );
    } else device.queue.writeBuffer(buffer, piece.to.offset, bytes);
    written += piece.bytes;
    staged += needed;
    next = pieces.next();
  }
  pass.end();
  const commands = encoder.finish();
  // Without work for kernels, a submission only lets the driver free its copies before there are more of them.
  if (staged > 0 || !next.done) device.queue.submit([commands]);
  return next;
}

function stagingBuffer(device: GPUDevice, size: number): GPUBuffer {
  return device.createBuffer({ size, usage: bufferUsage.storage | bufferUsage.uniform | bufferUsage.copyDestination });
}

/** The struct of a piece and its bytes, each at an offset that can be bound. */
function stagedBytes({ bytes }: WeightPiece, alignment: number): number {
  return alignment + Math.ceil(bytes / alignment) * alignment;
}

/** Most bytes of a piece. */
const PIECE_BYTES: number = 64 * 2 ** 20;

/** A tensor and its form on the device: numbers of the device's types, these in another order, or its bytes. */
export type ConstantSource = Extract<Region["source"], { readonly kind: "constant" | "arranged" | "packed" }>;

/** Neighbouring elements of a weight. */
interface WeightPiece {
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
interface WeightKernel {
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
function weightKernel(source: ConstantSource, precision: Precision): WeightKernel | undefined {
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
