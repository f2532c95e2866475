/**
 * Brings weights onto a device as they lie in their files; kernels make of them what programs read.
 *
 * @module
 */
import { bufferUsage } from "./gpu_constants.ts";
import type { GpuContext } from "./gpu_context.ts";
import type { Allocation } from "./gpu_memory.ts";
import { expandKernel } from "./lowering/expand_kernel.ts";
import { proveBounds } from "./lowering/prove_bounds.ts";
import { foldWorkgroups } from "./lowering/step.ts";
import {
  type ConstantSource,
  PIECE_BYTES,
  weightKernel,
  type WeightPiece,
  weightPieces,
  weightStep,
} from "./weight_pieces.ts";

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
