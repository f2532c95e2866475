import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddedFolder } from "../../../lib/app/embedded/embedded_folder.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { f32 } from "../../../lib/compute/tensor/mod.ts";
import { loadActionworld } from "../../../lib/models/actionworld/loader.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { FrameDecoder } from "../../../lib/models/video_vae/frame_decoder.ts";
import { ImageEncoder } from "../../../lib/models/video_vae/image_encoder.ts";
import { modelRoot } from "../../../lib/world/plan/model_root.ts";
import { seededRandom } from "../../support/random.ts";

const folder = await embeddedFolder("corridor-nano");
const whole = await loadArworld(modelRoot(`${folder}/base`), modelRoot(`${folder}/causal`));
const half = await loadActionworld(modelRoot(await embeddedFolder("corridor-nano-actions")));
const [width, height] = [96, 64];

test("the autoencoder of corridor-nano-actions sees and shows half of what that of corridor-nano does", async () => {
  const random = seededRandom(7);
  const data = Uint8Array.from({ length: 3 * width * height }, () => 256 * random());
  const doubled = new Uint8Array(4 * data.length);
  for (let y = 0; y < 2 * height; y++) {
    for (let x = 0; x < 2 * width; x++) {
      const from = 3 * ((y >> 1) * width + (x >> 1));
      doubled.set(data.subarray(from, from + 3), 3 * (2 * y * width + x));
    }
  }
  const device = await openOnnxDevice({ threads: 1 });
  try {
    const large = await ImageEncoder.compile(device, whole.config, whole.vae, 2 * width, 2 * height);
    const small = await ImageEncoder.compile(device, half.config, half.vae, width, height);
    const latents = await large.encode({ width: 2 * width, height: 2 * height, data: doubled });
    const others = await small.encode({ width, height, data });
    assert.equal(others.length, latents.length);
    const farthest = others.reduce((most, value, i) => Math.max(most, Math.abs(value - latents[i])), 0);
    assert.ok(farthest < 1e-3, `latents differ by ${farthest}`);

    const size = { width: width / 16, height: height / 16 };
    const shape = [1, whole.config.vae.zDim, size.height, size.width];
    const decoded = async (decoder: FrameDecoder): Promise<Float32Array> =>
      (await decoder.decode(device.upload(f32(shape, latents)), undefined)).frames;
    const frame = await decoded(await FrameDecoder.compile(device, whole.config, whole.vae, size, 1));
    const other = await decoded(await FrameDecoder.compile(device, half.config, half.vae, size, 1));
    assert.deepEqual([frame.length, other.length], [4 * data.length, data.length]);
    let compared = 0;
    for (let i = 0; i < other.length; i++) {
      const [y, x, c] = [Math.floor(i / (3 * width)), Math.floor(i / 3) % width, i % 3];
      const four = [0, 1].flatMap((v) => [0, 1].map((u) => frame[3 * ((2 * y + v) * 2 * width + 2 * x + u) + c]));
      if (four.some((value) => value <= 0 || value >= 255)) continue; // cut off before the mean
      compared++;
      const mean = four.reduce((sum, value) => sum + value) / 4;
      assert.ok(Math.abs(mean - other[i]) < 0.2, `number ${i} is ${other[i]}, the mean of four ${mean}`);
    }
    assert.ok(compared > other.length / 2, `${compared} of ${other.length} compared`);
  } finally {
    device.dispose();
  }
});
