/**
 * Products by the subgroup matrices of a GPU (tensor cores and the like), which Dawn offers as an experiment.
 *
 * @module
 */
import type { Device, Precision } from "../tensor/device.ts";
import { Graph } from "../tensor/graph.ts";
import { attention } from "../tensor/ops/attention.ts";
import { conv2d } from "../tensor/ops/conv.ts";
import { reshape } from "../tensor/ops/layout.ts";
import { linear } from "../tensor/ops/matmul.ts";
import { f32, type Tensor } from "../tensor/tensor.ts";

/** How products in tiles are computed, by the flags of `kernels-wgsl/include/tile.wgsl`. */
export type TileKind = "PORTABLE" | "MATRIX8" | "MATRIX16" | "EMULATED8" | "EMULATED16";

/** The feature of a device that has subgroup matrices. */
export const MATRIX_FEATURE = "chromium-experimental-subgroup-matrix" as GPUFeatureName;

/** Invocations of a subgroup that the kernels are written for. */
const LANES = 32;

/** What an adapter says about its subgroups; the type definitions do not have matrices yet. */
export interface SubgroupInfo {
  readonly subgroupMinSize?: number;
  readonly subgroupMaxSize?: number;
  readonly subgroupMatrixConfigs?: Iterable<{
    readonly componentType: string;
    readonly resultComponentType: string;
    readonly M: number;
    readonly N: number;
    readonly K: number;
  }>;
}

/** The tiles that an adapter can compute by subgroup matrices with sums of 32 bits; undefined for none. */
export function matrixTiles(
  { features, info }: { readonly features: { has(name: string): boolean }; readonly info: SubgroupInfo },
  precision: Precision,
): TileKind | undefined {
  const { subgroupMinSize, subgroupMaxSize, subgroupMatrixConfigs = [] } = info;
  if (!features.has(MATRIX_FEATURE) || subgroupMinSize !== LANES || subgroupMaxSize !== LANES) return undefined;
  const configs = [...subgroupMatrixConfigs];
  const has = (type: string, side: number) =>
    configs.some(({ componentType, resultComponentType, M, N, K }) =>
      componentType === type && resultComponentType === "f32" && [M, N, K].every((length) => length === side)
    );
  if (precision === "f16" && has("f16", 16)) return "MATRIX16";
  return has("f32", 8) ? "MATRIX8" : undefined;
}

/** Why an adapter for which {@linkcode matrixTiles} finds none has no matrices that we can use. */
export function lacksMatrices(
  { features, info }: Parameters<typeof matrixTiles>[0],
  precision: Precision,
): string {
  const { subgroupMinSize, subgroupMaxSize, subgroupMatrixConfigs = [] } = info;
  if (!features.has(MATRIX_FEATURE)) return `the adapter lacks ${MATRIX_FEATURE}`;
  if (subgroupMinSize !== LANES || subgroupMaxSize !== LANES) {
    return `the adapter's subgroups have ${subgroupMinSize} to ${subgroupMaxSize} invocations, not ${LANES}`;
  }
  const offered = [...subgroupMatrixConfigs].map(({ componentType, resultComponentType, M, N, K }) =>
    `${M}x${N}x${K} ${componentType} to ${resultComponentType}`
  );
  const wanted = `${precision === "f16" ? "16x16x16 f16 to f32 or " : ""}8x8x8 f32 to f32`;
  return `the adapter offers matrices of ${offered.join(", ") || "no size"}, not of ${wanted}`;
}

/** A product of an input and a weight of small whole numbers, so that every product and sum is exact in 16 bits too. */
interface KnownProduct {
  readonly x: readonly [number, number];
  readonly weight: readonly [number, number];
  /** Element i of the input and of the weight. */
  readonly numbers: readonly [(i: number) => number, (i: number) => number];
  /** `x weight^T`, or `weight x` as a convolution, whose slices lie the other way round. */
  readonly kind: "linear" | "conv2d";
}

const signed: KnownProduct["numbers"] = [(i) => i % 11 - 5, (i) => i % 13 - 6];

/** One for each way of reading fragments and of putting results together. */
const KNOWN_PRODUCTS: readonly KnownProduct[] = [
  { x: [1000, 24], weight: [2044, 24], numbers: signed, kind: "linear" }, // in tiles of 128
  { x: [130, 40], weight: [1500, 40], numbers: signed, kind: "linear" }, // in tiles of 64
  // In parts that are added up; no part's sum is zero, so that each is missed.
  { x: [70, 1040], weight: [132, 1040], numbers: [(i) => i % 3, (i) => i % 7 - 2], kind: "linear" },
  { x: [40, 256], weight: [140, 40], numbers: signed, kind: "conv2d" },
];

/**
 * Why a device does not give the known results of products in tiles and of attention; undefined when it does. Its kernels
 * are run for the first time.
 *
 * @param headWidth columns of the heads of attention; 128 take all strips, fewer also fit a device that has loops in the
 * place of fragments and keeps the queries in workgroup memory
 */
export async function computesTiles(device: Device, headWidth = 128): Promise<string | undefined> {
  try {
    for (const known of KNOWN_PRODUCTS) {
      if (!await computesProduct(device, known)) return "the device computes products by matrices wrongly";
    }
    return await computesAttention(device, headWidth) ? undefined : "the device computes attention by matrices wrongly";
  } catch (error) {
    return `its kernels are refused: ${error instanceof Error ? error.message : error}`;
  }
}

async function computesProduct(device: Device, { x, weight, numbers, kind }: KnownProduct): Promise<boolean> {
  const [inputs, weights] = [x, weight].map(([rows, columns], n) =>
    Float32Array.from({ length: rows * columns }, (_, i) => numbers[n](i))
  );
  const graph = new Graph();
  const input = graph.input("x", x);
  const w = graph.constant(f32(weight, weights));
  const isLinear = kind === "linear";
  graph.output(
    "y",
    isLinear ? linear(input, w) : conv2d(reshape(input, [1, x[0], 16, -1]), reshape(w, [...weight, 1, 1])),
  );
  const data = await resultOf(device, graph, { x: f32(x, inputs) });
  const [inner, columns] = isLinear ? [x[1], weight[0]] : x;
  const [step, ofColumn] = isLinear ? [1, inner] : [columns, 1];
  const [left, right] = isLinear ? [inputs, weights] : [weights, inputs];
  return data.every((value, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    let sum = 0;
    for (let k = 0; k < inner; k++) sum += left[row * inner + k] * right[column * ofColumn + k * step];
    return value === sum;
  });
}

/**
 * Attention of small whole numbers: more queries than a workgroup has, and a last step that keys fill in part. The last
 * keys are twelve times as large: the maximum of 25 queries (of heads of 128) grows by more than 8 there, so that results
 * must be scaled that have been added up.
 */
const ATTENTION = { queries: 70, keys: 75, largeFrom: 72, large: 12 };

/**
 * More than rounding to 16 bits makes of results up to 7: a relative 2^-11 for the weights and again for the result, 0.007.
 * Whichever key is left out, some result differs by more than four times the tolerance.
 */
const ATTENTION_TOLERANCE = 0.01;

async function computesAttention(device: Device, width: number): Promise<boolean> {
  const { queries, keys, largeFrom, large } = ATTENTION;
  const scale = 2 / width;
  const numbers = (rows: number, of: (i: number) => number) =>
    f32([rows, 1, width], Float32Array.from({ length: rows * width }, (_, i) => of(i)));
  const feeds = {
    q: numbers(queries, (i) => i % 11 - 5),
    k: numbers(keys, (i) => (i % 13 - 6) % 4 * (i < largeFrom * width ? 1 : large)),
    v: numbers(keys, (i) => i % 15 - 7),
  };
  const graph = new Graph();
  const [q, k, v] = Object.entries(feeds).map(([name, { shape }]) => graph.input(name, shape));
  graph.output("y", attention(q, k, v, { scale }));
  const data = await resultOf(device, graph, feeds);
  for (let query = 0; query < queries; query++) {
    const logits = Array.from({ length: keys }, (_, key) => {
      let sum = 0;
      for (let c = 0; c < width; c++) sum += feeds.q.data[query * width + c] * feeds.k.data[key * width + c];
      return sum * scale;
    });
    const weights = logits.map((logit) => Math.exp(logit - Math.max(...logits)));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (let c = 0; c < width; c++) {
      const mean = weights.reduce((sum, weight, key) => sum + weight * feeds.v.data[key * width + c], 0) / total;
      // Not a number is wrong too.
      if (!(Math.abs(data[query * width + c] - mean) <= ATTENTION_TOLERANCE)) return false;
    }
  }
  return true;
}

async function resultOf(
  device: Device,
  graph: Graph,
  feeds: Readonly<Record<string, Tensor>>,
): Promise<Tensor["data"]> {
  const program = await device.compile(graph);
  const { y } = await program.run(feeds);
  const { data } = await y.read();
  y.release();
  program.dispose();
  return data;
}
