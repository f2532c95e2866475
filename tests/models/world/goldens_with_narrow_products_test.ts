import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { runGolden } from "../../goldens/golden_checks.ts";
import { PACKED } from "../../goldens/packed/packed_golden.ts";
import { roundProducts } from "../../support/rounded_products.ts";

/** Of results around one: sixteen bits have eleven digits, and errors add up over the layers and steps of a model. */
const TOLERANCE = 0.02;

roundProducts();
const device = await openOnnxDevice({ products: "f16" });
after(() => device.dispose());

for (const model of ["arworld", "actionworld"]) {
  const folder = new URL(`../../goldens/data/${model}/`, import.meta.url);
  for (const name of (await readdir(folder)).filter((name) => name.endsWith(PACKED)).sort()) {
    test(`with products of 16 bits ${model} stays near the reference tensors of ${name}`, async () => {
      const result = await runGolden(name, new Uint8Array(await readFile(new URL(name, folder))), device);
      assert.equal(result.reason, undefined);
      for (const { name, maxAbs, tolerance } of result.comparisons) {
        assert.ok(maxAbs <= Math.max(tolerance, TOLERANCE), `${name}: ${maxAbs}`);
      }
    });
  }
}
