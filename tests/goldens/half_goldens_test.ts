import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { openTestDevice } from "../support/webgpu_device.ts";
import { isWithin, runGolden } from "./golden_checks.ts";
import { PACKED } from "./packed/packed_golden.ts";

const device = await openTestDevice("f16");
const skip = typeof device === "string" ? device : false;
after(() => {
  if (typeof device !== "string") device.dispose();
});

/** Ten seconds each on a software adapter, of a minute for all; their layers are in smaller ones as well. */
const long = ["vae_decoder", "vda_e2e"];

const data = fileURLToPath(new URL("./data/", import.meta.url));
const entries = await readdir(data, { recursive: true, withFileTypes: true });
const files = entries.filter(({ name }) => name.endsWith(PACKED)).map((e) => join(e.parentPath, e.name)).sort();

// One line says that there is no adapter with 16-bit floats, not one for every golden.
test("goldens are there to be compared with 16-bit floats", { skip }, () => assert.ok(files.length > 70));

for (const path of skip ? [] : files) {
  const name = basename(path, PACKED);
  const isLong = long.includes(name) && "takes long on a software adapter; deno run -A tests/goldens.ts compares it";
  test(`${name} agrees with its reference tensors in 16-bit floats`, { skip: isLong }, async (t) => {
    assert.ok(typeof device !== "string");
    const result = await runGolden(path, new Uint8Array(await readFile(path)), device);
    const wrong = result.comparisons.filter((c) => !isWithin(c)).map((c) => `${c.name}: ${c.maxAbs} > ${c.tolerance}`);
    assert.deepEqual(wrong, []);
    assert.equal(result.verdict, "PASS", result.reason);
    if (result.leftOut !== undefined) t.skip(result.leftOut);
  });
}
