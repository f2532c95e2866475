import assert from "node:assert/strict";
import { test } from "node:test";
import { decoderTensors } from "../../fixtures/tiny_models/gguf_chat_model.ts";
import { ggufFile, type GgufValue } from "../../fixtures/tiny_models/gguf_file.ts";
import { randomWeights, TINY_SHAPE } from "../../fixtures/tiny_models/transformer_weights.ts";
import { openGgufTextModel } from "../../../lib/engines/gguf_text/open_gguf_text_model.ts";
import type { LanguageModel } from "../../../lib/engines/contract/language_model.ts";
import { withModelFiles } from "../../support/model_files.ts";
import { say, settings } from "./open_tiny_gguf.ts";

const WINDOW = 32;

/** A model in the manner of Cohere 2: three of four layers see the last tokens only, and forget all others. */
function slidingWindowModel(): Uint8Array {
  const shape = { ...TINY_SHAPE, layers: 4, vocabulary: 256 };
  const bytes = Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, "0")}>`);
  const numbers = {
    context_length: 2048,
    embedding_length: shape.hidden,
    block_count: shape.layers,
    feed_forward_length: shape.ffn,
    "attention.head_count": shape.heads,
    "attention.head_count_kv": shape.kvHeads,
    "attention.sliding_window": WINDOW,
    "rope.dimension_count": shape.headSize,
  };
  const metadata: Record<string, GgufValue> = {
    "general.architecture": "cohere2",
    ...Object.fromEntries(Object.entries(numbers).map(([name, uint32]) => [`cohere2.${name}`, { uint32 }])),
    "cohere2.attention.layer_norm_epsilon": { float32: 1e-6 },
    "cohere2.logit_scale": { float32: 1 },
    "tokenizer.ggml.model": "llama",
    "tokenizer.ggml.tokens": bytes,
    "tokenizer.ggml.token_type": { int32s: bytes.map(() => 6) },
    "tokenizer.ggml.unknown_token_id": { uint32: 0 },
    "tokenizer.ggml.eos_token_id": { uint32: 1 },
    "tokenizer.ggml.bos_token_id": { uint32: 2 },
    "tokenizer.chat_template": "{{ messages }}",
  };
  const left = /bias$|ffn_norm|^output\.weight$/;
  return ggufFile(metadata, decoderTensors(randomWeights(shape, 3, 1), "f32").filter(({ name }) => !left.test(name)));
}

test("generate() continues from prefixes that a model has partly evicted", async () => {
  await withModelFiles({ "m.gguf": slidingWindowModel() }, async (files) => {
    const open = (prefixCache: boolean) => openGgufTextModel(files, { ...settings, context: 1024, prefixCache });
    const [model, fresh] = [await open(true), await open(false)];
    const ask = (model: LanguageModel, prompt: readonly number[], stablePrefix: number) =>
      say(model, prompt, { stablePrefix, maxTokens: 6, topLogprobs: 0 });
    const text = (count: number, seed: number) => Array.from({ length: count }, (_, i) => ((i + 1) * seed) % 200 + 7);
    const shared = text(400, 13);
    // The places of other chats are taken.
    for (const seed of [17, 19, 23, 29]) await ask(model, text(900, seed), 0);
    // So much text after the shared one that only a checkpoint leads back to it.
    const cases: [prompt: number[], stablePrefix: number, cached: number][] = [
      [[...shared, ...text(560, 3)], 400, 0],
      [[...shared, ...text(60, 7)], 400, 400],
      [[...shared, ...text(60, 7), ...text(20, 9)], 460, 460],
      [[...shared, ...text(560, 11)], 400, 400],
      [[...shared.slice(0, 300), ...text(20, 13)], 300, 0],
    ];
    for (const [prompt, stablePrefix, cached] of cases) {
      const said = await ask(model, prompt, stablePrefix);
      const expected = await ask(fresh, prompt, stablePrefix);
      assert.equal(said.cachedTokens, cached);
      assert.deepEqual(said.ids, expected.ids);
      for (const [i, logprob] of said.logprobs.entries()) {
        assert.ok(Math.abs(logprob!.raw - expected.logprobs[i]!.raw) < 1e-3, `${logprob!.raw}`);
      }
    }
    await Promise.all([model.close(), fresh.close()]);
  });
});
