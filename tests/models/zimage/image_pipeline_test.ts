import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { decodeImage } from "../../../lib/media/images/decode_image.ts";
import { ImagePipeline } from "../../../lib/models/image_pipeline/image_pipeline.ts";
import { openZImage } from "../../../lib/models/zimage/zimage_family.ts";
import { jsonFile } from "../../fixtures/tiny_models/model_files.ts";
import { zimageModel } from "../../fixtures/tiny_models/zimage_model.ts";
import { rootOf } from "../flux2/tiny_pipeline.ts";

const device = await openOnnxDevice({ threads: 1 });
const model = zimageModel();
const pipeline = new ImagePipeline({ files: await openZImage(rootOf(model)), device });
after(() => {
  pipeline.dispose();
  device.dispose();
});

const small = { prompt: "a red hall", width: 64, height: 48, seed: 7n };

/** The largest difference of two images. */
function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i])));
}

test("generate() makes the image that diffusers makes of the same files and noise", async () => {
  // ZImagePipeline of diffusers 0.42.1, 8 steps without guidance, `latents` from our noise of this seed.
  const reference = new URL("../../fixtures/pictures/zimage_diffusers.png", import.meta.url);
  const expected = await decodeImage(new Uint8Array(await readFile(reference)));
  const image = await pipeline.generate(small);
  assert.deepEqual([image.width, image.height], [expected.width, expected.height]);
  assert.ok(difference(image.data, expected.data) <= 1, `${difference(image.data, expected.data)}`);
});

test("generate() makes the same image again from the same seed and prompt, and at any size", async () => {
  const first = await pipeline.generate({ ...small, steps: 2 });
  // Longer texts, which a program of their own encodes only from the next multiple of 32 tokens on.
  const other = await pipeline.generate({ ...small, steps: 2, prompt: "a red hall with many doors, ".repeat(4) });
  assert.notDeepEqual(other.data, first.data);
  assert.deepEqual((await pipeline.generate({ ...small, steps: 2 })).data, first.data);
  assert.notDeepEqual((await pipeline.generate({ ...small, steps: 2, seed: 8n })).data, first.data);
  for (const [width, height] of [[16, 16], [16, 272], [336, 16]]) {
    const image = await pipeline.generate({ ...small, width, height, steps: 1 });
    assert.deepEqual([image.width, image.height], [width, height]);
  }
});

test("an image to begin with is kept the more the smaller the strength", async () => {
  const image = { width: 64, height: 48, data: new Uint8Array(64 * 48 * 3).fill(180) };
  const [kept, half, all] = await Promise.all([0, 0.5, 1].map(async (strength) => {
    const own = new ImagePipeline({ files: await openZImage(rootOf(model)), device });
    const made = await own.generate({ ...small, start: { image, strength } });
    own.dispose();
    return made.data;
  }));
  assert.deepEqual(all, (await pipeline.generate(small)).data);
  assert.notDeepEqual(half, all);
  assert.notDeepEqual(half, kept);
});

test("what Z-Image cannot do is refused by name", async () => {
  const image = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3) };
  const refused = async (request: object, param: string) =>
    await assert.rejects(
      pipeline.generate({ ...small, ...request }),
      (error) => error instanceof SvcError && error.code === "unsupported_parameter" && error.param === param,
    );
  await refused({ references: [image] }, "image");
  await refused({ guidanceScale: 2 }, "guidance_scale");
  await refused({ negativePrompt: "fog" }, "negative_prompt");
});

test("openZImage() names every wrong field and every tensor that is missing", async () => {
  const transformer = JSON.parse(new TextDecoder().decode(model["transformer/config.json"]));
  const changed = { ...transformer, axes_dims: [8, 8, 6], in_channels: 9 };
  await assert.rejects(
    openZImage(rootOf({ ...model, "transformer/config.json": jsonFile(changed) })),
    /the sum of axes_dims is 22, expected 24.*in_channels is 9, expected 8/s,
  );
  await assert.rejects(
    openZImage(rootOf({ ...model, "transformer/config.json": jsonFile({ ...transformer, n_layers: 3 }) })),
    /layers\.2\.attention\.to_q\.weight/,
  );
});
