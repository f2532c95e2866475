import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { generateKernels } from "../../../scripts/generate_kernels.mjs";

test("kernels-wgsl/generated.ts is what scripts/generate_kernels.mjs writes", () => {
  const current = readFileSync(new URL("../../../kernels-wgsl/generated.ts", import.meta.url), "utf8");
  assert.ok(current === generateKernels(), "run: node scripts/generate_kernels.mjs");
});
