/**
 * How far each kernel of `kernels-wgsl/` reaches into its bindings. An entry is read beside the kernel: it holds for
 * every workgroup that the uniform struct lets work, and for every index that data can name.
 *
 * @module
 */
import type { KernelParams } from "./kernel_interface.ts";

/** A variant of a kernel, as far as its reach depends on it. */
export interface KernelVariant {
  /** Float operands are read four at a time. */
  readonly vec: boolean;
  /** Planes that a frame of a convolution comes apart into. */
  readonly phases: number;
  readonly constants: Readonly<Record<string, number>>;
  /** Names of its bindings. */
  readonly bindings: ReadonlySet<string>;
}

/** Numbers up to the last one that is read or written, by binding: 0 for one that is bound and left alone. */
export type Reach = Readonly<Record<string, number>>;

type ReachOf = (p: KernelParams, variant: KernelVariant) => Reach;

/** One past the last element of a strided block. */
function strided(start: number, sizes: readonly number[], strides: readonly number[]): number {
  return sizes.reduce((end, size, i) => end + (size - 1) * strides[i], start + 1);
}

function product(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a * b, 1);
}

function copy(p: KernelParams): Reach {
  const sizes = p.list("sizes").slice(0, p.number("rank"));
  return {
    input: strided(p.number("inputStart"), sizes, p.list("inputStrides")),
    output: strided(p.number("outputStart"), sizes, p.list("outputStrides")),
  };
}

function pad(p: KernelParams): Reach {
  return { input: product(p.list("sizes").slice(0, p.number("rank"))), output: p.number("count") };
}

/** Rows are picked by data: the kernel leaves out those that are not in the table. */
function gather(p: KernelParams): Reach {
  const [count, rows, picks, inner] = ["count", "rows", "picks", "inner"].map((name) => p.number(name));
  return { input: Math.ceil(count / (inner * picks)) * rows * inner, indices: picks, output: count };
}

function rope(p: KernelParams): Reach {
  const [count, heads, pairs] = ["count", "heads", "pairs"].map((name) => p.number(name));
  const angles = Math.ceil(count / (heads * pairs)) * pairs;
  const start = (Math.ceil(count / pairs) - 1) * 2 * pairs;
  const values = start + (pairs - 1) * p.number("stride") + p.number("reach") + 1;
  return { input: values, cosines: angles, sines: angles, output: values };
}

/** Of kernels that work along the middle axis of [outer, length, inner]. */
function alongAxis(p: KernelParams): number {
  return Math.ceil(p.number("columns") / p.number("inner")) * p.number("length") * p.number("inner");
}

function softmax(p: KernelParams): Reach {
  const values = p.number("columns") * p.number("length");
  return { input: values, output: values };
}

function norm(p: KernelParams): Reach {
  const length = p.number("length");
  return {
    input: alongAxis(p),
    weight: p.number("hasWeight") && length,
    bias: p.number("hasBias") && length,
    output: alongAxis(p),
  };
}

/** The right side of a product: a matrix of floats, or of quantised numbers with their scales and zero points. */
function rightReach(p: KernelParams, columns: number, end: number, { bindings, constants }: KernelVariant): Reach {
  if (bindings.has("right")) return { right: end };
  const [inner, groups] = [p.number("inner"), p.number("groups")];
  const { BITS, GROUP } = constants;
  const allGroups = (columns - 1) * groups + Math.ceil(inner / GROUP);
  return {
    numbers: Math.ceil(((columns - 1) * groups * GROUP + 4 * Math.ceil(inner / 4)) * BITS / 32),
    scales: allGroups,
    zeroPoints: p.number("hasZeroPoints") && Math.ceil(allGroups / 4),
  };
}

function matvec(p: KernelParams, variant: KernelVariant): Reach {
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

/** @param checked Whether the kernel leaves out columns after the last one before it reads them. */
function blocks(checked: boolean): ReachOf {
  return (p, variant) => {
    const [rows, inner, ownerColumns] = ["rows", "inner", "ownerColumns"].map((name) => p.number(name));
    const columns = p.number("columns");
    const read = variant.vec && !checked ? Math.max(columns, 4 * ownerColumns) : columns;
    const batch = Math.ceil(p.number("owners") / (p.number("ownerRows") * ownerColumns)) - 1;
    const matrix = p.number("transposeRight") ? read * inner : (inner - 1) * columns + read;
    const last = p.number("firstColumn") + columns;
    return {
      left: batch * p.number("leftBatch") + rows * inner,
      ...rightReach(p, columns, batch * p.number("rightBatch") + matrix, variant),
      bias: p.number("hasBias") && last,
      output: (batch * rows + rows - 1) * p.number("outputStride") + last,
    };
  };
}

/** @param checked Whether the kernel leaves out outputs after the last one before it reads their weights. */
function convolution(checked: boolean): ReachOf {
  return (p, { vec, phases, bindings }) => {
    const [outputs, channels, depth] = ["outputs", "channels", "depth"].map((name) => p.number(name));
    const planes = Math.ceil(p.number("owners") / (p.number("ownerRows") * p.number("ownerColumns")));
    const outFrames = Math.ceil(planes / phases);
    const frames = (outFrames - 1) * p.number("strideT") + depth;
    const past = p.number("pastFrames");
    if (past > 0 && !bindings.has("past")) throw new RangeError(`${past} past frames have no binding`);
    const frame = channels * p.number("height") * p.number("width");
    const taps = (phases - 1 + depth) * p.number("kernelHeight") * p.number("kernelWidth");
    const read = vec && !checked ? Math.max(outputs, 4 * p.number("ownerRows")) : outputs;
    const output = outFrames * outputs * p.number("outHeight") * p.number("outWidth");
    return {
      input: Math.max(0, frames - past) * frame,
      ...(bindings.has("past") ? { past: Math.min(frames, past) * frame } : {}),
      weight: (taps * channels - 1) * outputs + read,
      bias: p.number("hasBias") && outputs,
      residual: p.number("hasResidual") && output,
      output,
    };
  };
}

function attention(p: KernelParams): Reach {
  const [queries, keys, heads, width, valueWidth] = ["queries", "keys", "heads", "width", "valueWidth"]
    .map((name) => p.number(name));
  const batch = Math.ceil(p.number("workgroups") / (p.number("parts") * p.number("queryTiles") * heads));
  const operand = (strides: readonly number[], tokens: number, columns: number) =>
    strided(strides[3], [batch, tokens, heads], strides) + columns - 1;
  const bias = p.list("biasStrides");
  return {
    q: operand(p.list("qStrides"), queries, width),
    k: operand(p.list("kStrides"), keys, width),
    v: operand(p.list("vStrides"), keys, valueWidth),
    bias: p.number("hasBias") && strided(p.number("biasStart"), [batch, heads, queries, keys], bias),
    output: batch * queries * heads * valueWidth,
  };
}

/** The reach of every kernel whose text is in the file of its name; `elementwise` is written for each chain. */
export const kernelReach: ReadonlyMap<string, ReachOf> = new Map<string, ReachOf>([
  ["attention", attention],
  ["attention_kept", attention],
  ["conv", convolution(false)],
  ["conv_tiled", convolution(true)],
  ["copy", copy],
  ["gather", gather],
  ["matmul", blocks(false)],
  ["matmul_tiled", blocks(true)],
  ["matvec", matvec],
  ["norm", norm],
  ["pad", pad],
  ["reduce", (p) => ({ input: alongAxis(p), output: p.number("columns") })],
  ["rope", rope],
  ["softmax", softmax],
]);
