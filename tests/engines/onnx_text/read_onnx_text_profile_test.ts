import assert from "node:assert/strict";
import { test } from "node:test";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { chooseWeights } from "../../../lib/engines/onnx_sessions/onnx_file.ts";
import { readEndTokens, readOnnxTextProfile } from "../../../lib/engines/onnx_text/read_onnx_text_profile.ts";
import { DEFAULT_SAMPLING, NEUTRAL_SAMPLING } from "../../../lib/protocol/mod.ts";
import { type GivenFiles, memoryFiles } from "../../support/model_files.ts";

const model = onnxChatModel({ script: false });
const config = JSON.parse(new TextDecoder().decode(model["config.json"]));

const profile = (changes: GivenFiles = {}) => readOnnxTextProfile(memoryFiles({ ...model, ...changes }));

test("readOnnxTextProfile() reads context, features and sampling of a model", async () => {
  const found = await profile({ "config.json": { ...config, max_position_embeddings: 777 } });
  assert.equal(found?.engine, "onnx-text");
  assert.equal(found?.context, 777);
  assert.ok(found?.capabilities.features.has("json_schema") && !found.capabilities.features.has("images"));
  assert.deepEqual(found?.sampling, { ...NEUTRAL_SAMPLING, temperature: 0.7, topP: 0.8, topK: 20 });
  assert.deepEqual(found?.capabilities.reasoning, { optional: true, levels: [], levelMap: {} });
});

test("readOnnxTextProfile() takes a model that was not made to be sampled as greedy", async () => {
  const found = await profile({
    "generation_config.json": { do_sample: false, temperature: 0.6, repetition_penalty: 1.1 },
  });
  assert.deepEqual(found?.sampling, { ...NEUTRAL_SAMPLING, temperature: 0, repetitionPenalty: 1.1 });
});

test("readOnnxTextProfile() ignores numbers that make no sense", async () => {
  const found = await profile({ "generation_config.json": { temperature: -1, top_p: 7, top_k: "many", min_p: NaN } });
  assert.deepEqual(found?.sampling, DEFAULT_SAMPLING);
});

test("readOnnxTextProfile() gives a model that names some settings the neutral others", async () => {
  const found = await profile({ "generation_config.json": { do_sample: true, top_k: 50 } });
  assert.deepEqual(found?.sampling, { ...NEUTRAL_SAMPLING, topK: 50 });
});

test("readOnnxTextProfile() leaves other models to others", async () => {
  const { "config.json": _, ...unnamed } = model;
  assert.equal(await readOnnxTextProfile(memoryFiles(unnamed)), undefined);
  assert.equal(await profile({ "config.json": { ...config, architectures: ["BertModel"] } }), undefined);
  const { "onnx/model.onnx": __, ...weightless } = model;
  assert.equal(await readOnnxTextProfile(memoryFiles(weightless)), undefined);
});

test("readOnnxTextProfile() says which file of a model is broken", async () => {
  await assert.rejects(profile({ "onnx/model.onnx": "not a model" }), /Cannot read onnx\/model\.onnx: /);
  await assert.rejects(profile({ "config.json": "{" }), /Cannot use config\.json: /);
  const { max_position_embeddings: _, ...unbounded } = config;
  await assert.rejects(profile({ "config.json": unbounded }), /Cannot use config\.json: .*"max_position_embeddings"/);
  for (const absurd of [1e18, -1, 0, 1.5, "4096", [4096], {}, true]) {
    await assert.rejects(
      profile({ "config.json": { ...config, max_position_embeddings: absurd } }),
      /its "max_position_embeddings" is .+, expected a whole number from 1 to 134217728$/,
    );
  }
});

test("readEndTokens() joins numbers, lists and the end token of the tokenizer", async () => {
  const template = { chat: "", toolUse: undefined, tokens: { eos_token: "</s>" } };
  const ends = async (generation: unknown, ofConfig: unknown) => [
    ...await readEndTokens(
      memoryFiles({
        "generation_config.json": { eos_token_id: generation },
        "config.json": { eos_token_id: ofConfig },
      }),
      template,
      (token) => token === "</s>" ? 2 : undefined,
    ),
  ];
  assert.deepEqual(await ends([5, 6], 7), [5, 6, 2]);
  assert.deepEqual(await ends(undefined, 7), [7, 2]);
  assert.deepEqual(await ends(undefined, undefined), [2]);
});

test("chooseWeights() prefers what runs fastest on a CPU, wherever exporters put it", () => {
  assert.equal(chooseWeights(["onnx/model.onnx", "onnx/model_q4.onnx", "onnx/model_fp16.onnx"]), "onnx/model_q4.onnx");
  assert.equal(chooseWeights(["onnx/model_fp16.onnx", "onnx/model_quantized.onnx"]), "onnx/model_quantized.onnx");
  assert.equal(chooseWeights(["model.onnx", "model.onnx_data"]), "model.onnx");
  assert.equal(chooseWeights(["onnx/decoder_model_merged_q4.onnx"]), "onnx/decoder_model_merged_q4.onnx");
  assert.equal(chooseWeights(["onnx/vision_encoder.onnx", "README.md"]), undefined);
  const both = ["onnx/model_q4.onnx", "onnx/model_q4f16.onnx", "onnx/model_quantized.onnx"];
  assert.equal(chooseWeights(both, "cpu"), "onnx/model_q4.onnx");
  assert.equal(chooseWeights(both, "webgpu"), "onnx/model_q4f16.onnx");
  assert.equal(chooseWeights(["onnx/model_quantized.onnx"], "cuda"), "onnx/model_quantized.onnx");
});
