import assert from "node:assert/strict";
import { test } from "node:test";
import { type EmbeddingRecipe, readEmbeddingRecipe } from "../../../lib/engines/onnx_embedding/embedding_recipe.ts";
import { ModelBuilder } from "../../../lib/compute/onnx/model_builder.ts";
import { readEmbeddingProfile } from "../../../lib/engines/onnx_embedding/read_embedding_profile.ts";
import { type GivenFiles, memoryFiles } from "../../support/model_files.ts";

const bert = { architectures: ["BertModel"], model_type: "bert", hidden_size: 8, max_position_embeddings: 64 };
const modules = (...kinds: string[]) =>
  kinds.map((kind, idx) => ({
    idx,
    name: `${idx}`,
    path: idx === 0 ? "" : `${idx}_${kind}`,
    type: `sentence_transformers.models.${kind}`,
  }));
const read = (files: GivenFiles, config: object = bert): Promise<EmbeddingRecipe> =>
  readEmbeddingRecipe(memoryFiles(files), config as Record<string, unknown>, false);

test("readEmbeddingRecipe() takes pooling and normalisation from the files of sentence-transformers", async () => {
  const cls = { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false };
  const recipe = await read({ "modules.json": modules("Transformer", "Pooling"), "1_Pooling/config.json": cls });
  assert.deepEqual(recipe, { poolings: ["cls"], includePrompt: true, dense: [], normalize: false, prompt: "" });
  const normal = modules("Transformer", "Pooling", "Normalize");
  assert.equal((await read({ "modules.json": normal, "1_Pooling/config.json": cls })).normalize, true);
});

test("readEmbeddingRecipe() reads each way of pooling by its switch and by its short name", async () => {
  const ways = [
    ["pooling_mode_cls_token", "cls", "cls"],
    ["pooling_mode_max_tokens", "max", "max"],
    ["pooling_mode_mean_tokens", "mean", "mean"],
    ["pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens", "mean_sqrt_len"],
    ["pooling_mode_weightedmean_tokens", "weightedmean", "weighted_mean"],
    ["pooling_mode_lasttoken", "lasttoken", "last_token"],
  ];
  for (const [key, short, way] of ways) {
    assert.deepEqual((await read({ "1_Pooling/config.json": { [key]: true } })).poolings, [way]);
    assert.deepEqual((await read({ "1_Pooling/config.json": { pooling_mode: short } })).poolings, [way]);
  }
  const both = { pooling_mode_mean_tokens: true, pooling_mode_cls_token: true };
  assert.deepEqual((await read({ "1_Pooling/config.json": both })).poolings, ["cls", "mean"]);
});

test("readEmbeddingRecipe() pools causal models by their last token and others by the mean where no file says", async () => {
  const plain = await read({});
  assert.deepEqual(plain, { poolings: ["mean"], includePrompt: true, dense: [], normalize: true, prompt: "" });
  assert.deepEqual((await read({}, { architectures: ["Qwen3ForCausalLM"] })).poolings, ["last_token"]);
  assert.deepEqual((await read({}, { architectures: ["Qwen3Model"], model_type: "qwen3" })).poolings, ["last_token"]);
  // Exports of optimum name the checkpoint and leave out the files of sentence-transformers.
  const named = async (name: string) => (await read({}, { model_type: "bert", _name_or_path: name })).poolings[0];
  for (const name of ["BAAI/bge-m3", "BAAI/bge-small-en-v1.5", "Snowflake/snowflake-arctic-embed-m", "bge-large-zh"]) {
    assert.equal(await named(name), "cls", name);
  }
  for (const name of ["sentence-transformers/all-MiniLM-L6-v2", "thenlper/gte-base", "BAAI/bge-multilingual-gemma2"]) {
    assert.equal(await named(name), "mean", name);
  }
});

test("readEmbeddingRecipe() puts the default prompt before each text", async () => {
  const prompts = { query: "query: ", document: "" };
  const named = { prompts, default_prompt_name: "query" };
  assert.equal((await read({ "config_sentence_transformers.json": named })).prompt, "query: ");
  assert.equal(
    (await read({ "config_sentence_transformers.json": { prompts, default_prompt_name: null } })).prompt,
    "",
  );
  await assert.rejects(
    read({ "config_sentence_transformers.json": { prompts, default_prompt_name: "other" } }),
    /^Error: Cannot use config_sentence_transformers\.json: default_prompt_name is "other", expected a key of prompts$/,
  );
});

test("readEmbeddingRecipe() reads only the normalisation when the graph pools", async () => {
  const files = memoryFiles({ "modules.json": modules("Transformer", "Pooling", "Dense", "Normalize") });
  const recipe = await readEmbeddingRecipe(files, bert, true);
  assert.equal(recipe.normalize, true);
  assert.deepEqual(recipe.dense, []);
  assert.equal((await readEmbeddingRecipe(memoryFiles({}), bert, true)).normalize, false);
});

test("readEmbeddingRecipe() says what it cannot use", async () => {
  const refused = (files: GivenFiles, message: RegExp) => assert.rejects(read(files), { message });
  await refused({ "modules.json": {} }, /^Cannot use modules\.json: it is not a list of modules/);
  await refused({ "modules.json": "[" }, /^Cannot use modules\.json: /);
  await refused({ "modules.json": modules("Transformer", "LSTM") }, /a module is a LSTM, expected Transformer/);
  await refused({ "modules.json": modules("Transformer", "Pooling") }, /it has no 1_Pooling\/config\.json/);
  await refused({ "1_Pooling/config.json": {} }, /no pooling mode is enabled, expected one of pooling_mode_cls_token/);
  await refused({ "1_Pooling/config.json": { pooling_mode: "sum" } }, /pooling_mode is "sum", expected cls/);
  await refused({ "1_Pooling/config.json": [] }, /it is an array, expected an object$/);
  await refused({ "modules.json": modules("Transformer", "Dense") }, /names 1_Dense\/config\.json, which is missing$/);
  const dense = { in_features: 8, out_features: 4, activation_function: "torch.nn.modules.activation.GELU" };
  await refused(
    { "modules.json": modules("Transformer", "Dense"), "1_Dense/config.json": dense },
    /^Cannot use 1_Dense\/config\.json: activation_function is "torch\.nn\.modules\.activation\.GELU", expected one of/,
  );
});

test("readEmbeddingProfile() reads context and dimensions from the files alone", async () => {
  const files = { "config.json": bert, "onnx/model.onnx": graph(["input_ids"], ["last_hidden_state"]) };
  assert.deepEqual(await readEmbeddingProfile(memoryFiles(files)), {
    kind: "embedding",
    engine: "onnx-embedding",
    context: 64,
    dimensions: 8,
  });
  const both = { "1_Pooling/config.json": { pooling_mode: ["mean", "max"] } };
  assert.equal((await readEmbeddingProfile(memoryFiles({ ...files, ...both })))?.dimensions, 16);
  const dense = {
    "modules.json": modules("Transformer", "Pooling", "Dense", "Normalize"),
    "1_Pooling/config.json": { pooling_mode_mean_tokens: true },
    "2_Dense/config.json": { in_features: 8, out_features: 5 },
  };
  assert.equal((await readEmbeddingProfile(memoryFiles({ ...files, ...dense })))?.dimensions, 5);
  const long = { ...bert, max_position_embeddings: 32768 };
  assert.equal((await readEmbeddingProfile(memoryFiles({ ...files, "config.json": long })))?.context, 8192);
});

test("readEmbeddingProfile() leaves models of other kinds to others", async () => {
  const read = (inputs: string[], outputs: string[], config: object = bert, more: GivenFiles = {}) =>
    readEmbeddingProfile(memoryFiles({ "config.json": config, "onnx/model.onnx": graph(inputs, outputs), ...more }));
  assert.equal(await read(["input_ids"], ["logits"]), undefined);
  assert.equal(await read(["input_ids", "past_key_values.0.key"], ["logits", "last_hidden_state"]), undefined);
  assert.equal(await read(["pixel_values"], ["last_hidden_state"]), undefined);
  assert.equal(await readEmbeddingProfile(memoryFiles({ "config.json": bert, "model.gguf": "" })), undefined);
  assert.equal(await readEmbeddingProfile(memoryFiles({ "onnx/model.onnx": "" })), undefined);
});

test("readEmbeddingProfile() takes a causal model whose graph gives vectors", async () => {
  const config = { ...bert, architectures: ["Qwen3ForCausalLM"], model_type: "qwen3" };
  const onnx = graph(["input_ids", "past_key_values.0.key"], ["last_hidden_state", "present.0.key"]);
  const profile = await readEmbeddingProfile(memoryFiles({ "config.json": config, "onnx/model_q4.onnx": onnx }));
  assert.equal(profile?.kind, "embedding");
});

test("readEmbeddingProfile() says what an embedding model cannot be served for", async () => {
  const files = { "config.json": bert, "1_Pooling/config.json": { pooling_mode: "mean" } };
  await assert.rejects(
    readEmbeddingProfile(memoryFiles({ ...files, "model.onnx": graph(["input_ids"], ["logits"]) })),
    {
      message: "Cannot embed with model.onnx: its outputs are logits, expected sentence_embedding or " +
        "last_hidden_state or token_embeddings",
    },
  );
  await assert.rejects(readEmbeddingProfile(memoryFiles({ ...files, "model.onnx": "<html>" })), {
    message: /^Cannot read model\.onnx: /,
  });
});

/** A graph that is never run. */
function graph(inputs: readonly string[], outputs: readonly string[]): Uint8Array {
  const builder = new ModelBuilder("inside");
  for (const name of inputs) builder.input(name, "int64", ["batch", "sequence"]);
  for (const name of outputs) builder.output(name, "int64", ["batch", "sequence"], inputs[0]);
  return builder.finish().bytes;
}
