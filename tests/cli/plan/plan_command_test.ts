import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ARWORLD_UNIT, arworldIn, worldMemory } from "../../../lib/world/host/world_memory.ts";
import { modelRoot } from "../../../lib/world/plan/model_root.ts";
import { measureDevice, secondsOf } from "../../../cli/plan/measure_device.ts";
import { planModel, type PlanRequest } from "../../../cli/plan/plan_command.ts";
import { formatPlan } from "../../../cli/plan/plan_report.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { gpuMemory, type GpuMemorySource } from "../../../lib/platform/machine/gpu_memory.ts";
import { admitSize } from "../../../lib/world/session/session_memory.ts";
import { writeSparseDreamx } from "../../support/published_worlds.ts";
import { withFolder } from "../../support/temporary_folder.ts";

const GB = 2 ** 30;

const request: PlanRequest = {
  ...{ command: "svc world plan", backend: undefined, model: undefined, baseModel: undefined, size: undefined },
  ...{ gpuBytes: undefined, measure: false },
};

test("a world of true size is planned from its headers, and refused where it cannot fit", () =>
  withFolder(async (folder) => {
    writeSparseDreamx(folder);
    const report = await planModel({ ...request, model: folder, size: "512x320", gpuBytes: 16 * GB });
    assert.equal(report.kind, "arworld");
    assert.deepEqual(report.sizes.map(({ gpuFits, cpuFits }) => [gpuFits, cpuFits]), [[true, false]]);
    assert.match(formatPlan(report), /512x320 +13\.\d GiB fits[^]*Fits: 512x320$/m);

    const roots = [join(folder, "base"), join(folder, "causal")].map((path) => modelRoot(path, 0));
    const memory = worldMemory({
      ...{ describe: arworldIn(roots[0], roots[1]), unit: ARWORLD_UNIT },
      gpuBytes: () => Promise.resolve(24 * GB),
    });
    await assert.rejects(
      admitSize(memory, "NVIDIA L4 (Dawn, f16, portable tiles)", "start", { width: 1280, height: 704, frames: 12 }),
      {
        code: "size_exceeds_memory",
        message: /26\.\d GiB of memory, 22\.8 GiB is all there can be; 1152x608 fits/,
      },
    );

    rmSync(join(folder, "base", "vae.safetensors"));
    await assert.rejects(planModel({ ...request, model: folder }), { code: "model_invalid" });
  }));

test("svc world plan takes the embedded worlds and sizes of their kind only", async () => {
  const { sizes } = await planModel({ ...request, size: "96x64" });
  assert.equal(sizes.length, 1);
  assert.ok(sizes[0].gpu!.totalBytes < GB && sizes[0].cpuFits);
  const clips = await planModel({ ...request, backend: "actionworld", size: "320x176" });
  assert.equal(clips.kind, "actionworld");
  for (const size of ["0x0", "100x64", "96", "1312x704", "99999999x32", "96x64x3"]) {
    await assert.rejects(planModel({ ...request, size }), /--size is .*, expected WxH in multiples of 32/, size);
  }
});

test("svc world plan refuses a tiny decoder where there is none, as svc world serve does", async () => {
  const tiny = { ...request, decoder: "tiny" } as const;
  await assert.rejects(planModel(tiny), /no tiny_decoder\.safetensors, expected one made with svc model convert/);
  await assert.rejects(planModel({ ...tiny, backend: "actionworld" }), /with an actionworld: expected an arworld/);
});

test("formatPlan() shows long times and fast devices in digits", async () => {
  const report = await planModel({ ...request, size: "96x64" });
  const speed = { matmul: 123_456e9, conv: 4_321e9, attention: 5e9 };
  const sizes = report.sizes.map((size) => ({ ...size, seconds: 367.2 }));
  const text = formatPlan({ ...report, sizes, measured: { kind: "webgpu", label: "gpu", speed } });
  assert.match(text, / 370$[^]*: 123000 GFLOP\/s in matrix products, 4320 in convolutions, 5 in attention/m);
});

test("measureDevice() gives the speed of every kind of kernel", async () => {
  const device = await openOnnxDevice({ threads: 1 });
  let time = 0;
  try {
    // A clock that moves by a second at each look: one run of each kind is measured.
    const speed = await measureDevice(device, 1, () => time += 1000);
    assert.ok(speed.matmul > 0 && speed.conv > 0 && speed.attention > 0);
    assert.equal(secondsOf({ matmul: 2 * speed.matmul, conv: speed.conv, attention: 0 }, speed), 3);
  } finally {
    device.dispose();
  }
});

test("gpuMemory() asks the driver of the machine", async () => {
  const source: GpuMemorySource = {
    ...{ platform: "linux", architecture: "x64", totalBytes: 64 * GB },
    nvidiaSmi: () => Promise.reject(new Error("ENOENT")),
    list: () => [],
    readText: () => "",
  };
  assert.equal(await gpuMemory(source), undefined);
  assert.equal(
    await gpuMemory({ ...source, nvidiaSmi: () => Promise.resolve("8192\n24564\n[N/A]\n") }),
    24564 * 2 ** 20,
  );
  const amd = {
    list: () => ["card0", "card1-DP-1", "card1"],
    readText: (path: string) => path.includes("card1") ? "17163091968\n" : "",
  };
  assert.equal(await gpuMemory({ ...source, ...amd }), 17163091968);
  assert.equal(await gpuMemory({ ...source, platform: "darwin", architecture: "arm64" }), 0.7 * 64 * GB);
});
