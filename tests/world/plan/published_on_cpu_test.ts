import assert from "node:assert/strict";
import { test } from "node:test";
import { modelRoot } from "../../../lib/world/plan/model_root.ts";
import { describeActionworld, describeArworld, type DescribedWorld } from "../../../lib/world/plan/described_world.ts";
import { writeSparseCosmos, writeSparseDreamx } from "../../support/published_worlds.ts";
import { withFolder } from "../../support/temporary_folder.ts";

/** Bytes on the CPU as a share of those of the files. */
async function share(world: DescribedWorld, width: number, height: number): Promise<number> {
  return await world.cpu({ width, height, frames: world.frames }) / world.fileBytes;
}

test("DreamX-World-5B takes at most 1.3 x of its files of 32 or 16 bits on the CPU up to 832x480", () =>
  withFolder(async (folder) => {
    for (const dtype of ["F32", "F16"] as const) {
      writeSparseDreamx(folder, dtype);
      const [base, causal] = ["base", "causal"].map((name) => modelRoot(`${folder}/${name}`, 0));
      const world = await describeArworld(base, causal);
      for (const [width, height] of [[384, 224], [512, 320], [832, 480]]) {
        const found = await share(world, width, height);
        assert.ok(found <= 1.3, `${dtype} ${width}x${height}: ${found.toFixed(2)}`);
      }
    }
  }));

test("Cosmos3-Edge takes at most 1.3 x of its files on the CPU up to 832x480", () =>
  withFolder(async (folder) => {
    writeSparseCosmos(folder);
    const world = await describeActionworld(modelRoot(folder, 0));
    for (const [width, height] of [[320, 176], [640, 352], [832, 480]]) {
      const found = await share(world, width, height);
      assert.ok(found <= 1.3, `${width}x${height}: ${found.toFixed(2)}`);
    }
  }));
