import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { expandKernel } from "../../../lib/compute/webgpu/lowering/expand_kernel.ts";
import type { KernelName } from "../../../kernels-wgsl/generated.ts";
import type { Device, Precision } from "../../../lib/compute/tensor/device.ts";
import type { TileKind } from "../../../lib/compute/webgpu/matrix_tiles.ts";
import { createWebGpuDevice } from "../../../lib/compute/webgpu/webgpu_device.ts";
import { assertClose } from "../../support/assert_close.ts";
import { type AttentionCase, attentionCases, attentionProgram, isOfPrecision } from "../../support/attention_cases.ts";
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

async function compare(device: Device, each: AttentionCase, tolerance: number): Promise<void> {
  const { graph, feeds } = attentionProgram(each, device.precision);
  const expected = evaluate(graph, feeds).y.data;
  const program = await device.compile(graph);
  const { y } = await program.run(feeds);
  const { data } = await y.read();
  y.release();
  program.dispose();
  assertClose(data, expected, tolerance);
}

/** A pipeline of loops takes a software adapter ten seconds: heads of up to 32 columns share one, others run in f16. */
function isRun(each: AttentionCase, tile: TileKind, precision: Precision, bytes: number): boolean {
  if (!isOfPrecision(each, precision)) return false;
  if (tile === "PORTABLE") return true;
  const isNarrow = Math.max(each.width, each.valueWidth ?? 0) <= 32;
  if (precision === "f32") return isNarrow && (tile === "EMULATED8") === (bytes === MOST_BYTES);
  return isNarrow || (tile === "EMULATED16" && bytes === LEAST_BYTES);
}

for (const precision of ["f32", "f16"] as const) {
  for (const tile of ["PORTABLE", "EMULATED8", "EMULATED16"] as const) {
    for (const bytes of tile === "PORTABLE" ? [LEAST_BYTES] : [LEAST_BYTES, MOST_BYTES]) {
      const chosen = Object.entries(attentionCases).filter(([, each]) => isRun(each, tile, precision, bytes));
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
  // Loops in place of the builtins need more workgroup memory than the empty backend has; the cases above run them.
  if (/^attention_matrix.* EMULATED/.test(name)) return [];
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
