import assert from "node:assert/strict";
import { test } from "node:test";
import { detectModel } from "../../../lib/store/catalog/detect_model.ts";
import { profileReaders } from "../../../lib/store/profile_readers.ts";
import { readTokenizer } from "../../../lib/engines/files/tokenizer_files.ts";
import { GrowingContext } from "../../../lib/engines/gguf_retrieval/load_gguf_model.ts";
import {
  openGgufEmbeddingModel,
  openGgufRerankModel,
} from "../../../lib/engines/gguf_retrieval/gguf_retrieval_models.ts";
import { EncoderGraph } from "../../../lib/engines/onnx_encoder/encoder_graph.ts";
import { openOnnxEmbeddingModel } from "../../../lib/engines/onnx_embedding/onnx_embedding_model.ts";
import { ggufEmbeddingGemma } from "../../fixtures/tiny_models/embedding_gemma/gguf_embedding_gemma.ts";
import { embeddingModel, type TinyPooling } from "../../fixtures/tiny_models/embedding_model.ts";
import {
  ggufCausalRerankModel,
  ggufEmbeddingModel,
  type GgufEmbeddingOptions,
  ggufRerankModel,
  RERANK_TEMPLATE,
  rerankHead,
} from "../../fixtures/tiny_models/gguf_retrieval_models.ts";
import { rerankModel } from "../../fixtures/tiny_models/rerank_model.ts";
import { memoryFiles, withModelFiles } from "../../support/model_files.ts";

const settings = { device: "cpu", threads: 1, missing: [], onProgress: () => {} };
const never = new AbortController().signal;
// One is longer than the first context, and longer than a usual batch.
const texts = [
  "The lake.",
  "A text about lamps, boats and bread.",
  "b",
  "東京 🗼",
  "<s> and </s>",
  "word ".repeat(150),
];
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i], 0);

const cases: [kind: GgufEmbeddingOptions["kind"], pooling: TinyPooling][] = [
  ["bert", "mean"],
  ["bert", "cls"],
  ["decoder", "last_token"],
  ["decoder", "mean"],
  ["qwen3", "last_token"],
];
for (const [kind, pooling] of cases) {
  test(`a ${kind} in GGUF with ${pooling} pooling gives the vectors of ONNX Runtime`, async () => {
    await withModelFiles(ggufEmbeddingModel({ kind, pooling }), async (files) => {
      const detected = await detectModel(files, undefined, profileReaders, "tiny");
      assert.deepEqual([detected.task, detected.profile.engine], ["embeddings", "gguf-embedding"]);
      await assert.rejects(
        detectModel(files, "chat.completions", profileReaders, "tiny"),
        /for embeddings, not for chat/,
      );
      const model = await openGgufEmbeddingModel(files, settings);
      assert.deepEqual(model.profile, detected.profile);
      // Calls may overlap.
      const [{ vectors, promptTokens }, again] = await Promise.all([1, 2].map(() => model.embed(texts, never)));
      assert.deepEqual(again.vectors, vectors);
      await assert.rejects(model.embed(["word ".repeat(3000)], never), { code: "context_length_exceeded" });
      await assert.rejects(model.embed(texts, AbortSignal.abort(new Error("gone"))), /gone/);
      await model.close();
      await withModelFiles(embeddingModel({ kind, pooling }), async (other) => {
        const onnx = await openOnnxEmbeddingModel(other, settings);
        const special = texts.indexOf("<s> and </s>");
        const expected = await onnx.embed(texts, never);
        await onnx.close();
        for (const [i, vector] of vectors.entries()) {
          const near = cosine(vector, expected.vectors[i]);
          // Texts cannot name control tokens here.
          if (i === special) assert.ok(near < 0.999, `${near}`);
          else assert.ok(near > 0.999, `${i}: ${near}`);
        }
        assert.ok(promptTokens > expected.promptTokens);
      });
    });
  });
}

test("a cross-encoder in GGUF gives the scores of ONNX Runtime, whether it says that it ranks or not", async () => {
  const query = "Where is the lake?";
  const found: (readonly number[])[] = [];
  for (const says of [true, false]) {
    await withModelFiles(ggufRerankModel({ says }), async (files) => {
      const { task, profile } = await detectModel(files, undefined, profileReaders, "tiny");
      assert.deepEqual([task, profile.engine], ["rerank", "gguf-rerank"]);
      const model = await openGgufRerankModel(files, settings);
      found.push((await model.rerank(query, texts, never)).scores);
      await assert.rejects(model.rerank(query, ["a", "word ".repeat(600)], never), { param: "documents[1]" });
      await assert.rejects(model.rerank("word ".repeat(600), ["a"], never), { param: "query" });
      await model.close();
    });
  }
  assert.deepEqual(found[1], found[0]);
  await withModelFiles(rerankModel(), async (files) => {
    const tokenizer = await readTokenizer(files);
    const graph = await EncoderGraph.open(files, {}, settings);
    const ids = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
    const [open, close] = ["<s>", "</s>"].map((token) => ids(token)[0]);
    for (const [i, text] of texts.entries()) {
      if (text.includes("<s>")) continue;
      const pair = [open, ...ids(query), close, close, ...ids(text), close];
      const { data } = await graph.run([{ ids: pair, types: [] }], "logits");
      assert.ok(Math.abs(found[0][i] - 1 / (1 + Math.exp(-data[0]))) < 2e-3, `${i}: ${found[0][i]}`);
    }
    await graph.close();
  });
});

test("a causal reranker in GGUF judges by the logits of yes and no after its template", async () => {
  const query = "Where is the lake?";
  const rows = rerankHead();
  const hidden = rows[0].length;
  let scores: readonly number[] = [];
  await withModelFiles(ggufCausalRerankModel(), async (files) => {
    const { task, profile } = await detectModel(files, undefined, profileReaders, "tiny");
    assert.deepEqual([task, profile.engine], ["rerank", "gguf-rerank"]);
    const model = await openGgufRerankModel(files, settings);
    ({ scores } = await model.rerank(query, texts, never));
    await model.close();
  });
  await withModelFiles(embeddingModel({ kind: "qwen3" }), async (files) => {
    const tokenizer = await readTokenizer(files);
    const graph = await EncoderGraph.open(files, {}, settings);
    const ids = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
    for (const [i, text] of texts.entries()) {
      if (text.includes("<s>")) continue;
      const parts = RERANK_TEMPLATE.split(/\{query\}|\{document\}/);
      const prompt = [parts[0], query, parts[1], text, parts[2]].flatMap(ids);
      const { data } = await graph.run([{ ids: prompt, types: [] }], "last_hidden_state");
      const last = data.subarray(-hidden);
      const [yes, no] = rows.map((row) => row.reduce((sum, weight, j) => sum + weight * last[j], 0));
      assert.ok(Math.abs(scores[i] - 1 / (1 + Math.exp(no - yes))) < 2e-3, `${i}: ${scores[i]}`);
    }
    await graph.close();
  });
});

test("an encoder in GGUF that does not say how it pools is refused", async () => {
  const bare = ggufEmbeddingModel({ kind: "bert", pooling: "mean" })["tiny-embedding.gguf"];
  const text = new TextDecoder("latin1").decode(bare);
  const at = text.indexOf("bert.pooling_type");
  bare[at] = "x".charCodeAt(0);
  const refused = detectModel(memoryFiles({ "m.gguf": bare }), undefined, profileReaders, "tiny");
  await assert.rejects(refused, /Cannot use m\.gguf: its bert\.pooling_type is 0, expected mean, cls, last or rank/);
});

test("EmbeddingGemma as Ollama has it is refused, since llama.cpp would let its layers see one side only", async () => {
  const found = detectModel(memoryFiles(ggufEmbeddingGemma("gemma3")), undefined, profileReaders, "tiny");
  await assert.rejects(found, /an EmbeddingGemma for Ollama.+ svc model pull embeddinggemma-300m/);
  const { profile } = await detectModel(memoryFiles(ggufEmbeddingGemma()), undefined, profileReaders, "tiny");
  assert.equal(profile.engine, "gguf-embedding");
});

test("GrowingContext is as long as texts need, and as memory allows", async () => {
  const made: number[] = [];
  let free = 5000;
  const grown = new GrowingContext((tokens) => {
    made.push(tokens);
    if (tokens > free) return Promise.reject(new Error("no memory"));
    return Promise.resolve({ dispose: () => Promise.resolve(void made.push(-tokens)) });
  }, 8192);
  for (const tokens of [3, 500, 513, 600, 4500]) await grown.of(tokens);
  assert.deepEqual(made, [513, -513, 1025, -1025, 8193, 4501]);
  free = 1000;
  await assert.rejects(grown.of(4800), {
    code: "memory_pressure",
    message: /4800 tokens: llama\.cpp says "no memory"/,
  });
  await grown.of(100);
  assert.deepEqual(made.slice(6), [-4501, 8193, 4801, 513]);
});
