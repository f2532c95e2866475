import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { f32, Graph, sizeOf } from "../../../lib/compute/tensor/mod.ts";
import { cropCentre } from "../../../lib/media/images/crop_image.ts";
import { frameAt, joinFrames, type RgbFrames } from "../../../lib/media/images/rgb_image.ts";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import { patchifyPixels, unpatchifyPixels, unpatchifyToImages } from "../../../lib/models/video_vae/latents.ts";
import { memoryRoot, tinyArworld, tinyBaseConfig } from "../../support/tiny_arworld.ts";

test("patches of 4x4 pixels have the columns of a patch outside its rows, and become the same pixels again", async () => {
  const shape = [1, 3, 8, 12];
  const graph = new Graph();
  const packed = patchifyPixels(graph.input("pixels", shape), 4);
  graph.output("packed", packed);
  graph.output("pixels.again", unpatchifyPixels(packed, 4));
  graph.output("images", unpatchifyToImages(packed, 4));
  const device = await openOnnxDevice({ threads: 1 });
  try {
    const program = await device.compile(graph);
    const given = Float32Array.from({ length: sizeOf(shape) }, (_, i) => i);
    const results = await program.run({ pixels: f32(shape, given) });
    const read = async (name: string) => (await results[name].read()).data as Float32Array;
    assert.deepEqual(packed.shape, [1, 48, 2, 3]);
    const [colour, row, column] = [2, 5, 7]; // in the patch of row 1 and column 1: its row 1, its column 3
    const at = ((colour * 16 + 3 * 4 + 1) * 2 + 1) * 3 + 1;
    assert.equal((await read("packed"))[at], (colour * 8 + row) * 12 + column);
    assert.deepEqual(await read("pixels.again"), given);
    assert.equal((await read("images"))[(row * 12 + column) * 3 + colour], (colour * 8 + row) * 12 + column);
  } finally {
    device.dispose();
  }
});

test("an arworld of 4x4 patches and 32 channels of latents makes frames of 32 pixels a latent, of any size", async () => {
  const { base, causal } = tinyArworld(1, {}, {
    vae: { ...tinyBaseConfig.vae, z_dim: 32, dim_mult: [1, 2, 4, 4], ...{ patch_size: 4 } },
    latents_mean: Array(32).fill(0.1),
    latents_std: Array(32).fill(1.5),
    ...{ default_width: 128, default_height: 64 },
  });
  const model = new ArworldModel({
    id: "patches",
    base: memoryRoot("base", base),
    causal: memoryRoot("causal", causal),
    openDevice: () => openOnnxDevice({ threads: 1 }),
  });
  try {
    await model.prepare();
    const image = { width: 128, height: 64, data: new Uint8Array(128 * 64 * 3).fill(90) };
    const views = Float32Array.from({ length: 48 }, (_, i) => i % 16 % 5 === 0 ? 1 : 0);
    const walk = async (size: { width: number; height: number }): Promise<RgbFrames> => {
      await model.begin(image, size);
      const early: RgbFrames[] = [];
      const request = { prompt: "red hall", seed: 1n, views };
      const blocks = [
        await model.generate(request),
        await model.generate(request, { early: "split", onFrames: (frames) => early.push(frames) }),
      ];
      assert.deepEqual(blocks.map(({ width, height, count }) => [width, height, count]), [
        [size.width, size.height, 9],
        [size.width, size.height, 12],
      ]);
      assert.deepEqual(joinFrames(early).data, blocks[1].data);
      return joinFrames(blocks);
    };
    const whole = await walk({ width: 128, height: 64 });
    // Of a size between, whole tokens are made and the middle is shown.
    const cut = await walk({ width: 96, height: 32 });
    const middle = cropCentre(frameAt(whole, 20), { width: 96, height: 32 });
    assert.deepEqual(frameAt(cut, 20).data, middle.data);
  } finally {
    await model.unload();
  }
});
