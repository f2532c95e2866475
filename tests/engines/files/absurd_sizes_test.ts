import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddingModel } from "../../fixtures/tiny_models/embedding_model.ts";
import { translationModel } from "../../fixtures/tiny_models/translation_model.ts";
import { maskedDiffusionModel } from "../../fixtures/tiny_models/masked_diffusion_model.ts";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { rerankModel } from "../../fixtures/tiny_models/rerank_model.ts";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import { checkSizes, endTokensIn, readModelText } from "../../../lib/engines/files/model_json.ts";
import { readDiffusionProfile } from "../../../lib/engines/onnx_diffusion/diffusion_recipe.ts";
import { readEmbeddingProfile } from "../../../lib/engines/onnx_embedding/read_embedding_profile.ts";
import { readRerankProfile } from "../../../lib/engines/onnx_rerank/read_rerank_profile.ts";
import { describeDecoder } from "../../../lib/engines/onnx_text/decoder/decoder_graph.ts";
import { readOnnxTextProfile } from "../../../lib/engines/onnx_text/read_onnx_text_profile.ts";
import { readTransformersProfile } from "../../../lib/engines/transformers_js/read_transformers_profile.ts";
import { type GivenFiles, memoryFiles } from "../../support/model_files.ts";

type Reader = (files: ModelFiles) => Promise<unknown>;

const readers: readonly [name: string, read: Reader, model: Readonly<Record<string, Uint8Array>>][] = [
  ["readEmbeddingProfile()", readEmbeddingProfile, embeddingModel()],
  ["readRerankProfile()", readRerankProfile, rerankModel()],
  ["readDiffusionProfile()", readDiffusionProfile, maskedDiffusionModel()],
  ["readOnnxTextProfile()", readOnnxTextProfile, onnxChatModel()],
  ["readTransformersProfile()", readTransformersProfile, translationModel()],
];

/** Wrong values, and how an error shows them. */
const absurd: readonly [value: unknown, shown: string][] = [
  [1e300, "1e+300"],
  [2 ** 53, "9007199254740992"],
  [-1, "-1"],
  [0, "0"],
  [1.5, "1.5"],
  ["512", '"512"'],
  [true, "true"],
  [{}, "an object"],
];

/** A file of the model with other members. */
function withMembers(model: Readonly<Record<string, Uint8Array>>, file: string, members: object): GivenFiles {
  const json = model[file] === undefined ? {} : JSON.parse(new TextDecoder().decode(model[file]));
  return { ...model, [file]: { ...json, ...members } };
}

for (const [name, read, model] of readers) {
  test(`${name} refuses absurd sizes by their names, at once`, async () => {
    for (const key of ["max_position_embeddings", "num_hidden_layers", "vocab_size", "num_attention_heads"]) {
      for (const [value, shown] of absurd) {
        const started = performance.now();
        await assert.rejects(read(memoryFiles(withMembers(model, "config.json", { [key]: value }))), (error: Error) => {
          assert.ok(
            error.message.startsWith(`Cannot use config.json: its "${key}" is ${shown}, expected a `),
            error.message,
          );
          return true;
        });
        assert.ok(performance.now() - started < 1000, `${key} ${shown}`);
      }
    }
    assert.ok(await read(memoryFiles(model)) !== undefined);
  });
}

test("profiles of encoders refuse absurd lengths of their tokenizer, and take endless ones for none", async () => {
  const read = (file: string, members: object) =>
    readEmbeddingProfile(memoryFiles(withMembers(embeddingModel(), file, members)));
  const usual = await readEmbeddingProfile(memoryFiles(embeddingModel()));
  for (const endless of [1e30, 2 ** 60]) {
    assert.equal((await read("tokenizer_config.json", { model_max_length: endless }))?.context, usual?.context);
  }
  for (const value of [-1, 0, 7.5, "many"]) {
    await assert.rejects(read("tokenizer_config.json", { model_max_length: value }), {
      message: /^Cannot use tokenizer_config\.json: its "model_max_length" is .+, expected a whole number from 1 to /,
    });
    await assert.rejects(read("sentence_bert_config.json", { max_seq_length: value }), {
      message: /^Cannot use sentence_bert_config\.json: its "max_seq_length" is .+, expected a whole number from 1 /,
    });
  }
  const roberta = { model_type: "roberta", max_position_embeddings: 8, pad_token_id: 8 };
  await assert.rejects(read("config.json", roberta), /its "pad_token_id" is 8, expected one before the last of 8/);
});

test("an encoder-decoder refuses an absurd context, and needs none", async () => {
  const read = (members: object) =>
    readTransformersProfile(memoryFiles(withMembers(translationModel(), "config.json", members)));
  await assert.rejects(read({ n_positions: 1e300 }), /its "n_positions" is 1e\+300, expected a whole number from 1/);
  assert.equal((await read({ n_positions: null, max_position_embeddings: null }))?.context, 512);
});

test("checkSizes() looks into the parts of a model, and leaves lists to the graph", () => {
  checkSizes({ num_key_value_heads: [4, 4, 2], num_hidden_layers: null, pad_token_id: -1, type_vocab_size: 0 });
  assert.throws(() => checkSizes({ text_config: { head_dim: 0 } }), /its "head_dim" is 0, expected a whole number/);
  assert.throws(() => checkSizes({ decoder: { num_layers: 1e9 } }), /its "num_layers" is 1000000000, expected a whole/);
});

test("endTokensIn() takes an id or a list, and refuses lists and ids that no model has", () => {
  const read = (eos_token_id: unknown) => endTokensIn("generation_config.json", { eos_token_id });
  assert.deepEqual(read(7), [7]);
  assert.deepEqual(read([1, -1, 106]), [1, 106]);
  assert.equal(read(null), undefined);
  assert.throws(
    () => read(Array.from({ length: 1_000_000 }, () => 1)),
    /^Error: Cannot use generation_config\.json: its "eos_token_id" has 1000000 tokens, expected at most 256$/,
  );
  assert.throws(() => read([1.5]), /its "eos_token_id" is 1\.5, expected a whole number from 0 to 4194304/);
});

test("readOnnxTextProfile() refuses end tokens that are not ids", async () => {
  const model = onnxChatModel();
  const ends = withMembers(model, "generation_config.json", { eos_token_id: [3, 1e300] });
  await assert.rejects(readOnnxTextProfile(memoryFiles(ends)), /"eos_token_id" is 1e\+300, expected a whole number/);
});

test("describeDecoder() refuses heads and positions that no model has", () => {
  const value = (name: string, shape: readonly (number | string)[]) => ({
    name,
    shape,
    elementType: 1,
    bytes: new Uint8Array(),
  });
  const describe = (heads: number, planes: number) =>
    describeDecoder(
      {
        head: [],
        nodes: [],
        weights: new Map(),
        rest: [],
        inputs: [
          value("input_ids", ["batch", "tokens"]),
          value("position_ids", [planes, "batch", "tokens"]),
          value("past_key_values.0.key", ["batch", heads, "past", 64]),
        ],
        outputs: [value("logits", ["batch", "tokens", 8]), value("present.0.key", ["batch", heads, "past", 64])],
      },
      "model.onnx",
      {},
    );
  assert.equal(describe(8, 3).positionPlanes, 3);
  assert.throws(
    () => describe(2 ** 40, 3),
    /^Error: Cannot run model\.onnx: "past_key_values\.0\.key" has the shape .+, of 1099511627776 heads with 64 numbers/,
  );
  assert.throws(
    () => describe(8, 2 ** 40),
    /^Error: Cannot run model\.onnx: "position_ids" has 1099511627776 positions for each token, expected at most 16$/,
  );
});

test("readModelText() refuses a file that is longer than any, without reading it whole", async () => {
  const files: ModelFiles = {
    names: ["config.json"],
    path: (name) => name,
    read: () => Promise.reject(new Error("read whole")),
    readPart: (_, __, length) => Promise.resolve(new Uint8Array(Math.min(length, 2 ** 40))),
  };
  await assert.rejects(
    readModelText(files, "config.json"),
    /^Error: Cannot use config\.json: it has more than 134217728 bytes, expected fewer$/,
  );
});
