import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import assert from "node:assert/strict";
import { modelRoot } from "../../../lib/world/plan/model_root.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { frameAt, type RgbFrames } from "../../../lib/media/images/rgb_image.ts";
import { EvalModel } from "../../eval/eval_model.ts";
import { drawScenes, framesOfBlock, renderTruth } from "../../eval/eval_scenes.ts";
import { framePsnr, meanOf } from "../../eval/frame_measures.ts";
import { PLACES } from "../../fixtures/places/place.ts";

const folder = fileURLToPath(new URL("../../../models/corridor-nano", import.meta.url));
const [scene] = drawScenes(1, 4, PLACES.corridor, "dark");

function psnrOf(film: RgbFrames, truth: RgbFrames, { from, to }: { from: number; to: number }): number {
  return meanOf(framePsnr(film, truth).slice(from, to));
}

test("corridor-nano is at most 20 MB", async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size));
  assert.ok(sizes.reduce((a, b) => a + b, 0) <= 20e6);
});

test("corridor-nano shows the picture it starts from and goes where the keys say", async () => {
  const model = await EvalModel.open(
    modelRoot(`${folder}/base`),
    modelRoot(`${folder}/causal`),
    () => openOnnxDevice(),
  );
  const walks = [["w", "w"], ["s", "s"]].map((keys) => ({ keys, truth: renderTruth(scene, keys, model.size) }));
  for (const { keys, truth } of walks) {
    const film = await model.walk(frameAt(truth, 0), scene.prompt, keys, 1n);
    assert.ok(framePsnr(film, truth)[0] > 24, `first frame: ${framePsnr(film, truth)[0]} dB`);
    const other = walks.find((walk) => walk.keys !== keys)!.truth;
    for (const block of [0, 1]) {
      const [own, opposite] = [truth, other].map((t) => psnrOf(film, t, framesOfBlock(block)));
      assert.ok(own > 19 && own > opposite + 1, `${keys[0]}, block ${block}: ${own} dB, its opposite ${opposite} dB`);
    }
  }
  await model.close();
});
