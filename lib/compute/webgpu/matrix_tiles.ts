/**
 * Products by the subgroup matrices of a GPU (tensor cores and the like), which Dawn offers as an experiment.
 *
 * @module
 */
import type { Device, Precision } from "../tensor/device.ts";
import { Graph } from "../tensor/graph.ts";
import { linear } from "../tensor/ops/matmul.ts";
import { f32 } from "../tensor/tensor.ts";

/** How products in tiles are computed, by the flags of `kernels-wgsl/include/tile.wgsl`. */
export type TileKind = "PORTABLE" | "MATRIX8" | "MATRIX16" | "EMULATED8" | "EMULATED16";

/** The feature of a device that has subgroup matrices. */
export const MATRIX_FEATURE = "chromium-experimental-subgroup-matrix" as GPUFeatureName;

/** Invocations of a subgroup that the kernels are written for. */
const LANES = 32;

/** What an adapter says about its subgroups; the lists of types know nothing of matrices yet. */
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

/** Why a device does not give the known result of a product in tiles; undefined when it does. */
export async function computesTiles(device: Device): Promise<string | undefined> {
  const [rows, inner, columns] = [130, 40, 6144];
  const graph = new Graph();
  // Small whole numbers: every product and sum is exact.
  const weight = f32([columns, inner], Float32Array.from({ length: columns * inner }, (_, i) => i % 7 - 3));
  graph.output("y", linear(graph.input("x", [rows, inner]), graph.constant(weight)));
  const x = Float32Array.from({ length: rows * inner }, (_, i) => i % 5 - 2);
  try {
    const program = await device.compile(graph);
    const { y } = await program.run({ x: f32([rows, inner], x) });
    const { data } = await y.read();
    y.release();
    program.dispose();
    const right = data.every((value, i) => {
      const [row, column] = [Math.floor(i / columns), i % columns];
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += x[row * inner + k] * (weight.data as Float32Array)[column * inner + k];
      return value === sum;
    });
    return right ? undefined : "the device computes products by matrices wrongly";
  } catch (error) {
    return `its kernels are refused: ${error instanceof Error ? error.message : error}`;
  }
}
