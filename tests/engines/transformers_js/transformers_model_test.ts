import assert from "node:assert/strict";
import { test } from "node:test";
import { readChatRequest } from "../../../lib/protocol/mod.ts";
import { ChatModel } from "../../../lib/engines/text/chat_model.ts";
import type { LanguageModel } from "../../../lib/engines/contract/language_model.ts";
import { openOnnxTextModel } from "../../../lib/engines/onnx_text/onnx_text_model.ts";
import { openTransformersModel } from "../../../lib/engines/transformers_js/open_transformers_model.ts";
import { readTransformersProfile } from "../../../lib/engines/transformers_js/read_transformers_profile.ts";
import { encodePng } from "../../../lib/media/mod.ts";
import { type LibraryFamily, libraryVisionModel } from "../../fixtures/tiny_models/library_vision_model.ts";
import { translationModel } from "../../fixtures/tiny_models/translation_model.ts";
import { type GivenFiles, memoryFiles, withModelFiles } from "../../support/model_files.ts";
import { TINY_ENGINE, tinyJob, tinyPrompt, write } from "../../support/tiny_text_model.ts";

const never = new AbortController().signal;
const silent = { onPrefill: () => {}, onText: () => {}, onDraft: () => {}, onTokens: () => {} };
const colours = { red: [220, 20, 30], green: [20, 200, 10], blue: [5, 60, 250] };

async function withLibrary(files: GivenFiles, work: (model: LanguageModel) => Promise<void>): Promise<void> {
  await withModelFiles(files, async (given) => {
    const model = await openTransformersModel(given, TINY_ENGINE);
    try {
      await work(model);
    } finally {
      await model.close();
    }
  });
}

function picture(colour: readonly number[], width: number, height: number): Promise<Uint8Array> {
  const data = Uint8Array.from({ length: 3 * width * height }, (_, i) => colour[i % 3]);
  return encodePng({ width, height, data });
}

async function ask(model: LanguageModel, content: unknown, images: readonly Uint8Array[], more: object = {}) {
  const chats = new ChatModel(model, { id: () => "0", seed: () => 1 });
  const user = { role: "user", content };
  const request = readChatRequest({ model: "", messages: images.length > 1 ? [user, user] : [user], ...more });
  const { context, sampling: defaults } = model.profile;
  return await chats.chat(request, { context, presetMaxTokens: 24, defaults, now: 0, images }, silent, never);
}

const seen = [
  { type: "text", text: "Which colour?" },
  { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
];

for (const family of ["qwen2_vl", "qwen3_5", "gemma3n"] satisfies LibraryFamily[]) {
  test(`transformers-js answers by what it sees, and continues kept texts, with graphs of ${family}`, async () => {
    await withLibrary(libraryVisionModel(family), async (model) => {
      const views = new Set<string>();
      for (const [name, colour] of Object.entries(colours)) {
        // Gemma's processor puts lines after an image, which the script of the model does not contain.
        const bias = family === "gemma3n" ? { logit_bias: { [model.encode("<|im_end|>")[0]]: -100 } } : {};
        const more = { logprobs: true, ...bias };
        const { answer, logprobs } = await ask(model, seen, [await picture(colour, 40, 24)], more);
        if (family !== "gemma3n") assert.equal(answer.message.content, `The picture is ${name}.`);
        views.add(JSON.stringify(logprobs));
      }
      assert.equal(views.size, 3);
      const two = [await picture(colours.red, 8, 8), await picture(colours.red, 8, 8)];
      await assert.rejects(ask(model, seen, two), { code: "unsupported_parameter" });
      const broken = ask(model, seen, [new Uint8Array(9)]);
      await assert.rejects(broken, { code: "invalid_image" });
      if (family !== "gemma3n") {
        const strip = ask(model, seen, [await picture(colours.red, 300, 1)]);
        await assert.rejects(strip, { code: "invalid_image", message: /no image of 300x1 \(.*ratio/ });
      }
      if (family !== "gemma3n") {
        assert.equal((await ask(model, "Hello", [])).answer.message.content, "I see no picture.");
      }
      const prompt = tinyPrompt(30, 1);
      const first = await write(model, tinyJob(prompt));
      const next = [...prompt, ...first.ids, ...tinyPrompt(5, 2)];
      const continued = await write(model, tinyJob(next));
      assert.equal(continued.cachedTokens, prompt.length + first.ids.length - (first.reason === "stop" ? 0 : 1));
      await model.trim();
      const fresh = await write(model, tinyJob(next));
      assert.deepEqual([fresh.ids, fresh.cachedTokens], [continued.ids, 0]);
      assert.equal(model.counters().prefixKVCache!.hits, 1);
      // An answer that does not follow its prompt would be beyond the context.
      assert.ok((await write(model, tinyJob(tinyPrompt(2000, 3)))).ids.length > 0);
    });
  });
}

test("our own loop says what transformers.js says without images, on graphs of qwen3_5 and gemma3n", async () => {
  for (const family of ["qwen3_5", "gemma3n"] as const) {
    const prompt = tinyPrompt(2000, 3);
    let expected: readonly number[] = [];
    await withLibrary(libraryVisionModel(family), async (model) => {
      expected = (await write(model, tinyJob(prompt))).ids;
    });
    await withModelFiles(libraryVisionModel(family, false), async (files) => {
      assert.equal(await readTransformersProfile(files), undefined, "without an encoder of images it is ours");
      const model = await openOnnxTextModel(files, TINY_ENGINE);
      assert.deepEqual((await write(model, tinyJob(prompt))).ids, expected);
      await model.close();
    });
  }
});

test("transformers-js turns a text into another with an encoder-decoder, by every setting of a request", async () => {
  const { AutoModelForSeq2SeqLM, AutoTokenizer, env } = await import("@huggingface/transformers");
  await withModelFiles(translationModel(), async (files) => {
    const [, parent, id] = /^(.*[\\/])([^\\/]+)[\\/]config\.json$/.exec(files.path("config.json"))!;
    Object.assign(env, { allowRemoteModels: false, localModelPath: parent });
    const theirs = await AutoModelForSeq2SeqLM.from_pretrained(id, { dtype: "fp32", device: "cpu" });
    const tokenizer = await AutoTokenizer.from_pretrained(id);
    const { input_ids, attention_mask } = tokenizer("The lake is quiet.");
    const found = await theirs.generate({ input_ids, attention_mask, max_new_tokens: 12, do_sample: false } as never);
    const expected = Array.from((found as unknown as { data: BigInt64Array }).data, Number).slice(1, -1);
    assert.ok(expected.length > 3, "and an end");
    await theirs.dispose();
    const model = await openTransformersModel(files, TINY_ENGINE);
    const prompt = model.encode("The lake is quiet.");
    assert.deepEqual(prompt, Array.from(input_ids.data, Number), "with the marks of the tokenizer");
    assert.deepEqual((await write(model, tinyJob(prompt))).ids, expected);
    assert.deepEqual((await write(model, tinyJob(prompt))).ids, expected, "each text starts fresh");
    const { answer, promptTokens } = await ask(model, "The lake is quiet.", [], { max_tokens: 5 });
    assert.equal(promptTokens, prompt.length);
    assert.deepEqual([answer.message.content, answer.finishReason], [model.decode(expected.slice(0, 5)), "length"]);
    const job = tinyJob(prompt, { topLogprobs: 2 });
    const biased = { ...job.sampling, logitBias: new Map([[65, 100]]) };
    assert.deepEqual((await write(model, { ...job, sampling: biased })).ids, Array(12).fill(65));
    const sampled = { ...job.sampling, temperature: 1.5, topP: 0.9, minP: 0.01 };
    const draw = async (seed: number) => (await write(model, { ...job, sampling: sampled, seed })).ids;
    assert.deepEqual(await draw(1), await draw(1));
    assert.notDeepEqual(await draw(1), await draw(2));
    const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
    await assert.rejects(ask(model, "Hi", [], { tools }), { code: "unsupported_parameter", param: "tools" });
    await assert.rejects(ask(model, seen, [new Uint8Array(9)]), { code: "unsupported_parameter" });
    const left = new AbortController();
    let heard = 0;
    const leaving = write(
      model,
      tinyJob(prompt, {
        onToken: () => {
          if (++heard === 3) left.abort(new Error("gone"));
          return true;
        },
      }),
      left.signal,
    );
    await assert.rejects(leaving, /gone/);
    assert.equal(heard, 3);
    assert.deepEqual((await write(model, tinyJob(prompt))).ids, expected, "and the model still works");
    await model.close();
  });
});

test("readTransformersProfile() takes only families that it runs, and prompts whose logits have room", async () => {
  const files = libraryVisionModel("qwen2_vl");
  const profile = await readTransformersProfile(memoryFiles(files));
  assert.deepEqual([profile?.engine, profile?.context], ["transformers-js", 4096]);
  assert.ok(profile?.capabilities.features.has("images"));
  const config = JSON.parse(new TextDecoder().decode(files["config.json"]));
  const other = { ...files, "config.json": { ...config, model_type: "qwen2" } };
  assert.equal(await readTransformersProfile(memoryFiles(other)), undefined);
  const { "onnx/embed_tokens.onnx": _, ...half } = files;
  assert.equal(await readTransformersProfile(memoryFiles(half)), undefined);
  const { text_config } = config;
  const wide = { ...config, text_config: { ...text_config, vocab_size: 2 ** 19, max_position_embeddings: 10 ** 6 } };
  const plain = libraryVisionModel("qwen2_vl");
  const noKeep = { ...plain, "config.json": wide };
  assert.equal((await readTransformersProfile(memoryFiles(noKeep)))?.context, 10 ** 6, "it says which logits it wants");
});
