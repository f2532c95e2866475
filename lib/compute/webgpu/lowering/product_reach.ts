/**
 * How far the kernels of products and convolutions reach. Where a kernel reads or writes four numbers at once, element
 * `at / 4` reaches no further than number `at` does, rounded up to fours.
 *
 * @module
 */
import type { KernelParams, KernelVariant, Reach, ReachOf } from "./kernel_interface.ts";

/** Rows of an invocation's block. */
const BLOCK = 4;

/** The right side of a product: a matrix of floats, or of quantised numbers with their scales and zero points. */
function rightReach(p: KernelParams, columns: number, end: number, { lanes, constants }: KernelVariant): Reach {
  if (lanes.has("right")) return { right: end };
  const [inner, groups] = [p.number("inner"), p.number("groups")];
  const { BITS, GROUP } = constants;
  const allGroups = (columns - 1) * groups + Math.ceil(inner / GROUP);
  return {
    numbers: Math.ceil(((columns - 1) * groups * GROUP + 4 * Math.ceil(inner / 4)) * BITS / 32),
    scales: allGroups,
    zeroPoints: p.number("hasZeroPoints") && Math.ceil(allGroups / 4),
  };
}

/** `matvec.wgsl` */
export function matvec(p: KernelParams, variant: KernelVariant): Reach {
  const [rows, columns, inner] = ["rows", "columns", "inner"].map((name) => p.number(name));
  const last = p.number("firstColumn") + columns;
  // The rows of a workgroup are counted from the last row down, which there must be.
  const rowBlocks = Math.ceil(p.number("workgroups") / p.number("columnTiles"));
  if (4 * (rowBlocks - 1) >= rows) throw new RangeError(`${rowBlocks} blocks of rows begin after row ${rows}`);
  return {
    left: rows * inner,
    ...rightReach(p, columns, columns * inner, variant),
    bias: p.number("hasBias") && last,
    output: (rows - 1) * p.number("outputStride") + last,
  };
}

/**
 * The slabs that the owners of a dispatch work on, and the entries of the batch that these are parts of (`parts.wgsl`).
 *
 * @param slices Slices of the whole inner axis, of which a part must have one: kernels with matrices read its first one
 * before they look where it ends.
 */
function slabsOf(p: KernelParams, slices?: number): { readonly slabs: number; readonly entries: number } {
  const slabs = Math.ceil(p.number("owners") / (p.number("ownerRows") * p.number("ownerColumns")));
  const split = p.has("partSlices");
  const entries = split ? p.number("entries") : slabs;
  if (entries === 0) throw new RangeError("its batch is empty");
  const firstSlice = split ? (Math.ceil(slabs / entries) - 1) * p.number("partSlices") : 0;
  if (slices !== undefined && firstSlice >= slices) {
    throw new RangeError(`a part begins at slice ${firstSlice} of ${slices}`);
  }
  return { slabs, entries: Math.min(slabs, entries) };
}

/** `matmul_tiled.wgsl` leaves out columns after the last one before it reads them, `matmul.wgsl` need not. */
export const matmul = (tiled: boolean): ReachOf => (p, variant) => {
  const [rows, inner, columns] = ["rows", "inner", "columns"].map((name) => p.number(name));
  const { slabs, entries } = slabsOf(p);
  const read = tiled || variant.lanes.get("right") !== 4
    ? columns
    : Math.max(columns, BLOCK * p.number("ownerColumns"));
  const matrix = p.number("transposeRight") ? read * inner : (inner - 1) * columns + read;
  const last = p.number("firstColumn") + columns;
  return {
    left: (entries - 1) * p.number("leftBatch") + rows * inner,
    ...rightReach(p, columns, (entries - 1) * p.number("rightBatch") + matrix, variant),
    bias: p.number("hasBias") && last,
    output: (slabs * rows - 1) * p.number("outputStride") + last,
  };
};

/** `conv_tiled.wgsl` leaves out outputs after the last one before it reads their weights, `conv.wgsl` need not. */
export const convolution = (tiled: boolean): ReachOf => (p, { lanes, constant }) => {
  const [outputs, channels, depth, width] = ["outputs", "channels", "depth", "width"].map((name) => p.number(name));
  const taps = depth * p.number("kernelHeight") * p.number("kernelWidth");
  const sliceDepth = tiled ? constant("DEPTH") : undefined;
  const { slabs, entries } = slabsOf(p, sliceDepth && taps * Math.ceil(channels / sliceDepth));
  const phases = constant("SIDE") ** 2;
  if (entries < slabs && entries % phases !== 0) throw new RangeError(`a part has ${entries} planes of ${phases}`);
  const frames = (Math.ceil(entries / phases) - 1) * p.number("strideT") + depth;
  const past = p.number("pastFrames");
  if (past > 0 && !lanes.has("past")) throw new RangeError(`${past} past frames have no binding`);
  // Rows are addressed as quads, which must not lie across two of them.
  if (lanes.get("input") === 4 && width % 4 !== 0) throw new RangeError(`rows of ${width} pixels are read by fours`);
  const frame = channels * p.number("height") * width;
  const allTaps = taps + (phases - 1) * p.number("kernelHeight") * p.number("kernelWidth");
  const read = !tiled && lanes.get("weight") === 4 ? Math.max(outputs, BLOCK * p.number("ownerRows")) : outputs;
  const plane = outputs * p.number("outHeight") * p.number("outWidth");
  return {
    input: Math.max(0, frames - past) * frame,
    ...(lanes.has("past") ? { past: Math.min(frames, past) * frame } : {}),
    weight: (allTaps * channels - 1) * outputs + read,
    bias: p.number("hasBias") && outputs,
    residual: p.number("hasResidual") && Math.ceil(entries / phases) * plane, // of the first part alone
    output: Math.ceil(slabs / phases) * plane,
  };
};

/** `sum_parts.wgsl`, which always reads the first part. */
export function sumParts(p: KernelParams, { lanes }: KernelVariant): Reach {
  const output = p.number("elements") * lanes.get("output")!;
  return { partial: Math.max(1, p.number("parts")) * output, output };
}
