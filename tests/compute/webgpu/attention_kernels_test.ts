import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { attention } from "../../../lib/compute/tensor/ops/attention.ts";
import { type Device, f32, Graph, type Shape, sizeOf, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import { expandKernel } from "../../../lib/compute/webgpu/lowering/expand_kernel.ts";
import type { KernelName } from "../../../kernels-wgsl/generated.ts";
import type { Precision } from "../../../lib/compute/tensor/device.ts";
import type { TileKind } from "../../../lib/compute/webgpu/matrix_tiles.ts";
import { createWebGpuDevice } from "../../../lib/compute/webgpu/webgpu_device.ts";
import { assertClose } from "../../support/assert_close.ts";
import { seededRandom } from "../../support/random.ts";
import { evaluate } from "../../support/reference_ops.ts";
import { testSource } from "../../support/webgpu_device.ts";

const LEAST_BYTES = 16384;
const MOST_BYTES = 32768;

async function openTiles(tile: TileKind, precision: Precision, workgroupBytes: number): Promise<Device | undefined> {
  const adapter = await (await testSource())?.gpu.requestAdapter();
  // Loops in place of the builtins keep in workgroup memory what fragments keep in registers.
  const deviceBytes = tile === "PORTABLE" ? workgroupBytes : MOST_BYTES;
  if (!adapter || adapter.limits.maxComputeWorkgroupStorageSize < deviceBytes) return undefined;
  if (precision === "f16" && !adapter.features.has("shader-f16")) return undefined;
  const gpu = await adapter.requestDevice({
    requiredFeatures: precision === "f16" ? ["shader-f16"] : [],
    requiredLimits: { maxComputeWorkgroupStorageSize: deviceBytes },
  });
  const { maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage, maxComputeWorkgroupsPerDimension } = gpu.limits;
  const { minStorageBufferOffsetAlignment, minUniformBufferOffsetAlignment } = gpu.limits;
  return createWebGpuDevice(gpu, tile, precision, {
    ...{ maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage, maxComputeWorkgroupsPerDimension },
    ...{ minStorageBufferOffsetAlignment, minUniformBufferOffsetAlignment, tile },
    maxComputeWorkgroupStorageSize: workgroupBytes,
    unchecked: true, // every program is proved
  });
}

interface AttentionCase {
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

const LOWEST = -3.4028234663852886e38;

const cases: Readonly<Record<string, AttentionCase>> = {
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

async function compare(device: Device, each: AttentionCase, tolerance: number): Promise<void> {
  const { queries, keys, width, valueWidth = width, heads = 1, batch, bias, biasOf, scale } = each;
  const random = seededRandom(11);
  const graph = new Graph();
  const lead = batch === undefined ? [] : [batch];
  const half = device.precision === "f16";
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
  const expected = evaluate(graph, feeds).y.data;
  const program = await device.compile(graph);
  const { y } = await program.run(feeds);
  const { data } = await y.read();
  y.release();
  program.dispose();
  assertClose(data, expected, tolerance);
}

/** A number with the 11 significant bits of a 16-bit float, within its range. */
function toHalf(x: number): number {
  if (x < -65504) return -Infinity;
  const step = 2 ** (Math.floor(Math.log2(Math.abs(x) || 1)) - 10);
  return Math.round(x / step) * step;
}

/** A pipeline of loops takes a software adapter ten seconds: heads of up to 32 columns share one, others run in f16. */
function isRun(each: AttentionCase, tile: TileKind, precision: Precision, bytes: number): boolean {
  // There is no such 16-bit float.
  if (precision === "f16" && each.biasOf?.(0) === LOWEST) return false;
  if (tile === "PORTABLE") return true;
  const isNarrow = Math.max(each.width, each.valueWidth ?? 0) <= 32;
  if (precision === "f32") return isNarrow && (tile === "EMULATED8") === (bytes === MOST_BYTES);
  return isNarrow || (tile === "EMULATED16" && bytes === LEAST_BYTES);
}

for (const precision of ["f32", "f16"] as const) {
  for (const tile of ["PORTABLE", "EMULATED8", "EMULATED16"] as const) {
    for (const bytes of tile === "PORTABLE" ? [LEAST_BYTES] : [LEAST_BYTES, MOST_BYTES]) {
      const chosen = Object.entries(cases).filter(([, each]) => isRun(each, tile, precision, bytes));
      const device = chosen.length > 0 ? await openTiles(tile, precision, bytes) : undefined;
      after(() => device?.dispose());
      const what = `${tile} ${precision}, ${bytes / 1024} KiB of workgroup memory`;
      // One line says that there is no such adapter, not one for every case.
      if (!device && chosen.length > 0) test(`attention: ${what}`, { skip: "no such adapter was found" }, () => {});
      for (const [name, each] of device ? chosen : []) {
        test(`attention: ${what}: ${name}`, async () => {
          await compare(device!, each, precision === "f16" ? 4e-3 : 5e-6);
        });
      }
    }
  }
}

const dawn = "Deno" in globalThis ? undefined : await import("webgpu").catch(() => undefined);
/** Compiles WGSL and computes nothing. Reachable for as long as its devices are, which else crash. */
const root = dawn?.create(["backend=null", "enable-dawn-features=allow_unsafe_apis"]);

test("Dawn makes a pipeline of every kernel of attention and of rows", async (t) => {
  const adapter = await root?.requestAdapter();
  const feature = "chromium-experimental-subgroup-matrix" as GPUFeatureName;
  if (!adapter?.features.has(feature)) return t.skip("this needs Dawn's empty backend");
  const { maxComputeWorkgroupStorageSize } = adapter.limits;
  const device = await adapter.requestDevice({
    requiredFeatures: ["shader-f16", "subgroups", feature],
    requiredLimits: { maxComputeWorkgroupStorageSize },
  });
  const generated = readFileSync(new URL("../../../kernels-wgsl/generated.ts", import.meta.url), "utf8");
  const names = [...generated.matchAll(/^ {2}\| "((?:attention|norm|softmax|reduce|rope).*)"/gm)].map((m) => m[1]);
  assert.equal(names.filter((name) => name.startsWith("attention_matrix")).length, 16);
  for (const name of names) {
    for (const constants of constantsOf(name)) {
      const module = device.createShaderModule({ code: expandKernel(name as KernelName) });
      await device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: "main", constants } });
    }
  }
  device.destroy();
});

/** What pipelines of a kernel are made with: for attention by matrices heads of 128, of 256, and both numbers of keys. */
function constantsOf(name: string): Record<string, number>[] {
  if (!/^attention_matrix.* MATRIX/.test(name)) return [{}];
  const sixteen = name.endsWith("16");
  const half = sixteen && / F16 /.test(name);
  const sizes = (KEYS: number, STRIPS: number, CHUNKS: number) => ({
    ...{ KEYS, STRIPS, CHUNKS, TILE: KEYS * (16 * STRIPS + (half ? 8 : 4)) },
    LOGITS: (sixteen ? 64 : 32) * (KEYS + 4),
    ...(half && { WEIGHTS: 64 * (KEYS + 8) }),
  });
  return [sizes(16, 8, 1), sizes(16, 8, 2), sizes(32, 1, 1)];
}
