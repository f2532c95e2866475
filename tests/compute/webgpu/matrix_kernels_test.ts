import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { KernelName } from "../../../kernels-wgsl/generated.ts";
import { workgroupBytes } from "../../../lib/compute/webgpu/lowering/choose_tiles.ts";
import { expandKernel } from "../../../lib/compute/webgpu/lowering/expand_kernel.ts";
import type { TileKind } from "../../../lib/compute/webgpu/matrix_tiles.ts";

const dawn = "Deno" in globalThis ? undefined : await import("webgpu").catch(() => undefined);
/** Compiles WGSL and computes nothing. Reachable for as long as its devices are, which else crash. */
const root = dawn?.create(["backend=null", "enable-dawn-features=allow_unsafe_apis"]);
const features = ["shader-f16", "subgroups", "chromium-experimental-subgroup-matrix"] as GPUFeatureName[];

const generated = readFileSync(new URL("../../../kernels-wgsl/generated.ts", import.meta.url), "utf8");
const names = [...generated.matchAll(/^ {2}\| "(.+)"/gm)].map((match) => match[1] as KernelName)
  .filter((name) => !name.startsWith("attention_matrix ")); // attention_kernels_test.ts makes those

/** A device of Dawn's empty backend with subgroup matrices and the most workgroup memory that it has. */
async function openMatrixDevice(): Promise<GPUDevice | undefined> {
  const adapter = await root?.requestAdapter();
  if (!adapter || features.some((feature) => !adapter.features.has(feature))) return undefined;
  const { maxComputeWorkgroupStorageSize } = adapter.limits;
  return await adapter.requestDevice({
    requiredFeatures: features,
    requiredLimits: { maxComputeWorkgroupStorageSize },
  });
}

/** Makes a pipeline; the message of the error that prevents it. */
async function pipelineError(
  device: GPUDevice,
  name: KernelName,
  constants: Record<string, number>,
): Promise<string | undefined> {
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code: expandKernel(name) });
  const error = await device.popErrorScope();
  if (error) return error.message;
  const compute = { module, entryPoint: "main", constants };
  return await device.createComputePipelineAsync({ layout: "auto", compute }).then(
    () => undefined,
    ({ message }) => message,
  );
}

/** The values of the constants that lowerings give a variant's pipelines. */
function constantsOf(name: KernelName): Record<string, number>[] {
  const [kernel, ...flags] = name.split(" ");
  const isTiled = kernel.endsWith("_tiled");
  if (!isTiled) return [flags.includes("QUANTIZED") ? { BITS: 4, GROUP: 16 } : {}];
  const buffers: (1 | 2)[] = flags.includes("PORTABLE") ? [1] : [1, 2];
  const orders = kernel === "matmul_tiled" ? (flags.includes("QUANTIZED") ? [1] : [0, 1]) : [undefined];
  return buffers.flatMap((count) =>
    orders.map((order) => ({
      ...(!flags.includes("PORTABLE") && { BUFFERS: count }),
      ...(order !== undefined && { TRANSPOSED: order }),
      ...(flags.includes("QUANTIZED") && { BITS: 4, GROUP: 16 }),
    }))
  );
}

/** Workgroup memory that a tiled variant declares, by the function that lowerings go by. */
function bytesOf(name: KernelName, { BUFFERS = 1 }: Record<string, number>): number {
  const [kernel, ...flags] = name.split(" ");
  if (!kernel.endsWith("_tiled")) return 0;
  const [precision, side] = [flags.includes("F16") ? "f16" : "f32", flags.includes("SMALL") ? 64 : 128] as const;
  return workgroupBytes(flags.at(-1) as TileKind, precision, side, BUFFERS as 1 | 2);
}

test("Dawn makes the pipelines of every kernel on a device that has subgroup matrices and 16-bit floats", async (t) => {
  const device = await openMatrixDevice();
  if (!device) return t.skip("this needs Dawn's empty backend");
  const memory = device.limits.maxComputeWorkgroupStorageSize;
  const isMatrix = (name: string) => /_tiled .*MATRIX\d+$/.test(name);
  assert.equal(names.filter(isMatrix).length, 2 * (32 + 128));
  const tooLarge = new Set<string>();
  for (const name of names) {
    for (const constants of constantsOf(name)) {
      const message = await pipelineError(device, name, constants);
      const variant = `${name} ${JSON.stringify(constants)}`;
      if (bytesOf(name, constants) > memory) {
        assert.match(
          message ?? "made",
          new RegExp(`use of workgroup storage \\(${bytesOf(name, constants)} bytes`),
          variant,
        );
        tooLarge.add(
          name.split(" ").filter((flag) => /F16|SMALL|8$|16$/.test(flag)).join(" ") + ` ${constants.BUFFERS}`,
        );
      } else assert.equal(message, undefined, variant);
    }
  }
  // A second buffer needs more than every device has, and so do operands of 32 bits in fragments of 16 x 16, which no
  // device is given: the kernels for tiles of 64 with one buffer are always available.
  assert.deepEqual([...tooLarge].sort(), [
    ...["EMULATED16 1", "EMULATED16 2", "EMULATED8 2"],
    ...["F16 EMULATED16 2", "F16 EMULATED8 2", "F16 MATRIX16 2", "F16 MATRIX8 2"],
    ...["MATRIX16 1", "MATRIX16 2", "MATRIX8 2", "SMALL EMULATED16 2", "SMALL MATRIX16 2"],
  ]);
  device.destroy();
});

test("Dawn refuses matrices in workgroups of 16 x 16", async (t) => {
  const device = await openMatrixDevice();
  if (!device) return t.skip("this needs Dawn's empty backend");
  const code = expandKernel("matmul_tiled F16 VEC MATRIX16").replace(
    /@workgroup_size\(\w+\)/,
    "@workgroup_size(16, 16)",
  );
  const compute = { module: device.createShaderModule({ code }), entryPoint: "main" };
  await assert.rejects(device.createComputePipelineAsync({ layout: "auto", compute }), /x-dimension of workgroup_size/);
  device.destroy();
});
