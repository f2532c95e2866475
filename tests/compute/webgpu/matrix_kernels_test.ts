import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { KernelName } from "../../../kernels-wgsl/generated.ts";
import { expandKernel } from "../../../lib/compute/webgpu/lowering/expand_kernel.ts";

const dawn = "Deno" in globalThis ? undefined : await import("webgpu").catch(() => undefined);
/** Compiles WGSL and computes nothing. Reachable for as long as its devices are, which else crash. */
const root = dawn?.create(["backend=null", "enable-dawn-features=allow_unsafe_apis"]);

test("Dawn accepts every kernel on a device that has subgroup matrices and 16-bit floats", async (t) => {
  const adapter = await root?.requestAdapter();
  const feature = "chromium-experimental-subgroup-matrix" as GPUFeatureName;
  if (!adapter?.features.has(feature)) return t.skip("this needs Dawn's empty backend");
  const device = await adapter.requestDevice({ requiredFeatures: ["shader-f16", "subgroups", feature] });
  const generated = readFileSync(new URL("../../../kernels-wgsl/generated.ts", import.meta.url), "utf8");
  const names = [...generated.matchAll(/^ {2}\| "(.+)"/gm)].map((match) => match[1]);
  const failed: string[] = [];
  const t0 = Date.now();
  for (const name of names) {
    device.pushErrorScope("validation");
    const module = device.createShaderModule({ code: expandKernel(name as KernelName) });
    const error = await device.popErrorScope();
    if (error) {
      console.log(name, error.message.slice(0, 1500));
      throw 1;
    }
    try {
      await device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: "main" } });
    } catch (e) {
      failed.push(`${name}: ${(e as Error).message.slice(0, 300)}`);
    }
  }
  console.log(names.length, Date.now() - t0, failed.length, failed.slice(0, 60).join("\n"));
  device.destroy();
});
