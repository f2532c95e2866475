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
  assert.equal(names.filter((name) => / MATRIX\d+$/.test(name)).length, 2 * (8 + 16) + 8);
  assert.ok(names.filter((name) => / F16\b/.test(name)).length > 80);
  for (const name of names) {
    device.pushErrorScope("validation");
    device.createShaderModule({ code: expandKernel(name as KernelName) });
    assert.equal((await device.popErrorScope())?.message, undefined, name);
  }
  device.destroy();
});
