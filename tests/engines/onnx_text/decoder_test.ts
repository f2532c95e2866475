import assert from "node:assert/strict";
import { test } from "node:test";
import { onnxChatModel, type OnnxChatModelOptions } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import type { Decoder } from "../../../lib/engines/onnx_text/decoder/decoder.ts";
import { KvBuffer } from "../../../lib/engines/onnx_text/kv_places/kv_buffer.ts";
import { withModelFiles } from "../../support/model_files.ts";
import { tinyPrompt } from "../../support/tiny_text_model.ts";
import { difference, plainLogits, withDecoder } from "./plain_decoder.ts";

/** Every kind of graph, and how much its logits may differ: quantised ones round what a chunk has in common. */
const graphs: readonly (OnnxChatModelOptions & { readonly file: string; readonly within: number })[] = [
  { kind: "std", weights: "f32", file: "model", within: 2e-5 },
  { kind: "gqa", weights: "f32", file: "model", within: 2e-5 },
  { kind: "std", weights: "q4", file: "model_q4", within: 2e-5, externalData: true },
  { kind: "gqa", weights: "q4", file: "model_q4", within: 2e-5, externalData: true, logitsToKeep: true },
  { kind: "std", weights: "f32", file: "model", within: 2e-3, halfCache: true },
  { kind: "gqa", weights: "f32", file: "model", within: 2e-3, halfCache: true, logitsToKeep: true },
  { kind: "std", family: "qwen3", weights: "f32", file: "model", within: 2e-5, sizes: { headSize: 48 } },
  { kind: "gqa", family: "qwen3", weights: "q4", file: "model_q4", within: 2e-5, sizes: { headSize: 48 } },
  { kind: "gqa", family: "llama", weights: "q4", file: "model_q4", within: 2e-5 },
  { kind: "std", weights: "q8", file: "model_quantized", within: 0.5 },
  { kind: "gqa", weights: "q8", file: "model_quantized", within: 0.5, externalData: true },
];

async function read(decoder: Decoder, buffer: KvBuffer, tokens: readonly number[], chunk: number): Promise<void> {
  for (let at = 0; at < tokens.length; at += chunk) {
    await decoder.run({ buffer, lengths: [at], tokens: [tokens.slice(at, at + chunk)], wanted: 1 });
  }
}

for (const { file, within, ...options } of graphs) {
  const { kind, family = "qwen2", weights, halfCache } = options;
  const graph = `${family} ${kind} ${weights}${halfCache ? " f16" : ""}`;
  test(`Decoder.run() computes what ${graph} graphs compute at once`, async () => {
    await withModelFiles(onnxChatModel({ ...options, script: false }), async (files) => {
      const name = `onnx/${file}.onnx`;
      const tokens = tinyPrompt(90, 1);
      const expected = await plainLogits(files, name, tokens);
      const same = (logits: Float32Array, of: Float32Array, what: string) => {
        const found = difference(logits, of);
        assert.ok(found <= within, `${what}: ${found}`);
      };
      await withDecoder(files, name, async (decoder) => {
        assert.ok(decoder.choosesLogits);
        const buffer = new KvBuffer(decoder.graph, 1, 1);
        await read(decoder, buffer, tokens.slice(0, 70), 32);
        const step = { buffer, lengths: [70], tokens: [tokens.slice(70, 77)] };
        const [last] = await decoder.run({ ...step, wanted: 7 });
        last.forEach((logits, i) => same(logits, expected[70 + i], `chunks, token ${70 + i}`));
        await decoder.run({ ...step, lengths: [77], tokens: [[50, 51, 52, 53]], wanted: 1 });
        const [[again]] = await decoder.run({ ...step, lengths: [77], tokens: [[tokens[77]]], wanted: 1 });
        same(again, expected[77], "after a rewind");
      });
    });
  });

  test(`Decoder.run() continues texts of different lengths on ${graph} graphs`, async () => {
    await withModelFiles(onnxChatModel({ ...options, script: false }), async (files) => {
      const name = `onnx/${file}.onnx`;
      const texts = [tinyPrompt(60, 1), tinyPrompt(25, 2), tinyPrompt(90, 3)];
      const expected = await Promise.all(texts.map((tokens) => plainLogits(files, name, tokens)));
      await withDecoder(files, name, async (decoder) => {
        const batch = new KvBuffer(decoder.graph, 4, 8);
        for (const [slot, tokens] of texts.entries()) {
          const alone = new KvBuffer(decoder.graph, 1, 1);
          await read(decoder, alone, tokens.slice(0, -3), 64);
          batch.reserve(tokens.length, texts.slice(0, slot).map((text) => text.length - 3));
          batch.take(slot, alone, 0, tokens.length - 3);
        }
        for (let i = 3; i > 0; i--) {
          const lengths = texts.map((tokens) => tokens.length - i);
          const logits = await decoder.run({
            buffer: batch,
            lengths,
            tokens: texts.map((tokens, row) => [tokens[lengths[row]]]),
            wanted: 1,
          });
          logits.forEach(([found], row) => {
            const max = difference(found, expected[row][lengths[row]]);
            assert.ok(max <= within, `text ${row}, token ${lengths[row]}: ${max}`);
          });
        }
      });
    });
  });
}

test("Decoder.run() also runs graphs whose projection is not found", async () => {
  await withModelFiles(onnxChatModel({ kind: "gqa", script: false }), async (files) => {
    const tokens = tinyPrompt(20, 1);
    const expected = await plainLogits(files, "onnx/model.onnx", tokens);
    await withDecoder(files, "onnx/model.onnx", async (decoder) => {
      assert.ok(!decoder.choosesLogits);
      const buffer = new KvBuffer(decoder.graph, 1, 1);
      const [logits] = await decoder.run({ buffer, lengths: [0], tokens: [tokens], wanted: 2 });
      logits.forEach((found, i) => assert.ok(difference(found, expected[18 + i]) < 1e-4));
    }, false);
  });
});
