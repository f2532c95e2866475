import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeTemporaryDirectory } from "../../../lib/platform/files/work_folder.ts";
import { openWorld } from "../../../lib/app/world/open_world.ts";
import type { RgbImage } from "../../../lib/media/images/rgb_image.ts";
import { smallCorridor } from "../../support/small_corridor.ts";

const grey: RgbImage = { width: 8, height: 8, data: new Uint8Array(8 * 8 * 3).fill(128) };

test("openWorld() gives the same walk for the same picture, prompt and seed", async () => {
  const pictures: Uint8Array[] = [];
  for (const seed of [7, 7n, 8]) {
    const size = { width: 64, height: 32, model: smallCorridor() };
    await using world = await openWorld({ ...size, source: grey, prompt: "a corridor", seed, device: "cpu", fps: 8 });
    for await (const { frames } of world.walk(["w"])) {
      assert.deepEqual([frames.width, frames.height, frames.count], [64, 32, 9]);
      pictures.push(frames.data);
    }
    assert.deepEqual([world.fps, world.snapshot().model.id], [8, "corridor-nano"]);
    assert.ok((await world.video()).length > 0);
  }
  assert.deepEqual(pictures[1], pictures[0]);
  assert.notDeepEqual(pictures[2], pictures[0]);
});

test("openWorld() names an image that does not exist", async () => {
  await assert.rejects(openWorld({ source: "no/such.png" }), {
    message: "Cannot start from no/such.png: the file does not exist, expected an image such as a PNG or JPEG",
  });
});

test("openWorld() rejects bytes that are not an image", async () => {
  await assert.rejects(openWorld({ source: new Uint8Array([1, 2, 3]) }), { code: "image_unsupported" });
});

test("openWorld() names every file that a model lacks", async () => {
  const folder = await makeTemporaryDirectory();
  await mkdir(join(folder.path, "base"));
  await writeFile(join(folder.path, "base", "tokenizer.json"), "{}");
  await assert.rejects(openWorld({ model: folder.path, source: grey }), (error: Error) => {
    assert.match(error.message, /vae\.safetensors.*model\.safetensors/);
    assert.doesNotMatch(error.message, /tokenizer/);
    return true;
  });
  await folder.remove();
});

test("openWorld() opens an actionworld, undoes a move and removes its files when it is closed", async () => {
  const world = await openWorld({ backend: "actionworld", device: "cpu", source: grey, prompt: "a corridor" });
  const { blocks, receipt } = await world.move("w", { frames: 5 });
  assert.equal(blocks[0].frames.count, 5);
  const back = await world.back();
  assert.equal(back.receipt.replayed, true);
  assert.deepEqual(back.blocks[0].frames.data.length, blocks[0].frames.data.length);
  await world.close();
  await assert.rejects(readFile(receipt.outputPath), { code: "ENOENT" });
});
