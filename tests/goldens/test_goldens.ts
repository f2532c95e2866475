/**
 * Tests that compare a model with reference tensors. The files below `data/` are numbers from the public PyTorch code
 * of each model with small random weights; every file names its source.
 *
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import assert from "node:assert/strict";
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import { isWithin, runGolden } from "./golden_checks.ts";

/** One test for every file of the model on the CPU. */
export async function testGoldens(model: string): Promise<void> {
  const folder = new URL(`./data/${model}/`, import.meta.url);
  const device = await openOnnxDevice();
  for (const name of (await readdir(folder)).sort()) {
    test(`${model} agrees with the reference tensors of ${name}`, async () => {
      const result = await runGolden(name, new Uint8Array(await readFile(new URL(name, folder))), device);
      const wrong = result.comparisons.filter((c) => !isWithin(c))
        .map((c) => `${c.name}: ${c.maxAbs} > ${c.tolerance}`);
      assert.deepEqual(wrong, []);
      assert.equal(result.verdict, "PASS", result.reason);
      assert.equal(result.leftOut, undefined);
    });
  }
}
