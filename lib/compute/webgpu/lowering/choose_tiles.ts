/**
 * How the work of a matrix product or convolution is divided among workgroups.
 *
 * @module
 */
import type { Precision } from "../../tensor/device.ts";
import type { GpuLimits } from "../gpu_context.ts";
import type { TileKind } from "../matrix_tiles.ts";

/** The size of a batch of products; of a convolution: outputs, pixels of a plane, channels, taps and planes. */
export interface ProductSize {
  readonly rows: number;
  readonly columns: number;
  readonly inner: number;
  /** Runs of `inner` elements that are added up; 1 of a matrix product. */
  readonly taps: number;
  readonly batch: number;
  /** Entries that the batch, or else the rows, divide into: each gets the bits that it gets alone. 1 by default. */
  readonly entries?: number;
}

/** The division of a product. */
export interface Tiling {
  /** Rows and columns of a workgroup's tile; `undefined`: every invocation has a block of 4 x 4 in its registers. */
  readonly side: 64 | 128 | undefined;
  /** Parts of the inner axis, each with workgroups of its own. */
  readonly parts: number;
}

/** What a product may be divided into: blocks; also tiles; also parts of the inner axis. */
export type MostDivided = "blocks" | "tiles" | "parts";

/** Rows and columns that an invocation of the kernels for blocks owns. */
export const BLOCK = 4;

/**
 * Processors (streaming multiprocessors, compute units, cores) of a GPU where {@linkcode GpuLimits} has no number, as
 * WebGPU reports none: between those of a laptop (20 to 60) and of the largest cards (128 to 188). Too large a number
 * makes tiles smaller than need be, too small a number leaves processors idle.
 */
export const PROCESSORS = 128;

/** Bytes of workgroup memory that every WebGPU device has. */
const GUARANTEED_WORKGROUP_BYTES = 16384;

/**
 * Multiply-adds of a processor at a time, beside those of a tile of 128. A tile of 64 reads twice as much for each. Blocks
 * read four times as much again and through the cache, and use no matrices. The rates are estimates.
 */
const RATES = { tile64: 0.7, blocks: 0.25, blocksBesideMatrices: 1 / 32 };

/** Workgroups' worth of time in which a processor waits for the first slices to arrive and the last results to leave. */
const LATENCY = 0.5;

/** Multiply-adds in the time in which memory moves one partial sum of 4 bytes out and in again. */
export const PARTIAL_COST = 400;

/** Multiply-adds of one processor in the time of a dispatch. */
export const DISPATCH_COST = 1.5e6;

/** The estimate of parts has to be lower by this factor: they take memory, and the estimate is no better than that. */
const PARTS_MARGIN = 1.1;

/** No part of an inner axis is shorter. */
const SHORTEST_PART = 256;

const MOST_PARTS = 16;

/** Blocks of 4 x 4 in a workgroup of the kernels for blocks. */
const BLOCKS_OF_WORKGROUP = 64;

/** Fewer tiles of 128 than this are not computed in portable tiles: blocks were as fast, on software adapters faster. */
const BUSY_TILES = 48;

/**
 * Takes the division with the lowest estimate of
 *
 *   (ceil(W / P) + latency) * multiply-adds of a workgroup / rate + cost of partial sums / P
 *
 * for W workgroups on P processors: these take their workgroups in turns, and the last turn may be nearly empty. The
 * multiply-adds count what a tile computes beyond the edges of the result. Costs are in multiply-adds of a processor.
 *
 * Portable tiles are never split nor taken for less than 48 tiles of 128, as no GPU without matrices was measured.
 *
 * A product of several entries adds up what each of them adds up alone, in that order: parts are those of one entry, and
 * only the side of tiles of matrices, which all add slice after slice, is chosen for the whole.
 */
export function chooseTiles(
  size: ProductSize,
  limits: GpuLimits,
  precision: Precision,
  most: MostDivided = "parts",
): Tiling {
  if (size.entries && size.entries > 1) return tilesOfEntries(size, limits, precision, most);
  const kind = limits.tile ?? "PORTABLE";
  const matrices = kind !== "PORTABLE";
  const processors = limits.processors ?? PROCESSORS;
  const blocks: Tiling = { side: undefined, parts: 1 };
  if (most === "blocks" || !matrices && workgroupsOf(size, { side: 128, parts: 1 }) < BUSY_TILES) return blocks;
  const memory = limits.maxComputeWorkgroupStorageSize ?? GUARANTEED_WORKGROUP_BYTES;
  let best = blocks;
  let lowest = costOf(size, best, kind, processors);
  for (const side of [128, 64] as const) {
    if (workgroupBytes(kind, precision, side, 1) > memory) continue;
    for (let parts = 1; parts <= (matrices && most === "parts" ? MOST_PARTS : 1); parts++) {
      if (parts > 1 && !mayHaveParts(size, parts, limits)) break;
      const tiling = { side, parts };
      const cost = costOf(size, tiling, kind, processors);
      if (cost < lowest) [best, lowest] = [tiling, cost];
    }
  }
  return best;
}

function tilesOfEntries(size: ProductSize, limits: GpuLimits, precision: Precision, most: MostDivided): Tiling {
  const { rows, batch, entries = 1 } = size;
  const one = batch > 1 ? { rows, batch: batch / entries } : { rows: rows / entries, batch };
  if (!Number.isInteger(one.rows) || !Number.isInteger(one.batch)) {
    throw new RangeError(`Cannot divide a product: its ${batch} x ${rows} rows are not those of ${entries} entries`);
  }
  const alone = chooseTiles({ ...size, ...one, entries: 1 }, limits, precision, most);
  const { tile: kind = "PORTABLE", processors = PROCESSORS } = limits;
  if (alone.side === undefined || kind === "PORTABLE") return alone;
  const memory = limits.maxComputeWorkgroupStorageSize ?? GUARANTEED_WORKGROUP_BYTES;
  const other: Tiling = { side: alone.side === 128 ? 64 : 128, parts: alone.parts };
  const fits = workgroupBytes(kind, precision, other.side!, 1) <= memory;
  return fits && costOf(size, other, kind, processors) < costOf(size, alone, kind, processors) ? other : alone;
}

/** Workgroups of a division. */
export function workgroupsOf({ rows, columns, batch }: ProductSize, { side, parts }: Tiling): number {
  const edge = side ?? BLOCK;
  const owners = Math.ceil(rows / edge) * Math.ceil(columns / edge) * batch * parts;
  return side ? owners : Math.ceil(owners / BLOCKS_OF_WORKGROUP);
}

/** Inner elements of a slice in workgroup memory. */
export function sliceDepth(kind: TileKind): number {
  return kind.endsWith("8") ? 8 : 16;
}

/** How many slices a tile's workgroup memory holds: two, if the device has the memory, so that one can be filled. */
export function sliceBuffers(limits: GpuLimits, precision: Precision, side: 64 | 128): 1 | 2 {
  const memory = limits.maxComputeWorkgroupStorageSize ?? GUARANTEED_WORKGROUP_BYTES;
  return workgroupBytes(limits.tile ?? "PORTABLE", precision, side, 2) <= memory ? 2 : 1;
}

/** Bytes of workgroup memory of the tiled kernels; portable tiles always have one buffer. */
export function workgroupBytes(kind: TileKind, precision: Precision, side: 64 | 128, buffers: 1 | 2): number {
  if (kind === "PORTABLE") return 2 * side * sliceDepth(kind) * 4;
  const edge = sliceDepth(kind);
  const elementBytes = edge === 16 && precision === "f16" ? 2 : 4;
  const subgroups = side / 16;
  return buffers * 2 * side * edge * elementBytes + subgroups * edge * edge * 4;
}

/** Slices of the whole inner axis. */
export function slicesOf({ inner, taps }: ProductSize, kind: TileKind): number {
  return taps * Math.ceil(inner / sliceDepth(kind));
}

function mayHaveParts(size: ProductSize, parts: number, limits: GpuLimits): boolean {
  const bytes = parts * size.batch * size.rows * size.columns * 4;
  return size.taps * size.inner >= parts * SHORTEST_PART && bytes <= limits.maxStorageBufferBindingSize;
}

/** The time of a product without that of its partial sums, in multiply-adds of a processor. */
export function productTime(size: ProductSize, { side, parts }: Tiling, kind: TileKind, processors: number): number {
  const inner = side ? Math.ceil(slicesOf(size, kind) / parts) * sliceDepth(kind) : size.taps * size.inner;
  const elements = side ? side ** 2 : BLOCK ** 2 * BLOCKS_OF_WORKGROUP;
  const turns = Math.ceil(workgroupsOf(size, { side, parts }) / processors) + LATENCY;
  return turns * elements * inner / rateOf(side, kind);
}

function costOf(size: ProductSize, tiling: Tiling, kind: TileKind, processors: number): number {
  const { parts } = tiling;
  const products = productTime(size, tiling, kind, processors);
  if (parts === 1) return products;
  const partials = parts * size.batch * size.rows * size.columns;
  return PARTS_MARGIN * (products + partials * PARTIAL_COST / processors + DISPATCH_COST);
}

function rateOf(side: Tiling["side"], kind: TileKind): number {
  if (side) return side === 128 ? 1 : RATES.tile64;
  return kind === "PORTABLE" ? RATES.blocks : RATES.blocksBesideMatrices;
}
