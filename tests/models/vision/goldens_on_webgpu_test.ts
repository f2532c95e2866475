import { readFile } from "node:fs/promises";
import { test } from "node:test";
import assert from "node:assert/strict";
import { isWithin, runGolden } from "../../goldens/golden_checks.ts";
import { PACKED } from "../../goldens/packed/packed_golden.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";

/** The goldens that run a network; the others hold for every device alike. */
const networks = [
  "dinov2",
  "moge_net",
  "da3_block",
  "da3_cameras",
  "da3_e2e",
  "da3_head",
  "vda_temporal",
  "vda_e2e",
  "triposr_net",
  "triposr_field",
  "instantmesh_net",
  "instantmesh_field",
];

const folder = new URL("../../goldens/data/vision/", import.meta.url);

for (const name of networks) {
  test(`vision agrees with the reference tensors of ${name} on WebGPU`, async (t) => {
    const device = await openTestDevice();
    if (typeof device === "string") return t.skip(device);
    try {
      const file = name + PACKED;
      const result = await runGolden(file, new Uint8Array(await readFile(new URL(file, folder))), device);
      assert.deepEqual(result.comparisons.filter((c) => !isWithin(c)), []);
      assert.equal(result.verdict, "PASS", result.reason);
    } finally {
      device.dispose();
    }
  });
}
