import assert from "node:assert/strict";
import { test } from "node:test";
import { loadOnnxRuntime } from "../../../lib/compute/onnx/load_onnxruntime.ts";
import { readTokenizer } from "../../../lib/engines/files/tokenizer_files.ts";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import { openOnnxEmbeddingModel } from "../../../lib/engines/onnx_embedding/onnx_embedding_model.ts";
import {
  embeddingGemmaModel,
  type GemmaFormat,
} from "../../fixtures/tiny_models/embedding_gemma/embedding_gemma_model.ts";
import { jsonFile } from "../../fixtures/tiny_models/model_files.ts";
import { assertClose } from "../../support/assert_close.ts";
import { type GivenFiles, withModelFiles } from "../../support/model_files.ts";

const settings = { device: "cpu", threads: 1, missing: [] };
const never = new AbortController().signal;
// The longest has more tokens than a window of the model.
const texts = [
  "the lake",
  "",
  "task: search result | query: boats",
  "word ".repeat(40),
  "東京 🗼",
  "title: none | text: é",
];

async function embedded(given: GivenFiles, of: readonly string[] = texts): Promise<readonly Float32Array[]> {
  let found: readonly Float32Array[] = [];
  await withModelFiles(given, async (files) => {
    const model = await openOnnxEmbeddingModel(files, settings);
    assert.deepEqual(model.profile, { kind: "embedding", engine: "onnx-embedding", context: 512, dimensions: 64 });
    ({ vectors: found } = await model.embed(of, never));
    await model.close();
  });
  return found;
}

/** What the graph gives for the tokens of a text, without anything of ours. */
async function sentenceEmbedding(files: ModelFiles, file: string, text: string): Promise<Float32Array> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime();
  const session = await InferenceSession.create(files.path(file));
  assert.deepEqual([...session.inputNames], ["input_ids", "attention_mask"]);
  assert.deepEqual([...session.outputNames], ["last_hidden_state", "sentence_embedding"]);
  const { ids } = (await readTokenizer(files)).encode(text);
  const row = (values: readonly number[]) => new Tensor("int64", BigInt64Array.from(values, BigInt), [1, ids.length]);
  const feeds = { input_ids: row(ids), attention_mask: row(ids.map(() => 1)) };
  const { sentence_embedding: { data } } = await session.run(feeds);
  await session.release();
  return data as Float32Array;
}

for (const [format, file] of [["f32", "onnx/model.onnx"], ["q8", "onnx/model_quantized.onnx"]] as const) {
  test(`embed() gives the vectors that the graph of EmbeddingGemma in ${format} ends with`, async () => {
    const given = embeddingGemmaModel(format satisfies GemmaFormat);
    const vectors = await embedded(given);
    await withModelFiles(given, async (files) => {
      for (const [i, text] of texts.entries()) {
        assertClose(vectors[i], await sentenceEmbedding(files, file, text), 2e-6, text);
        assertClose([Math.hypot(...vectors[i])], [1], 1e-5, text);
      }
    });
  });
}

test("embed() gives a text of EmbeddingGemma the same vector alone and beside longer ones", async () => {
  const together = await embedded(embeddingGemmaModel());
  for (const [i, text] of texts.entries()) {
    const [alone] = await embedded(embeddingGemmaModel(), [text]);
    assertClose(together[i], alone, 2e-6, text);
  }
});

test("embed() takes the vectors of graphs that pool, whatever 1_Pooling/config.json says", async () => {
  const modules = ["Transformer", "Pooling"].map((type, idx) => ({ idx, path: idx ? "1_Pooling" : "", type }));
  const more = {
    "modules.json": jsonFile(modules),
    "1_Pooling/config.json": jsonFile({ pooling_mode_cls_token: true }),
  };
  const plain = await embedded(embeddingGemmaModel());
  assert.deepEqual(await embedded({ ...embeddingGemmaModel(), ...more }), plain);
});

test("embed() finds the graph of weights that have another name than the usual ones", async () => {
  const { "onnx/model.onnx": graph, ...others } = embeddingGemmaModel();
  const [vector] = await embedded({ ...others, "onnx/model_O3.onnx": graph }, ["the lake"]);
  assert.deepEqual(vector, (await embedded(embeddingGemmaModel(), ["the lake"]))[0]);
});
