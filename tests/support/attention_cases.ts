/**
 * Attention of all sizes that its kernels take ways of their own for, and with biases of every kind.
 *
 * @module
 */
import {
  attention,
  f32,
  Graph,
  type Precision,
  type Shape,
  sizeOf,
  type Tensor,
} from "../../lib/compute/tensor/mod.ts";
import { seededRandom } from "./random.ts";

/** Sizes of an attention, one head and as wide values as keys by default. */
export interface AttentionCase {
  readonly queries: number;
  readonly keys: number;
  readonly width: number;
  readonly valueWidth?: number;
  readonly heads?: number;
  readonly batch?: number;
  readonly bias?: Shape;
  /** The bias at an index; between -1 and 1 by default. */
  readonly biasOf?: (i: number) => number;
  readonly scale?: number;
}

/** The lowest finite 32-bit float: a bias that hides a key. */
export const LOWEST = -3.4028234663852886e38;

/** By name. */
export const attentionCases: Readonly<Record<string, AttentionCase>> = {
  "one query": { queries: 1, keys: 33, width: 64 },
  "seven queries, one key": { queries: 7, keys: 1, width: 20 },
  "16 queries of narrow heads": { queries: 16, keys: 16, width: 4, heads: 3 },
  "31 queries, 65 keys, width 20": { queries: 31, keys: 65, width: 20, heads: 2 },
  "33 queries, 31 keys, width 64": { queries: 33, keys: 31, width: 64 },
  "65 queries, 33 keys, width 72": { queries: 65, keys: 33, width: 72 },
  "40 queries, 100 keys, width 80": { queries: 40, keys: 100, width: 80 },
  "67 queries, 47 keys, width 96": { queries: 67, keys: 47, width: 96 },
  "65 queries, 129 keys, width 128": { queries: 65, keys: 129, width: 128, heads: 2 },
  "35 queries, 40 keys, width 160": { queries: 35, keys: 40, width: 160 },
  "33 queries, 19 keys, width 261": { queries: 33, keys: 19, width: 261, valueWidth: 30 },
  "odd widths": { queries: 37, keys: 29, width: 61, valueWidth: 35, heads: 2 },
  "narrow keys, wide values": { queries: 34, keys: 50, width: 20, valueWidth: 150 },
  "batches": { queries: 33, keys: 17, width: 24, heads: 2, batch: 2 },
  "a full bias": { queries: 33, keys: 35, width: 32, heads: 2, bias: [2, 33, 35] },
  "a bias for each key": { queries: 33, keys: 35, width: 32, heads: 2, bias: [35] },
  "a bias for each query": { queries: 33, keys: 35, width: 32, heads: 2, bias: [33, 1] },
  "a bias for each head": { queries: 33, keys: 35, width: 32, heads: 2, bias: [2, 1, 1] },
  "a bias for each of a batch": { queries: 33, keys: 35, width: 32, heads: 2, batch: 2, bias: [2, 1, 1, 35] },
  "a causal bias": {
    queries: 40,
    keys: 40,
    width: 32,
    bias: [40, 40],
    biasOf: (i) => i % 40 > Math.floor(i / 40) ? -Infinity : 0,
  },
  "a causal bias from the last key on": {
    queries: 40,
    keys: 70,
    width: 32,
    bias: [40, 70],
    biasOf: (i) => i % 70 < 69 - Math.floor(i / 70) ? -Infinity : 0,
  },
  "rows without a key": {
    queries: 35,
    keys: 37,
    width: 32,
    bias: [35, 37],
    biasOf: (i) => Math.floor(i / 37) % 3 === 0 ? LOWEST : i % 5 - 2,
  },
  "few queries without a key": { queries: 5, keys: 37, width: 32, bias: [37], biasOf: () => LOWEST },
  "growing logits": { queries: 33, keys: 100, width: 32, bias: [100], biasOf: (i) => i * 3 - 150 },
  "large logits": { queries: 33, keys: 70, width: 64, scale: 30 },
};

/** A program with its inputs, which are numbers of a precision. */
export interface AttentionProgram {
  readonly graph: Graph;
  readonly feeds: Readonly<Record<string, Tensor>>;
}

/** Makes the program of a case. */
export function attentionProgram(each: AttentionCase, precision: Precision): AttentionProgram {
  const { queries, keys, width, valueWidth = width, heads = 1, batch, bias, biasOf, scale } = each;
  const random = seededRandom(11);
  const graph = new Graph();
  const lead = batch === undefined ? [] : [batch];
  const half = precision === "f16";
  const fed = (shape: Shape, of = (_: number) => 2 * random() - 1): Tensor =>
    f32(shape, Float32Array.from({ length: sizeOf(shape) }, (_, i) => half ? toHalf(of(i)) : of(i)));
  const feeds: Record<string, Tensor> = {
    q: fed([...lead, queries, heads, width]),
    k: fed([...lead, keys, heads, width]),
    v: fed([...lead, keys, heads, valueWidth]),
    ...(bias && { bias: fed(bias, biasOf) }),
  };
  const [q, k, v, b] = Object.entries(feeds).map(([name, { shape }]) => graph.input(name, shape));
  graph.output("y", attention(q, k, v, { bias: b, ...(scale !== undefined && { scale }) }));
  return { graph, feeds };
}

/** A number with the 11 significant bits of a 16-bit float, within its range. */
function toHalf(x: number): number {
  if (x < -65504) return -Infinity;
  const step = 2 ** (Math.floor(Math.log2(Math.abs(x) || 1)) - 10);
  return Math.round(x / step) * step;
}

/** Whether a case is one of a precision: there is no 16-bit float that is as low as its bias. */
export function isOfPrecision({ biasOf }: AttentionCase, precision: Precision): boolean {
  return precision === "f32" || biasOf?.(0) !== LOWEST;
}
