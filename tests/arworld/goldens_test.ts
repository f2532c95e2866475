import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import assert from "node:assert/strict";
import { openOnnxDevice } from "../../lib/onnx/mod.ts";
import { isWithin, runGolden } from "../goldens/golden_checks.ts";

const folder = new URL("../goldens/data/arworld/", import.meta.url);
const device = await openOnnxDevice();

for (const name of (await readdir(folder)).sort()) {
  test(`arworld agrees with the reference tensors of ${name}`, async () => {
    const result = await runGolden(name, new Uint8Array(await readFile(new URL(name, folder))), device);
    const wrong = result.comparisons.filter((c) => !isWithin(c)).map((c) => `${c.name}: ${c.maxAbs} > ${c.tolerance}`);
    assert.deepEqual(wrong, []);
    assert.equal(result.verdict, "PASS", result.reason);
    assert.ok(result.comparisons.length > 0);
  });
}
