import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { isWithin, runGolden } from "../../goldens/golden_checks.ts";

for (const name of ["hibari_g2p.json.br", "hibari_synth.golden"]) {
  test(`speech agrees with the reference of ${name}`, async (t) => {
    const bytes = await readFile(new URL(`../../goldens/data/speech/${name}`, import.meta.url));
    const device = await openOnnxDevice();
    const { verdict, comparisons, reason, leftOut } = await runGolden(name, new Uint8Array(bytes), device);
    device.dispose();
    if (verdict === "SKIP") return t.skip(reason);
    assert.deepEqual(comparisons.filter((one) => !isWithin(one)), []);
    assert.equal(verdict, "PASS", reason);
    if (leftOut !== undefined) t.skip(leftOut);
  });
}
