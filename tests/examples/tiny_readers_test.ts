import { Tokenizer } from "@huggingface/tokenizers";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tensor } from "onnxruntime-node";
import { embeddingModel, type TinyPooling } from "../fixtures/tiny_models/embedding_model.ts";
import { maskedDiffusionModel } from "../fixtures/tiny_models/masked_diffusion_model.ts";
import type { ModelFiles } from "../fixtures/tiny_models/model_files.ts";
import { rerankModel } from "../fixtures/tiny_models/rerank_model.ts";
import { DEFAULT_ANSWERS } from "../fixtures/tiny_models/scripted_answers.ts";
import { loadOnnxRuntime } from "../../lib/compute/onnx/load_onnxruntime.ts";
import { ChatTemplate, readChatRequest } from "../../lib/protocol/mod.ts";

const ort = await loadOnnxRuntime();
const text = (files: ModelFiles, path: string): string => new TextDecoder().decode(files[path]);
const json = (files: ModelFiles, path: string) => JSON.parse(text(files, path));

function tokenizerOf(files: ModelFiles): Tokenizer {
  return new Tokenizer(json(files, "tokenizer.json"), json(files, "tokenizer_config.json"));
}

/** Runs rows of equal length that count as far as `lengths` says, all of them when it says nothing. */
async function run(
  files: ModelFiles,
  rows: readonly (readonly number[])[],
  types?: readonly number[],
  lengths = rows.map((row) => row.length),
): Promise<Record<string, Tensor>> {
  const session = await ort.InferenceSession.create(files["onnx/model.onnx"], { intraOpNumThreads: 1 });
  const longs = (of: (row: readonly number[], i: number) => readonly number[]) =>
    new ort.Tensor("int64", BigInt64Array.from(rows.flatMap(of), BigInt), [rows.length, rows[0].length]);
  const all: Record<string, Tensor> = {
    input_ids: longs((row) => row),
    attention_mask: longs((row, i) => row.map((_, at) => at < lengths[i] ? 1 : 0)),
    token_type_ids: longs((row) => types ?? row.map(() => 0)),
    position_ids: longs((row) => row.map((_, at) => at)),
  };
  for (const input of session.inputMetadata) {
    if (!input.name.startsWith("past") || !input.isTensor) continue;
    const [, heads, , size] = input.shape.map(Number);
    all[input.name] = new ort.Tensor("float32", new Float32Array(0), [rows.length, heads, 0, size]);
  }
  const outputs = await session.run(Object.fromEntries(session.inputNames.map((name) => [name, all[name]])));
  await session.release();
  return outputs as Record<string, Tensor>;
}

for (const kind of ["bert", "word-pieces", "xlm-roberta", "decoder"] as const) {
  test(`embeddingModel() gives every token of a ${kind} a state that padding does not change`, async () => {
    const files = embeddingModel({ kind });
    const { ids } = tokenizerOf(files).encode("small boats at night");
    const pad = json(files, "config.json").pad_token_id;
    const alone = (await run(files, [ids])).last_hidden_state;
    const padded = (await run(files, [[...ids, pad, pad]], undefined, [ids.length])).last_hidden_state;
    assert.deepEqual(alone.dims, [1, ids.length, 64]);
    for (let i = 0; i < alone.size; i++) {
      assert.ok(Math.abs(Number(alone.data[i]) - Number(padded.data[i])) < 1e-5);
    }
    assert.notDeepEqual(alone.data.slice(0, 64), alone.data.slice(64, 128));
  });
}

test("embeddingModel() names its pooling and normalisation as sentence-transformers does", () => {
  const flags: Readonly<Record<TinyPooling, string>> = {
    mean: "pooling_mode_mean_tokens",
    cls: "pooling_mode_cls_token",
    last_token: "pooling_mode_lasttoken",
  };
  for (const [pooling, flag] of Object.entries(flags)) {
    const files = embeddingModel({ pooling: pooling as TinyPooling, normalize: pooling === "cls" });
    const config = json(files, "1_Pooling/config.json");
    assert.deepEqual(Object.keys(config).filter((key) => config[key] === true), [flag, "include_prompt"]);
    assert.equal(json(files, "modules.json").length, pooling === "cls" ? 3 : 2);
  }
});

test("rerankModel() judges a pair by both texts", async () => {
  for (const labels of [1, 2] as const) {
    const files = rerankModel({ labels });
    const judge = async (query: string, passage: string): Promise<number> => {
      const pair = tokenizerOf(files).encode(query, { text_pair: passage, return_token_type_ids: true });
      assert.ok(pair.token_type_ids?.includes(1));
      const { logits } = await run(files, [pair.ids], pair.token_type_ids);
      assert.deepEqual(logits.dims, [1, labels]);
      return Number(logits.data[0]);
    };
    const score = await judge("boats", "a small boat");
    assert.equal(await judge("boats", "a small boat"), score);
    assert.notEqual(await judge("boats", "a large tree"), score);
    assert.notEqual(await judge("birds", "a small boat"), score);
  }
});

test("maskedDiffusionModel() fills masks with its script, some places surer than others", async () => {
  const files = maskedDiffusionModel();
  const tokenizer = tokenizerOf(files);
  const template = new ChatTemplate({ chat: text(files, "chat_template.jinja"), toolUse: undefined, tokens: {} });
  const { mask_token_id: mask, eos_token_id: end, vocab_size: width } = json(files, "config.json");
  for (const { say } of DEFAULT_ANSWERS.filter(({ when }) => when === "json" || when === "emoji")) {
    const content = say.startsWith("{") ? "json" : "emoji";
    const request = readChatRequest({ model: "tiny", messages: [{ role: "user", content }] });
    const prompt = tokenizer.encode(template.render(request, new Date(0)).text, { add_special_tokens: false }).ids;
    const { logits } = await run(files, [[...prompt, ...new Array(48).fill(mask)]]);
    const rows = Array.from({ length: 48 }, (_, i) => {
      const start = (prompt.length + i) * width;
      return Array.from(logits.data.slice(start, start + width), Number);
    });
    const best = rows.map((row) => Math.max(...row));
    const filled = rows.map((row, i) => row.indexOf(best[i]));
    assert.equal(tokenizer.decode(filled.slice(0, filled.indexOf(end)), { skip_special_tokens: false }), say);
    assert.ok(Math.max(...best) - Math.min(...best) > 5);
  }
});
