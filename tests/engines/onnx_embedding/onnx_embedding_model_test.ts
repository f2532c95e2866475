import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddingModel } from "../../fixtures/tiny_models/embedding_model.ts";
import {
  type EmbeddingModel,
  openOnnxEmbeddingModel,
} from "../../../lib/engines/onnx_embedding/onnx_embedding_model.ts";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import { loadOnnxRuntime } from "../../../lib/compute/onnx/load_onnxruntime.ts";
import { encodeSafetensors, f32 } from "../../../lib/compute/tensor/mod.ts";
import { parseTokenizer } from "../../../lib/models/tokenizer/tokenizer_json.ts";
import { assertClose } from "../../support/assert_close.ts";
import { type GivenFiles, withModelFiles } from "../../support/model_files.ts";

const settings = { device: "cpu", threads: 1, missing: [] };
const never = new AbortController().signal;
const texts = ["The lake.", "", "A longer text about lamps, boats and bread at night.", "b", "The lake?", "東京 🗼"];

async function withEmbedding(
  given: GivenFiles,
  work: (model: EmbeddingModel, files: ModelFiles) => Promise<void>,
): Promise<void> {
  await withModelFiles(given, async (files) => {
    const model = await openOnnxEmbeddingModel(files, settings);
    try {
      await work(model, files);
    } finally {
      await model.close();
    }
  });
}

/** Vectors of the tokens of texts by the graph alone, one text at a time: `[texts][tokens][width]`. */
async function statesOf(files: ModelFiles, texts: readonly string[]): Promise<number[][][]> {
  const json = JSON.parse(new TextDecoder().decode(await files.read("tokenizer.json")));
  const tokenizer = parseTokenizer("tokenizer.json", json, {});
  const { InferenceSession, Tensor } = await loadOnnxRuntime();
  const session = await InferenceSession.create(files.path("onnx/model.onnx"));
  const states: number[][][] = [];
  for (const text of texts) {
    const { ids } = tokenizer.encode(text);
    const row = (values: readonly number[]) =>
      new Tensor("int64", BigInt64Array.from(values, BigInt), [1, values.length]);
    const feeds = Object.fromEntries(session.inputMetadata.map((input) => {
      if (input.name === "input_ids") return [input.name, row(ids)];
      if (input.name === "attention_mask") return [input.name, row(ids.map(() => 1))];
      if (input.name === "token_type_ids") return [input.name, row(ids.map(() => 0))];
      if (input.name === "position_ids") return [input.name, row(ids.map((_, at) => at))];
      const shape = input.isTensor ? input.shape : [];
      return [input.name, new Tensor("float32", new Float32Array(), [1, Number(shape[1]), 0, Number(shape[3])])];
    }));
    const { last_hidden_state: { data, dims: [, , width] } } = await session.run(feeds, ["last_hidden_state"]);
    states.push(ids.map((_, at) => [...(data as Float32Array).subarray(at * width, (at + 1) * width)]));
  }
  await session.release();
  return states;
}

const sum = (rows: number[][]): number[] => rows[0].map((_, i) => rows.reduce((total, row) => total + row[i], 0));
const times = (vector: number[], factor: number): number[] => vector.map((x) => x * factor);
const unit = (vector: number[]): number[] => times(vector, 1 / Math.hypot(...vector));

const ways: [string, (tokens: number[][]) => number[]][] = [
  ["pooling_mode_cls_token", (tokens) => tokens[0]],
  ["pooling_mode_max_tokens", (tokens) => tokens[0].map((_, i) => Math.max(...tokens.map((row) => row[i])))],
  ["pooling_mode_mean_tokens", (tokens) => times(sum(tokens), 1 / tokens.length)],
  ["pooling_mode_mean_sqrt_len_tokens", (tokens) => times(sum(tokens), tokens.length ** -0.5)],
  ["pooling_mode_weightedmean_tokens", (tokens) => {
    const weights = tokens.map((_, at) => at + 1);
    return times(sum(tokens.map((row, at) => times(row, at + 1))), 1 / weights.reduce((a, b) => a + b));
  }],
  ["pooling_mode_lasttoken", (tokens) => tokens[tokens.length - 1]],
];

for (const kind of ["bert", "decoder"] as const) {
  test(`embed() pools a ${kind} in every way that 1_Pooling/config.json can name`, async () => {
    const given = embeddingModel({ kind, normalize: false });
    let states: number[][][] | undefined;
    for (const [way, reference] of ways) {
      await withEmbedding({ ...given, "1_Pooling/config.json": { [way]: true } }, async (model, files) => {
        states ??= await statesOf(files, texts);
        const { vectors } = await model.embed(texts, never);
        for (const [i, text] of texts.entries()) {
          assertClose(vectors[i], reference(states[i]), 2e-6, `${way} ${text}`);
        }
      });
    }
  });
}

test("embed() gives vectors of length 1 where the model's modules normalise", async () => {
  await withEmbedding(embeddingModel(), async (model, files) => {
    const { vectors } = await model.embed(texts, never);
    const states = await statesOf(files, texts);
    for (const [i, text] of texts.entries()) {
      const tokens = states[i];
      assertClose(vectors[i], unit(times(sum(tokens), 1 / tokens.length)), 2e-6, text);
    }
  });
});

// @row model-api > Embeddings request > Length-packed batches, the same vector alone and in company
test("embed() gives the same vector alone and among texts of other lengths, in the order of the texts", async () => {
  const many = Array.from({ length: 60 }, (_, i) => "word ".repeat((i * 37) % 90) + i);
  for (const kind of ["bert", "word-pieces", "xlm-roberta", "decoder"] as const) {
    const pooling = kind === "decoder" ? "last_token" : "mean";
    await withEmbedding(embeddingModel({ kind, pooling }), async (model) => {
      const together = await model.embed(many, never);
      let tokens = 0;
      for (const [i, text] of many.entries()) {
        const alone = await model.embed([text], never);
        assertClose(together.vectors[i], alone.vectors[0], 2e-6, `${kind} ${i}`);
        tokens += alone.promptTokens;
      }
      assert.equal(together.promptTokens, tokens);
    });
  }
});

test("embed() counts tokens with the special ones that the tokenizer adds", async () => {
  await withEmbedding(embeddingModel(), async (model) => {
    assert.equal((await model.embed([""], never)).promptTokens, 2);
    assert.equal((await model.embed(["x", ""], never)).promptTokens, 5);
  });
});

// @row model-api > Limits > 8,192 tokens a row
test("embed() refuses a text of one token more than the model takes, and names it with both numbers", async () => {
  await withEmbedding(embeddingModel(), async (model) => {
    assert.equal(model.profile.context, 512);
    const [longest, tooLong] = [510, 511].map((count) => "x ".repeat(count).trimEnd().replaceAll(" ", ""));
    assert.equal((await model.embed([longest], never)).promptTokens, 512);
    await assert.rejects(model.embed(["fine", longest, tooLong], never), {
      name: "SvcError",
      type: "invalid_request_error",
      code: "context_length_exceeded",
      param: "input[2]",
      message: "Cannot embed input[2]: it has 513 tokens, expected at most 512",
    });
  });
});

test("embed() counts no more than the beginning of a text that is far too long", async () => {
  await withEmbedding(embeddingModel(), async (model) => {
    await assert.rejects(model.embed(["x".repeat(2 ** 21)], never), {
      code: "context_length_exceeded",
      message: "Cannot embed input[0]: it has at least 8193 tokens, expected at most 512",
    });
    // Letters do not tell: most of these are left out by the tokenizer.
    const sparse = { ...embeddingModel(), "tokenizer.json": trimming(embeddingModel()["tokenizer.json"]) };
    await withEmbedding(sparse, async (model) => {
      assert.equal((await model.embed([" ".repeat(100_000) + "x"], never)).promptTokens, 3);
    });
  });
});

/** The tokenizer with a normaliser that takes spaces at the edges away. */
function trimming(json: Uint8Array): unknown {
  const normalizer = { type: "Strip", strip_left: true, strip_right: true };
  return { ...JSON.parse(new TextDecoder().decode(json)), normalizer };
}

test("embed() stops between batches when it is aborted", async () => {
  await withEmbedding(embeddingModel(), async (model) => {
    const reason = new Error("enough");
    await assert.rejects(model.embed(texts, AbortSignal.abort(reason)), reason);
    const controller = new AbortController();
    const many = Array.from({ length: 256 }, () => "x".repeat(500));
    const running = model.embed(many, controller.signal);
    queueMicrotask(() => controller.abort(reason));
    await assert.rejects(running, reason);
    assert.equal((await model.embed(["again"], never)).vectors.length, 1);
  });
});

test("embed() puts the prompt of the model before each text, and leaves its tokens out where it says so", async () => {
  const prompted = {
    ...embeddingModel(),
    "config_sentence_transformers.json": { prompts: { query: "query: " }, default_prompt_name: "query" },
  };
  await withEmbedding(embeddingModel(), async (plain, files) => {
    const [expected] = (await plain.embed(["query: lake"], never)).vectors;
    await withEmbedding(prompted, async (model) => {
      assertClose((await model.embed(["lake"], never)).vectors[0], expected, 2e-6);
    });
    const excluding = { pooling_mode_mean_tokens: true, include_prompt: false };
    await withEmbedding({ ...prompted, "1_Pooling/config.json": excluding }, async (model) => {
      // Without the token that ends it, as sentence-transformers counts.
      const [prompt, whole] = await statesOf(files, ["query: ", "query: lake"]);
      const counted = whole.slice(prompt.length - 1);
      assertClose((await model.embed(["lake"], never)).vectors[0], unit(sum(counted)), 2e-6);
    });
  });
});

test("embed() puts the prompt before texts that a request asks for", async () => {
  const prompts = { query: "query: ", document: "title: none | text: ", odd: 7 };
  const prompted = { ...embeddingModel(), "config_sentence_transformers.json": { prompts } };
  await withEmbedding(embeddingModel(), async (plain) => {
    const { vectors } = await plain.embed(["query: lake", "title: none | text: lake", "lake"], never);
    await withEmbedding(prompted, async (model) => {
      assert.deepEqual(model.profile.prompts, ["query", "document"]);
      for (const [i, prompt] of ["query", "document", "", undefined].entries()) {
        const found = await model.embed(["lake"], never, { prompt });
        assertClose(found.vectors[0], vectors[Math.min(i, 2)], 2e-6, String(prompt));
      }
    });
  });
});

test("embed() makes messages of texts for models that expect them", async () => {
  const template = "{% for m in messages %}{{ eos_token }}{{ m.role }}:{{ m.content }}{% endfor %}" +
    "{% if add_generation_prompt %}!{% endif %}";
  const given = { ...embeddingModel(), "chat_template.jinja": template };
  const wants = (message: object, more: object = {}) => ({ modality_config: { text: {}, message }, ...more });
  const written = async (files: GivenFiles, expected: string) => {
    const plain = { ...embeddingModel(), "tokenizer.json": withoutFrame(embeddingModel()["tokenizer.json"]) };
    await withEmbedding(plain, async (reference) => {
      const [vector] = (await reference.embed([expected], never)).vectors;
      await withEmbedding(files, async (model) => {
        assertClose((await model.embed(["lake"], never)).vectors[0], vector, 2e-6, expected);
      });
    });
  };
  await written({ ...given, "sentence_bert_config.json": wants({ format: "flat" }) }, "</s>user:lake");
  const spoken = { prompts: { query: "Find." }, default_prompt_name: "query" };
  const prompted = { ...given, "config_sentence_transformers.json": spoken };
  const asked = wants({}, { processing_kwargs: { chat_template: { add_generation_prompt: true } } });
  await written({ ...prompted, "sentence_bert_config.json": asked }, "</s>system:Find.</s>user:lake!");
});

/** The tokenizer without the special tokens around a text. */
function withoutFrame(json: Uint8Array): unknown {
  return { ...JSON.parse(new TextDecoder().decode(json)), post_processor: null };
}

test("embed() runs dense layers after the pooling, before the normalisation", async () => {
  const given = embeddingModel();
  const module = (idx: number, path: string, kind: string) => ({
    idx,
    path,
    type: `sentence_transformers.models.${kind}`,
  });
  const weight = f32([3, 64], Float32Array.from({ length: 192 }, (_, i) => Math.sin(i)));
  const bias = f32([3], [0.5, -0.25, 0]);
  await withEmbedding({
    ...given,
    "modules.json": [module(0, "", "Transformer"), module(1, "1_Pooling", "Pooling"), module(2, "2_Dense", "Dense")],
    "2_Dense/config.json": {
      in_features: 64,
      out_features: 3,
      bias: true,
      activation_function: "torch.nn.modules.activation.Tanh",
    },
    "2_Dense/model.safetensors": encodeSafetensors(new Map([["linear.weight", weight], ["linear.bias", bias]])),
  }, async (model, files) => {
    assert.equal(model.profile.dimensions, 3);
    const [tokens] = await statesOf(files, ["lake"]);
    const pooled = times(sum(tokens), 1 / tokens.length);
    const expected = [0, 1, 2].map((row) =>
      Math.tanh(pooled.reduce((total, x, i) => total + x * weight.data[row * 64 + i], bias.data[row]))
    );
    assertClose((await model.embed(["lake"], never)).vectors[0], expected, 2e-6);
  });
});

test("openOnnxEmbeddingModel() names the file that it cannot use", async () => {
  const given = embeddingModel();
  const without = (name: string): GivenFiles =>
    Object.fromEntries(Object.entries(given).filter(([key]) => key !== name));
  const refused = (files: GivenFiles, message: RegExp) =>
    withModelFiles(files, (files) => assert.rejects(openOnnxEmbeddingModel(files, settings), { message }));
  await refused(without("tokenizer.json"), /^Cannot open the model: it has no tokenizer\.json/);
  await refused({ ...given, "tokenizer.json": "{}" }, /^Cannot use tokenizer\.json: /);
  await refused(without("onnx/model.onnx"), /^Cannot open the model: it has no graph, expected onnx\/model\.onnx$/);
  const onnx = given["onnx/model.onnx"];
  await refused({ ...given, "onnx/model.onnx": onnx.subarray(0, onnx.length / 2) }, /^Cannot read onnx\/model\.onnx: /);
  await refused({ ...given, "onnx/model.onnx": "no graph" }, /^Cannot read onnx\/model\.onnx: /);
});
