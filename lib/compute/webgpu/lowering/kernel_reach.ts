/**
 * How far each kernel of `kernels-wgsl/` reaches into its bindings. An entry is read beside the kernel: it holds for
 * every workgroup that the uniform struct lets work, and for every index that data can name.
 *
 * @module
 */
import {
  type KernelBinding,
  type KernelParams,
  type KernelVariant,
  type Reach,
  type ReachOf,
  strided,
} from "./kernel_interface.ts";
import { convolution, matmul, matvec, sumParts } from "./product_reach.ts";

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

/** All parameters count elements of the bindings. */
function rope(p: KernelParams, { lanes }: KernelVariant): Reach {
  const [count, heads, pairs] = ["count", "heads", "pairs"].map((name) => p.number(name));
  const each = lanes.get("input")!;
  const angles = Math.ceil(count / (heads * pairs)) * pairs * each;
  const start = (Math.ceil(count / pairs) - 1) * 2 * pairs;
  const values = (start + (pairs - 1) * p.number("stride") + p.number("reach") + 1) * each;
  return { input: values, cosines: angles, sines: angles, output: values };
}

/**
 * Elements of a column, and numbers of kernels that work along the middle axis of [outer, length, inner]; see
 * `columns.wgsl`. Columns and inner count elements, the length counts numbers.
 */
function alongAxis(p: KernelParams, { lanes, constant }: KernelVariant): { column: number; numbers: number } {
  const column = Math.floor(p.number("length") / constant("EACH"));
  const inner = p.number("inner");
  return { column, numbers: Math.ceil(p.number("columns") / inner) * column * inner * lanes.get("input")! };
}

function softmax(p: KernelParams, { lanes, constant }: KernelVariant): Reach {
  const numbers = p.number("columns") * Math.floor(p.number("length") / constant("EACH")) * lanes.get("input")!;
  return { input: numbers, output: numbers };
}

function norm(p: KernelParams, variant: KernelVariant): Reach {
  const { column, numbers } = alongAxis(p, variant);
  return {
    input: numbers,
    weight: p.number("hasWeight") && column * variant.lanes.get("weight")!,
    bias: p.number("hasBias") && column * variant.lanes.get("bias")!,
    output: numbers,
  };
}

/** Columns after the last one begin with the first element, so there has to be one. */
function reduce(p: KernelParams, variant: KernelVariant): Reach {
  const { column, numbers } = alongAxis(p, variant);
  if (column === 0) throw new RangeError("its columns are empty");
  return { input: numbers, output: p.number("columns") * variant.lanes.get("output")! };
}

/** Words of a weight, and words of a file's bytes that it is made of. */
function loadWeight(p: KernelParams, { constants: { SOURCE, HALF }, declares }: KernelVariant): Reach {
  const [words, count, first, available] = ["words", "count", "first", "available"].map((name) => p.number(name));
  const inWord = [1, 2, 2, 4, 4][SOURCE];
  let read = available;
  if (declares("sum")) {
    // The nine elements from one on, which are whole kernels where the piece begins with one.
    read = first % 9 === 0 ? 9 * Math.ceil(available / 9) : available + 8;
  } else if (!declares("find")) {
    // Every word of a weight in its own order, of which the second half may be one too many.
    read = !HALF ? words : SOURCE === 1 ? 2 * words : Math.max(2 * words - 1, Math.min(2 * words, count));
  }
  return { source: Math.ceil(read / inWord), output: words };
}

/** The reach of every kernel whose text is in the file of its name; `elementwise` is written for each chain. */
export const kernelReach: ReadonlyMap<string, ReachOf> = new Map<string, ReachOf>([
  ["attention", attention],
  ["attention_kept", attentionKept],
  ["attention_matrix", attentionMatrix],
  ["conv", convolution(false)],
  ["conv_tiled", convolution(true)],
  ["copy", copy],
  ["gather", gather],
  ["load_weight", loadWeight],
  ["matmul", matmul(false)],
  ["matmul_tiled", matmul(true)],
  ["matvec", matvec],
  ["norm", norm],
  ["pad", pad],
  ["reduce", reduce],
  ["rope", rope],
  ["softmax", softmax],
  ["sum_parts", sumParts],
]);

/** `attention.wgsl` */
export function attention(p: KernelParams): Reach {
  return operandsReach(p, p.number("parts"));
}

/** `attention_kept.wgsl`, whose workgroups have no parts. */
function attentionKept(p: KernelParams): Reach {
  return operandsReach(p, 1);
}

/** `attention_matrix.wgsl`, whose arrays in workgroup memory have lengths of their own beside what they depend on. */
function attentionMatrix(p: KernelParams, { constants, constant, declares }: KernelVariant): Reach {
  const { KEYS, STRIPS } = constants;
  if (KEYS !== 16 && KEYS !== 32) throw new RangeError(`it stages ${KEYS} keys`);
  if (!(STRIPS >= 1 && STRIPS <= 8)) throw new RangeError(`it has ${STRIPS} strips`);
  const [queries, skew] = [4 * constant("EDGE"), constant("SKEW")];
  const needed: Readonly<Record<string, number>> = {
    TILE: KEYS * (16 * STRIPS + skew),
    LOGITS: queries * (KEYS + 4),
    ...(declares("weightTile") && { WEIGHTS: queries * (KEYS + skew) }),
    ...(declares("queryTile") && { QUERY_TILE: queries * 16 * STRIPS }),
  };
  for (const [name, length] of Object.entries(needed)) {
    if (!(constants[name] >= length)) {
      throw new RangeError(`workgroup memory ${name} has ${constants[name]} elements, expected ${length}`);
    }
  }
  return attention(p);
}

function operandsReach(p: KernelParams, parts: number): Reach {
  const [queries, keys, heads, width, valueWidth] = ["queries", "keys", "heads", "width", "valueWidth"]
    .map((name) => p.number(name));
  const batch = Math.ceil(p.number("workgroups") / (parts * p.number("queryTiles") * heads));
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

/**
 * Numbers up to the last one that is read or written, by binding.
 *
 * @param words The uniform struct.
 * @throws {RangeError} for an index that is not a sum of coordinates times words.
 */
export function elementwiseReach(code: string, words: readonly number[], bindings: readonly KernelBinding[]): Reach {
  const count = words[0];
  const highest = new Map([["i", count - 1]]);
  let sizes = 1;
  for (const [, coordinate, word] of code.matchAll(/let (c\d) = rest % word\((\d+)u\);/g)) {
    highest.set(coordinate, words[Number(word)] - 1);
    sizes *= words[Number(word)];
  }
  highest.set("c0", Math.ceil(count / sizes) - 1);
  const valueOf = (factor: string): number => {
    const value = highest.get(factor) ?? words[Number(/^word\((\d+)u\)$/.exec(factor)?.[1])];
    if (value === undefined) throw new RangeError(`an index has the factor ${factor}`);
    return value;
  };
  const reach: Record<string, number> = {};
  for (const { name, lanes } of bindings) {
    const indices = Array.from(code.matchAll(new RegExp(`\\b${name}\\[([^\\]]*)\\]`, "g")), ([, index]) => index);
    if (indices.length === 0) throw new RangeError(`${name} is not indexed`);
    const ends = indices.map((index) =>
      1 + index.split(" + ").reduce((sum, term) => sum + term.split(" * ").reduce((n, f) => n * valueOf(f), 1), 0)
    );
    reach[name] = lanes * Math.max(...ends);
  }
  return reach;
}
