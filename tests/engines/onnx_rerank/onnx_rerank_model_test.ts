import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddingModel } from "../../fixtures/tiny_models/embedding_model.ts";
import { rerankModel } from "../../fixtures/tiny_models/rerank_model.ts";
import { openOnnxRerankModel, type RerankModel } from "../../../lib/engines/onnx_rerank/onnx_rerank_models.ts";
import { readRerankProfile } from "../../../lib/engines/onnx_rerank/read_rerank_profile.ts";
import { loadOnnxRuntime } from "../../../lib/compute/onnx/load_onnxruntime.ts";
import { parseTokenizer } from "../../../lib/models/tokenizer/tokenizer_json.ts";
import { assertClose } from "../../support/assert_close.ts";
import { type GivenFiles, memoryFiles, withModelFiles } from "../../support/model_files.ts";
const settings = { device: "cpu", threads: 1, missing: [] };
const never = new AbortController().signal;
const query = "Where is the lake?";
const texts = ["Behind the hill.", "", "A longer text about lamps, boats and bread at night.", "b", query];

async function withRerank(given: GivenFiles, work: (model: RerankModel) => Promise<void>): Promise<void> {
  await withModelFiles(given, async (files) => {
    const model = await openOnnxRerankModel(files, settings);
    try {
      await work(model);
    } finally {
      await model.close();
    }
  });
}

/** The logits of a pair by the graph alone, with so many more ends of texts between the two. */
async function logitsOf(given: GivenFiles, text: string, between = 0): Promise<number[]> {
  const json = JSON.parse(new TextDecoder().decode(given["tokenizer.json"] as Uint8Array));
  const tokenizer = parseTokenizer("tokenizer.json", json, {});
  const [first, second] = [query, text].map((part) => tokenizer.encode(part).ids);
  const ids = [...first, ...Array<number>(between).fill(first.at(-1)!), ...second.slice(1)].map(BigInt);
  const { InferenceSession, Tensor } = await loadOnnxRuntime();
  const session = await InferenceSession.create(given["onnx/model.onnx"] as Uint8Array);
  const row = (values: bigint[]) => new Tensor("int64", BigInt64Array.from(values), [1, ids.length]);
  const feeds = {
    input_ids: row(ids),
    attention_mask: row(ids.map(() => 1n)),
    token_type_ids: row(ids.map((_, at) => at < first.length ? 0n : 1n)),
  };
  const { logits } = await session.run(
    Object.fromEntries(Object.entries(feeds).filter(([name]) => session.inputNames.includes(name))),
  );
  await session.release();
  return [...logits.data as Float32Array];
}

// @row model-api > Rerank request > Scores within 0 and 1
test("rerank() gives the sigmoid of one logit, in the order of the texts", async () => {
  for (const kind of ["bert", "word-pieces", "xlm-roberta"] as const) {
    const given = rerankModel({ kind });
    await withRerank(given, async (model) => {
      const { scores } = await model.rerank(query, texts, never);
      for (const [i, text] of texts.entries()) {
        const [logit] = await logitsOf(given, text, kind === "xlm-roberta" ? 1 : 0);
        assertClose([scores[i]], [1 / (1 + Math.exp(-logit))], 1e-6, text);
      }
    });
  }
});

test("rerank() gives the probability of the second of two classes", async () => {
  const given = rerankModel({ labels: 2 });
  await withRerank(given, async (model) => {
    const { scores } = await model.rerank(query, texts, never);
    for (const [i, text] of texts.entries()) {
      const [no, yes] = (await logitsOf(given, text)).map(Math.exp);
      assertClose([scores[i]], [yes / (no + yes)], 1e-6, text);
    }
  });
});

test("rerank() gives the same score alone and among texts of other lengths", async () => {
  const many = Array.from({ length: 40 }, (_, i) => "word ".repeat((i * 37) % 80) + i);
  await withRerank(rerankModel(), async (model) => {
    const together = await model.rerank(query, many, never);
    let tokens = 0;
    for (const [i, text] of many.entries()) {
      const alone = await model.rerank(query, [text], never);
      assertClose([together.scores[i]], alone.scores, 1e-6, `text ${i}`);
      tokens += alone.promptTokens;
    }
    assert.equal(together.promptTokens, tokens);
    assert.ok(together.scores.every((score) => score > 0 && score < 1));
  });
});

test("rerank() refuses a pair of one token more than the model takes, and names it with both numbers", async () => {
  await withRerank(rerankModel(), async (model) => {
    // Three special tokens, and one of the query.
    const [longest, tooLong] = [508, 509].map((count) => "x".repeat(count));
    assert.equal((await model.rerank("x", [longest], never)).promptTokens, 512);
    await assert.rejects(model.rerank("x", ["fine", tooLong], never), {
      name: "SvcError",
      code: "context_length_exceeded",
      param: "documents[1]",
      message: "Cannot rank documents[1] with the query: it has 513 tokens, expected at most 512",
    });
  });
});

test("rerank() refuses a query that fills the sequence alone", async () => {
  await withRerank(rerankModel(), async (model) => {
    await assert.rejects(model.rerank("x".repeat(600), texts, never), {
      code: "context_length_exceeded",
      param: "query",
      message: "Cannot rank with the query: it has 602 tokens, expected at most 512",
    });
  });
});

test("rerank() stops when it is aborted", async () => {
  await withRerank(rerankModel(), async (model) => {
    const reason = new Error("enough");
    await assert.rejects(model.rerank(query, texts, AbortSignal.abort(reason)), reason);
  });
});

test("openOnnxRerankModel() refuses a graph that does not judge pairs", async () => {
  const given = { ...rerankModel(), "onnx/model.onnx": embeddingModel()["onnx/model.onnx"] };
  await withModelFiles(given, (files) =>
    assert.rejects(openOnnxRerankModel(files, settings), {
      message: "Cannot rank with onnx/model.onnx: its outputs are last_hidden_state, expected logits",
    }));
});

test("readRerankProfile() accepts classifiers of one class or two", async () => {
  const config = { architectures: ["BertForSequenceClassification"], max_position_embeddings: 512 };
  const onnx = rerankModel()["onnx/model.onnx"];
  const read = (config: object) => readRerankProfile(memoryFiles({ "config.json": config, "onnx/model.onnx": onnx }));
  assert.deepEqual(await read(config), { kind: "rerank", engine: "onnx-rerank", context: 512 });
  assert.equal((await read({ ...config, id2label: { 0: "LABEL_0" } }))?.kind, "rerank");
  await assert.rejects(read({ ...config, id2label: { 0: "sad", 1: "calm", 2: "glad" } }), {
    message: "Cannot rank with the model: config.json names 3 classes, expected 1 or 2",
  });
  const vectors = { "config.json": config, "model.onnx": embeddingModel()["onnx/model.onnx"] };
  await assert.rejects(readRerankProfile(memoryFiles(vectors)), {
    message: "Cannot rank with model.onnx: its outputs are last_hidden_state, expected logits",
  });
  assert.equal(await read({ ...config, architectures: ["BertModel"] }), undefined);
  assert.equal(await read({}), undefined);
  assert.equal(await readRerankProfile(memoryFiles({ "config.json": config, "model.gguf": "" })), undefined);
});
