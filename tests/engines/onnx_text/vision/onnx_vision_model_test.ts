import assert from "node:assert/strict";
import { test } from "node:test";
import { visionChatModel, type VisionChatModelOptions } from "../../../fixtures/tiny_models/vision_chat_model.ts";
import { ChatModel } from "../../../../lib/engines/text/chat_model.ts";
import type { LanguageModel } from "../../../../lib/engines/contract/language_model.ts";
import type { ModelFiles } from "../../../../lib/engines/contract/engine_entry.ts";
import { openOnnxTextModel } from "../../../../lib/engines/onnx_text/onnx_text_model.ts";
import { readOnnxTextProfile } from "../../../../lib/engines/onnx_text/read_onnx_text_profile.ts";
import { prepareImage } from "../../../../lib/engines/onnx_text/vision/prepare_image.ts";
import { readVisionLayout } from "../../../../lib/engines/onnx_text/vision/vision_layout.ts";
import { encodePng } from "../../../../lib/media/mod.ts";
import { loadOnnxRuntime } from "../../../../lib/compute/onnx/load_onnxruntime.ts";
import { readChatRequest, type TokenLogprobs } from "../../../../lib/protocol/mod.ts";
import { assertClose } from "../../../support/assert_close.ts";
import { memoryFiles, withModelFiles } from "../../../support/model_files.ts";
import { seededRandom } from "../../../support/random.ts";
import { TINY_ENGINE, tinyJob, write } from "../../../support/tiny_text_model.ts";

const never = new AbortController().signal;

async function withVision(
  options: VisionChatModelOptions,
  work: (model: LanguageModel, files: ModelFiles) => Promise<void>,
): Promise<void> {
  await withModelFiles(visionChatModel(options), async (files) => {
    const model = await openOnnxTextModel(files, TINY_ENGINE);
    try {
      await work(model, files);
    } finally {
      await model.close();
    }
  });
}

function paint(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => readonly number[],
): Promise<Uint8Array> {
  const data = Uint8Array.from({ length: width * height }, (_, i) => i)
    .reduce(
      (bytes, _, i) => (bytes.set(colourAt(i % width, Math.floor(i / width)), 3 * i), bytes),
      new Uint8Array(width * height * 3),
    );
  return encodePng({ width, height, data });
}

const colours = { red: [220, 20, 30], green: [20, 200, 10], blue: [5, 60, 250] };

const chatOptions = (model: LanguageModel, images: readonly Uint8Array[]) => ({
  context: model.profile.context,
  presetMaxTokens: 40,
  defaults: model.profile.sampling,
  now: 0,
  images,
});
const silent = { onPrefill: () => {}, onText: () => {}, onDraft: () => {}, onTokens: () => {} };
const seen = (text: string) => [
  { type: "text", text },
  { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
];

test("a vision model answers by what it sees", async () => {
  for (const kind of ["gqa", "std"] as const) {
    await withVision({ kind }, async (model) => {
      const chats = new ChatModel(model, { id: () => "0", seed: () => 1 });
      const request = readChatRequest({ model: "tiny", messages: [{ role: "user", content: seen("Which colour?") }] });
      for (const [name, colour] of Object.entries(colours)) {
        const picture = await paint(50, 20, () => colour);
        const { answer, promptTokens } = await chats.chat(request, chatOptions(model, [picture]), silent, never);
        assert.equal(answer.message.content, `The picture is ${name}.`);
        assert.equal(
          promptTokens,
          model.encode("<|im_start|>user\nWhich colour?<|im_end|>\n<|im_start|>assistant\n").length + 4,
        );
      }
      const blind = readChatRequest({ model: "tiny", messages: [{ role: "user", content: "Which colour?" }] });
      const { answer } = await chats.chat(blind, chatOptions(model, []), silent, never);
      assert.equal(answer.message.content, "I see no picture.");
    });
  }
});

test("a vision model sees images of several messages, each in its place", async () => {
  await withVision({}, async (model) => {
    const chats = new ChatModel(model, { id: () => "0", seed: () => 1 });
    const messages = [
      { role: "user", content: seen("First?") },
      { role: "assistant", content: "The picture is red." },
      { role: "user", content: seen("Second?") },
    ];
    const images = await Promise.all([colours.red, colours.blue].map((colour) => paint(8, 8, () => colour)));
    const request = readChatRequest({ model: "tiny", messages });
    const { answer } = await chats.chat(request, chatOptions(model, images), silent, never);
    assert.equal(answer.message.content, "The picture is blue.");
    const swapped = await chats.chat(request, chatOptions(model, [images[1], images[0]]), silent, never);
    assert.equal(swapped.answer.message.content, "The picture is red.");
  });
});

test("a vision model reuses the state of a prompt with the same image only", async () => {
  await withVision({}, async (model) => {
    const prompt = model.encode("<|im_start|>user\nA picture: <image> What do you see?<|im_end|>\n");
    const [one, other] = await Promise.all([3, 4].map((seed) => {
      const random = seededRandom(seed);
      return paint(32, 32, () => [256 * random(), 256 * random(), 256 * random()]);
    }));
    const ask = async (bytes: Uint8Array) => {
      const placed = await model.placeImages!(prompt, [{ bytes, detail: "auto" }], never);
      return await write(model, tinyJob(placed));
    };
    const first = await ask(one);
    assert.equal(first.cachedTokens, 0);
    const again = await ask(one);
    assert.ok(again.cachedTokens >= prompt.length, `${again.cachedTokens} cached tokens`);
    assert.deepEqual(again.ids, first.ids);
    const before = model.encode("<|im_start|>user\nA picture: ").length;
    assert.ok((await ask(other)).cachedTokens <= before);
  });
});

/** A token, and the log probabilities of the four likeliest ones. */
interface Said {
  readonly id: number;
  readonly top: readonly number[];
}

/** What the graphs say one after the other, without any cache. */
async function reference(files: ModelFiles, prompt: readonly number[], features: Float32Array): Promise<Said[]> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime();
  const open = (name: string) => InferenceSession.create(files.path(`onnx/${name}.onnx`));
  const [table, decoder] = [await open("embed_tokens"), await open("decoder_model_merged")];
  const whole = (values: readonly number[]) =>
    new Tensor("int64", BigInt64Array.from(values, BigInt), [1, values.length]);
  const said: Said[] = [];
  for (let step = 0; step < 4; step++) {
    const ids = [...prompt, ...said.map(({ id }) => id)];
    const { inputs_embeds } = await table.run({ input_ids: whole(ids.map((id) => Math.max(id, 0))) });
    const width = inputs_embeds.dims[2];
    const vectors = inputs_embeds.data as Float32Array;
    let row = 0;
    for (const [at, id] of ids.entries()) {
      if (id < 0) vectors.set(features.subarray(row * width, ++row * width), at * width);
    }
    const feeds = Object.fromEntries(decoder.inputMetadata.map((input) => {
      if (input.name === "inputs_embeds") return [input.name, inputs_embeds];
      if (input.name === "attention_mask") return [input.name, whole(ids.map(() => 1))];
      if (input.name === "position_ids") return [input.name, whole(ids.map((_, at) => at))];
      const shape = input.isTensor ? input.shape : [];
      return [input.name, new Tensor("float32", new Float32Array(), [1, Number(shape[1]), 0, Number(shape[3])])];
    }));
    const { logits } = await decoder.run(feeds, ["logits"]);
    const vocabulary = logits.dims[2];
    const last = [...(logits.data as Float32Array).subarray((ids.length - 1) * vocabulary)];
    const sorted = last.toSorted((a, b) => b - a);
    const total = Math.log(last.reduce((sum, x) => sum + Math.exp(x - sorted[0]), 0)) + sorted[0];
    said.push({ id: last.indexOf(sorted[0]), top: sorted.slice(0, 4).map((x) => x - total) });
  }
  await Promise.all([table.release(), decoder.release()]);
  return said;
}

test("a vision model writes what its graphs write without caches, chunks and batches", async () => {
  const { InferenceSession, Tensor } = await loadOnnxRuntime();
  for (const family of ["llava", "smolvlm"] as const) {
    await withVision({ family }, async (model, files) => {
      const random = seededRandom(5);
      const bytes = await paint(32, 32, () => [256 * random(), 256 * random(), 256 * random()]);
      const detail = "low" as const;
      const prompt = model.encode("<|im_start|>user\nA picture: <image> What do you see?<|say:0|>");
      const placed = await model.placeImages!(prompt, [{ bytes, detail }], never);
      const encoder = await InferenceSession.create(files.path("onnx/vision_encoder.onnx"));
      const { recipe } = (await readVisionLayout(files))!;
      const { pieces: [piece] } = await prepareImage({ bytes, detail }, recipe);
      const outer = family === "llava" ? [1] : [1, 1];
      const { image_features: features } = await encoder.run({
        pixel_values: new Tensor("float32", piece.data, [...outer, 3, 32, 32]),
        ...family === "llava"
          ? {}
          : { pixel_attention_mask: new Tensor("bool", new Uint8Array(1024).fill(1), [1, 1, 32, 32]) },
      });
      await encoder.release();
      const expected = await reference(files, placed, features.data as Float32Array);
      const say = async (): Promise<Said[]> => {
        const said: Said[] = [];
        const placed = await model.placeImages!(prompt, [{ bytes, detail }], never);
        const onToken = (id: number, logprobs: TokenLogprobs | undefined): boolean =>
          said.push({ id, top: logprobs!.top.map(({ raw }) => raw) }) > 0;
        await write(model, tinyJob(placed, { maxTokens: 4, topLogprobs: 4, onToken }));
        return said;
      };
      // Several at a time go through the loop in batches.
      for (const said of [await say(), ...await Promise.all([say(), say(), say()])]) {
        assert.deepEqual(said.map(({ id }) => id), expected.map(({ id }) => id), family);
        assertClose(said.flatMap(({ top }) => top), expected.flatMap(({ top }) => top), 1e-5, family);
      }
      const blank = await reference(files, placed, new Float32Array(features.size));
      assert.ok(
        blank.some(({ top }, i) => Math.abs(top[3] - expected[i].top[3]) > 1e-3),
        "the image makes no difference",
      );
    });
  }
});

test("a vision model refuses prompts that have no place for each image", async () => {
  await withVision({}, async (model) => {
    const bytes = await paint(8, 8, () => colours.red);
    const image = { bytes, detail: "auto" as const };
    const message =
      "Cannot complete the chat: the prompt has 1 image placeholders, expected 2, one for each image of the messages";
    await assert.rejects(model.placeImages!(model.encode("<image>"), [image, image], never), {
      code: "images_not_placed",
      message,
    });
    await assert.rejects(model.placeImages!(model.encode("none"), [image], never), { code: "images_not_placed" });
  });
});

test("readOnnxTextProfile() claims images only for models that are known to see", async () => {
  const sees = async (given: Record<string, unknown>) =>
    (await readOnnxTextProfile(memoryFiles(given)))?.capabilities.features.has("images");
  for (const family of ["llava", "smolvlm"] as const) assert.equal(await sees(visionChatModel({ family })), true);
  const given = visionChatModel();
  const config = JSON.parse(new TextDecoder().decode(given["config.json"]));
  assert.equal(await sees({ ...given, "config.json": { ...config, model_type: "qwen2_vl" } }), false);
  const { "onnx/vision_encoder.onnx": _, ...blind } = given;
  assert.equal(await sees(blind), false);
  await assert.rejects(sees({ ...given, "preprocessor_config.json": { size: "large" } }), {
    message: /^Cannot use preprocessor_config\.json: size is "large"/,
  });
});
