import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import assert from "node:assert/strict";
import { readStart } from "../../../lib/world/protocol/model_files.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { decodeImage } from "../../../lib/media/images/decode_image.ts";
import { frameAt, type RgbFrames } from "../../../lib/media/images/rgb_image.ts";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import { EvalModel, worldRoots } from "../../eval/eval_model.ts";
import { drawScenes, framesOfBlock, renderTruth } from "../../eval/eval_scenes.ts";
import { framePsnr, meanOf } from "../../eval/frame_measures.ts";
import { PLACES } from "../../fixtures/places/place.ts";

const folder = fileURLToPath(new URL("../../../models/corridor-nano", import.meta.url));

function psnrOf(film: RgbFrames, truth: RgbFrames, { from, to }: { from: number; to: number }): number {
  return meanOf(framePsnr(film, truth).slice(from, to));
}

test("corridor-nano is at most 20 MB", async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size));
  assert.ok(sizes.reduce((a, b) => a + b, 0) <= 20e6);
});

/** In dB, of a first frame and of every block, in a dark scene of each place. */
const LEAST = { first: 24, block: 19 };

for (const place of ["corridor", "courtyard"] as const) {
  test(`corridor-nano shows the picture of a ${place} it starts from and goes where the keys say`, async () => {
    const { base, causal } = await worldRoots(folder, place);
    const model = await EvalModel.open(base, causal, () => openOnnxDevice());
    const [scene] = drawScenes(1, 4, PLACES[place], "dark");
    const walks = [["w", "w"], ["s", "s"]].map((keys) => ({ keys, truth: renderTruth(scene, keys, model.size) }));
    for (const { keys, truth } of walks) {
      const film = await model.walk(frameAt(truth, 0), scene.prompt, keys, 1n);
      assert.ok(framePsnr(film, truth)[0] > LEAST.first, `first frame: ${framePsnr(film, truth)[0]} dB`);
      const other = walks.find((walk) => walk.keys !== keys)!.truth;
      for (const block of [0, 1]) {
        const [own, opposite] = [truth, other].map((t) => psnrOf(film, t, framesOfBlock(block)));
        const said = `${keys[0]}, block ${block}: ${own} dB, its opposite ${opposite} dB`;
        assert.ok(own > LEAST.block && own > opposite + 1, said);
      }
    }
    await model.close();
  });
}

test("corridor-nano walks into each of its places in the world that was made for it", async () => {
  const { base, causal } = await worldRoots(folder, "corridor");
  const model = new ArworldModel({ id: "corridor-nano", base, causal, openDevice: () => openOnnxDevice() });
  await model.prepare();
  const { image, prompt, places = [] } = await readStart(
    "corridor-nano",
    "base",
    (name) => readFile(join(folder, "base", name)),
  );
  const found = new Set<string>();
  for (const start of [{ prompt, read: () => Promise.resolve(image) }, ...places]) {
    const { place = "corridor", distance = Infinity } = await model.nearest(await decodeImage(await start.read())) ??
      {};
    assert.match(start.prompt, new RegExp(` ${place} with `));
    assert.ok(distance < 1, `${start.prompt}: ${distance}`);
    found.add(place);
  }
  assert.deepEqual([...found], ["corridor", "courtyard"]);
  await model.unload();
});
