import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import assert from "node:assert/strict";
import { embeddedFolder } from "../../../lib/app/embedded/embedded_folder.ts";
import { frameAt, type RgbFrames } from "../../../lib/media/images/rgb_image.ts";
import { actionMessage, openMessageTokenizer } from "../../../lib/models/actionworld/prompt_message.ts";
import { loadActionworld } from "../../../lib/models/actionworld/loader.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { modelRoot } from "../../../lib/world/plan/model_root.ts";
import { ClipModel } from "../../eval/clip_model.ts";
import { framesOfMove, MOVES, renderMoves } from "../../eval/clip_walks.ts";
import { drawScenes } from "../../eval/eval_scenes.ts";
import { PLACES } from "../../fixtures/places/place.ts";
import { framePsnr, meanOf } from "../../eval/frame_measures.ts";

const folder = await embeddedFolder("corridor-nano-actions");

test("corridor-nano-actions is at most 12 MB", async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size));
  assert.ok(sizes.reduce((a, b) => a + b, 0) <= 12e6);
});

test("corridor-nano-actions reads the message around its own prompt as few tokens", async () => {
  const { config, tokenizer } = await loadActionworld(modelRoot(folder));
  const { defaultPrompt: prompt = "", defaultFps: fps = 0, defaultWidth: width = 0, defaultHeight: height = 0 } =
    config;
  const ids = openMessageTokenizer("tokenizer.json", tokenizer).encode(
    actionMessage({ prompt, frames: 17, fps, width, height }),
  );
  assert.ok(ids.length <= 32 && ids.every((id) => id < config.transformer.vocab), `${ids}`);
  assert.deepEqual([...ids.slice(-2)], [11, 20]);
});

test("corridor-nano-actions follows its actions and continues from the result", async () => {
  const scenes = drawScenes(2, 4, PLACES.corridor, "bright");
  const model = await ClipModel.open(modelRoot(folder), () => openOnnxDevice());
  const opposites = [["forward yawRight", "backward yawRight"], ["yawLeft yawLeft", "yawRight yawRight"]];
  for (const pair of opposites) {
    const walks = pair.map((names) => {
      const path = names.split(" ").map((name) => MOVES[name]);
      return { names, path, truths: scenes.map((scene) => renderMoves(scene, path, model.defaults)) };
    });
    for (const [i, { names, path, truths }] of walks.entries()) {
      const films: RgbFrames[] = [];
      for (const [k, { prompt }] of scenes.entries()) {
        films.push(await model.walk(frameAt(truths[k], 0), prompt, path, 1n));
      }
      for (const move of [0, 1]) {
        const { from, to } = framesOfMove(move);
        const near = (all: typeof truths) =>
          meanOf(films.flatMap((film, k) => framePsnr(film, all[k]).slice(from, to)));
        const [own, other] = [near(truths), near(walks[1 - i].truths)];
        assert.ok(own > 18 && own > other + 1, `${names}, move ${move}: ${own} dB, its opposite ${other} dB`);
      }
    }
  }
  await model.close();
});
