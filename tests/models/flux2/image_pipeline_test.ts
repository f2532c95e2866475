import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import type { RgbImage } from "../../../lib/media/images/rgb_image.ts";
import { ImagePipeline, type ImageStep } from "../../../lib/models/image_pipeline/image_pipeline.ts";
import { openFlux2 } from "../../../lib/models/flux2/flux2_family.ts";
import { imageModel } from "../../fixtures/tiny_models/image_model.ts";
import { rootOf } from "./tiny_pipeline.ts";

const device = await openOnnxDevice({ threads: 1 });
const files = await openFlux2(rootOf(imageModel()));
const base = await openFlux2(rootOf(imageModel({ distilled: false })));
const pipeline = new ImagePipeline({ files, device });
const guided = new ImagePipeline({ files: base, device });
after(() => {
  pipeline.dispose();
  guided.dispose();
  device.dispose();
});

const small = { prompt: "a red hall", width: 48, height: 32, seed: 7n };

function picture(width: number, height: number): RgbImage {
  const data = Uint8Array.from({ length: 3 * width * height }, (_, i) => (i * 37) % 256);
  return { width, height, data };
}

function refusal(code: string, message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof SvcError && error.code === code && message.test(error.message);
}

test("generate() makes the same image again from the same seed, and another from another", async () => {
  const first = await pipeline.generate(small);
  assert.deepEqual([first.width, first.height, first.data.length], [48, 32, 48 * 32 * 3]);
  assert.deepEqual((await pipeline.generate(small)).data, first.data);
  assert.notDeepEqual((await pipeline.generate({ ...small, seed: 8n })).data, first.data);
  assert.notDeepEqual((await pipeline.generate({ ...small, prompt: "a blue hall" })).data, first.data);
  const afresh = new ImagePipeline({ files, device });
  assert.deepEqual((await afresh.generate(small)).data, first.data);
  afresh.dispose();
});

test("generate() takes extreme sizes and numbers of steps", async () => {
  for (const [width, height, steps] of [[16, 16, 1], [16, 272, 2], [336, 16, 1]]) {
    const image = await pipeline.generate({ ...small, width, height, steps });
    assert.deepEqual([image.width, image.height], [width, height]);
  }
});

test("generate() reports every step and decodes previews on demand", async () => {
  const steps: ImageStep[] = [];
  const previews: (RgbImage | undefined)[] = [];
  const image = await pipeline.generate({ ...small, steps: 3 }, {
    onStep: async (step) => {
      steps.push(step);
      previews.push(await step.preview());
    },
  });
  assert.deepEqual(steps.map(({ step, steps }) => [step, steps]), [[1, 3], [2, 3], [3, 3]]);
  assert.ok(previews.every((p) => p?.width === 48 && p.height === 32));
  assert.notDeepEqual(previews[0]!.data, image.data);
  assert.deepEqual(previews[2]!.data, image.data, "after the last step nothing is left to expect");
});

test("generate() names its stages, and makes one image at a time", async () => {
  const stages: string[] = [];
  const options = { onStage: (stage: string) => void stages.push(stage) };
  const request = { ...small, prompt: "a green hall", steps: 1 };
  const work = pipeline.generate({ ...request, references: [picture(64, 64)] }, options);
  await assert.rejects(pipeline.generate(small), /another one is being made/);
  await work;
  await pipeline.generate(request, options);
  assert.deepEqual(stages, ["text", "references", "denoising", "decoding", "denoising", "decoding"]);
});

test("generate() looks at its references, and at their order", async () => {
  const plain = await pipeline.generate(small);
  const [a, b] = [picture(70, 64), picture(64, 131)];
  const one = await pipeline.generate({ ...small, references: [a] });
  const two = await pipeline.generate({ ...small, references: [a, b] });
  const turned = await pipeline.generate({ ...small, references: [b, a] });
  assert.notDeepEqual(one.data, plain.data);
  assert.notDeepEqual(two.data, one.data);
  assert.notDeepEqual(two.data, turned.data);
});

test("generate() begins with an image as far as strength says", async () => {
  const image = picture(90, 50);
  const kept = await pipeline.generate({ ...small, start: { image, strength: 0 } });
  const other = await pipeline.generate({ ...small, start: { image, strength: 0 }, seed: 9n });
  assert.deepEqual(kept.data, other.data, "without a step the noise does not matter");
  const steps: number[] = [];
  const changed = await pipeline.generate({ ...small, start: { image, strength: 0.9 } }, {
    onStep: ({ steps: count }) => void steps.push(count),
  });
  assert.notDeepEqual(changed.data, kept.data);
  assert.deepEqual(steps, [2, 2], "the levels of 4 steps are 1, about 0.95, 0.87, 0.70: two are at most 0.9");
  const whole = await pipeline.generate({ ...small, start: { image, strength: 1 } });
  assert.deepEqual(whole.data, (await pipeline.generate(small)).data, "strength 1 is pure noise");
});

test("generate() guides models that have a second pass", async () => {
  const request = { ...small, steps: 2, guidanceScale: 4 };
  const plain = await guided.generate({ ...request, guidanceScale: 1 });
  const empty = await guided.generate(request);
  const negative = await guided.generate({ ...request, negativePrompt: "doors" });
  assert.notDeepEqual(empty.data, plain.data);
  assert.notDeepEqual(negative.data, empty.data);
});

test("generate() refuses what it cannot honour before anything is loaded", async () => {
  const never = new ImagePipeline({ files: { ...files, components: {} as typeof files.components }, device });
  const cases: [object, string, RegExp][] = [
    [{ negativePrompt: "doors" }, "unsupported_parameter", /negative_prompt: this model was distilled/],
    [{ guidanceScale: 3.5 }, "unsupported_parameter", /guidance_scale is 3.5, .* expected at most 1/],
    [{ guidanceScale: NaN }, "invalid_guidance_scale", /guidance_scale is NaN/],
    [{ width: 40 }, "invalid_size", /the size is 40x32, expected multiples of 16/],
    [{ width: 0 }, "invalid_size", /the size is 0x32/],
    [{ width: 4096, height: 4096 }, "invalid_size", /at most 4194304 pixels/],
    [{ width: 4112 }, "invalid_size", /the size is 4112x32/],
    [{ steps: 0 }, "invalid_steps", /steps is 0, expected a whole number from 1 to 100/],
    [{ steps: 101 }, "invalid_steps", /steps is 101/],
    [{ seed: 2n ** 64n }, "invalid_seed", /expected 0 to 2\^64 - 1/],
    [{ start: { image: picture(64, 64), strength: 1.5 } }, "invalid_strength", /strength is 1.5/],
    [{ references: [picture(63, 64)] }, "invalid_image", /reference image 1 is 63x64, expected at least 64/],
    [{ references: [picture(64, 64), picture(64, 513)] }, "invalid_image", /reference image 2 is 64x513/],
    [{ references: new Array(9).fill(picture(64, 64)) }, "invalid_image", /there are 9 reference images/],
    [{ prompt: "x".repeat(600) }, "context_length_exceeded", /the prompt has 6\d\d tokens, the model takes 512/],
    [{ prompt: "x".repeat(1e6) }, "context_length_exceeded", /at least \d+ tokens, the model takes 512/],
  ];
  for (const [change, code, message] of cases) {
    await assert.rejects(never.generate({ ...small, ...change }), refusal(code, message), JSON.stringify(code));
  }
});

test("generate() stops between steps when it is cancelled, and the next request works", async () => {
  const controller = new AbortController();
  const seen: number[] = [];
  const work = pipeline.generate({ ...small, steps: 10 }, {
    signal: controller.signal,
    onStep: ({ step }) => {
      seen.push(step);
      if (step === 2) controller.abort(new Error("the client disconnected"));
    },
  });
  await assert.rejects(work, /the client disconnected/);
  assert.deepEqual(seen, [1, 2]);
  await pipeline.generate(small);
});

test("generate() releases programs where the memory asks for it, with the same image", async () => {
  const plan = pipeline.plan(small);
  assert.deepEqual(plan.programs.map(({ name }) => name), ["text_encoder", "transformer", "decoder"]);
  assert.ok(plan.oneByOneBytes < plan.togetherBytes);
  const tight = new ImagePipeline({ files, device, memoryBytes: plan.oneByOneBytes });
  const image = await tight.generate(small);
  assert.deepEqual(image.data, (await pipeline.generate(small)).data);
  tight.dispose();
  const full = new ImagePipeline({ files, device, memoryBytes: plan.oneByOneBytes - 1 });
  await assert.rejects(full.generate(small), refusal("memory_pressure", /its [\w ]+ needs 0\.\d+ GiB of memory, 0\./));
});

test("openFlux2() names everything that is missing, misshaped or foreign", async () => {
  const good = imageModel();
  const problemsOf = async (change: Record<string, Uint8Array | undefined>) => {
    const changed = Object.fromEntries(Object.entries({ ...good, ...change }).filter(([, bytes]) => bytes));
    const error: unknown = await openFlux2(rootOf(changed as typeof good)).then(() => undefined, (e) => e);
    assert.ok(error instanceof SvcError, "it was opened");
    return error.message;
  };
  const edited = (file: string, change: object) =>
    new TextEncoder().encode(JSON.stringify({ ...JSON.parse(new TextDecoder().decode(good[file])), ...change }));
  const vae = "vae/diffusion_pytorch_model.safetensors";
  assert.match(
    await problemsOf({ [vae]: undefined, "tokenizer/tokenizer.json": undefined }),
    /tokenizer.json is missing.*safetensors is missing/,
  );
  assert.match(await problemsOf({ [vae]: good[vae].slice(0, 100) }), /tiny\/vae/);
  assert.match(
    await problemsOf({ "text_encoder/model-00002-of-00002.safetensors": undefined }),
    /model-00002-of-00002.safetensors is missing/,
  );
  assert.match(
    await problemsOf({ "transformer/config.json": edited("transformer/config.json", { num_single_layers: 3 }) }),
    /lacks tensor "single_transformer_blocks.2.attn.to_qkv_mlp_proj.weight" \[432,48\]/,
  );
  assert.match(
    await problemsOf({ "text_encoder/config.json": edited("text_encoder/config.json", { intermediate_size: 72 }) }),
    /has tensor "model.layers.0.mlp.gate_proj.weight" with shape \[64,32\], expected \[72,32\]/,
  );
  assert.match(
    await problemsOf({
      "transformer/config.json": edited("transformer/config.json", { axes_dims_rope: [4, 4, 4, 6] }),
    }),
    /the sum of axes_dims_rope is 18, expected 16/,
  );
  assert.match(
    await problemsOf({ "transformer/config.json": edited("transformer/config.json", { joint_attention_dim: 64 }) }),
    /joint_attention_dim is 64, expected 96: 3 hidden states of 32/,
  );
  assert.match(
    await problemsOf({ "model_index.json": edited("model_index.json", { _class_name: "StableDiffusionPipeline" }) }),
    /model_index.json: _class_name is "StableDiffusionPipeline", expected "Flux2KleinPipeline"/,
  );
});
