import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import assert from "node:assert/strict";
import { programArguments, ROOT } from "../support/program_arguments.ts";

const wrong: readonly (readonly [given: readonly string[], problem: string])[] = [
  [["--adapter", "cuda"], 'Cannot compare with --adapter "cuda": expected software or gpu'],
  [["--precision", "bf16"], 'Cannot compare with --precision "bf16": expected f32 or f16'],
  [["--device", "tpu"], 'Cannot compare with --device "tpu": expected cpu or webgpu'],
  [["--device", "cpu", "--precision", "f16"], "Cannot compare on cpu: --adapter or --precision was given"],
];

for (const [given, problem] of wrong) {
  test(`goldens.ts ${given.join(" ")} says what it takes`, () => {
    const program = join(ROOT, "tests/goldens.ts");
    const { status, stderr } = spawnSync(process.execPath, [...programArguments(), program, "folder", ...given], {
      encoding: "utf8",
    });
    assert.equal(status, 2);
    assert.ok(stderr.includes(problem), stderr);
  });
}
