import assert from "node:assert/strict";
import { test } from "node:test";
import { decoderMetadata } from "../../fixtures/tiny_models/gguf_chat_model.ts";
import { ggufFile, type GgufValue } from "../../fixtures/tiny_models/gguf_file.ts";
import { TINY_SHAPE } from "../../fixtures/tiny_models/transformer_weights.ts";
import { readGgufMetadata } from "../../../lib/engines/gguf_text/gguf_metadata.ts";
import { readGgufProfile } from "../../../lib/engines/gguf_text/gguf_profile.ts";
import { checkGgufSizes } from "../../../lib/engines/gguf_text/gguf_sizes.ts";
import { readGgufEmbeddingProfile } from "../../../lib/engines/gguf_retrieval/read_gguf_retrieval_profile.ts";
import { memoryFiles } from "../../support/model_files.ts";

const chat: Record<string, GgufValue> = {
  ...decoderMetadata({ ...TINY_SHAPE, vocabulary: 3 }),
  "tokenizer.ggml.tokens": ["a", "b", "c"],
  "tokenizer.chat_template": "{{ messages }}",
};
const filesOf = (fields: Record<string, GgufValue>) => memoryFiles({ "m.gguf": ggufFile({ ...chat, ...fields }, []) });

/** Fields that llama.cpp does not survive, or that no model has, and what an error says of them. */
const absurd: readonly [field: string, value: GgufValue, said: string][] = [
  ["context_length", { uint32: 0 }, "is 0, expected a whole number from 1 to 134217728"],
  ["context_length", { uint32: 4e9 }, "is 4000000000, expected a whole number from 1 to 134217728"],
  ["context_length", { float32: 2.5 }, "is 2.5, expected a whole number from 1 to 134217728"],
  ["context_length", "4096", 'is "4096", expected a whole number from 1 to 134217728'],
  ["block_count", { uint32: 0 }, "is 0, expected a whole number from 1 to 512"],
  ["block_count", { uint32: 600 }, "is 600, expected a whole number from 1 to 512"],
  ["block_count", true, "is true, expected a whole number from 1 to 512"],
  ["embedding_length", { uint32: 4e9 }, "is 4000000000, expected a whole number from 1 to 1048576"],
  ["feed_forward_length", { uint32: 0 }, "is 0, expected a positive whole number where there are no experts"],
  ["feed_forward_length", { int32s: [8] }, "has 1 sizes, expected one for each of 2 layers"],
  ["expert_count", { uint32: 600 }, "is 600, expected a whole number from 0 to 512"],
  ["expert_used_count", { uint32: 9 }, "is 9, expected at most the expert_count, 0"],
  ["attention.head_count", { uint32: 0 }, "is 0, expected a positive whole number"],
  ["attention.head_count", { uint32: 4e9 }, "is 4000000000, expected a whole number from 0 to 65536"],
  ["attention.head_count", { int32s: [4, -4] }, "is -4, expected a whole number from 0 to 65536"],
  ["attention.head_count_kv", { uint32: 0 }, "is 0, expected a positive whole number"],
  ["attention.key_length", { uint32: 0 }, "is 0, expected a positive whole number"],
  ["attention.value_length", { uint32: 4e9 }, "is 4000000000, expected a whole number from 0 to 1048576"],
  ["attention.sliding_window", { uint32: 4e9 }, "is 4000000000, expected a whole number from 0 to 134217728"],
  ["attention.layer_norm_rms_epsilon", { float32: NaN }, "is NaN, expected a number from 0 to 1"],
  ["attention.layer_norm_rms_epsilon", { float32: -1 }, "is -1, expected a number from 0 to 1"],
  ["rope.dimension_count", { uint32: 7 }, "is 7, expected an even number"],
  ["rope.freq_base", { float32: Infinity }, "is Infinity, expected a number from 0 to 1000000000000"],
  ["rope.scaling.factor", { float32: NaN }, "is NaN, expected a number from 0 to 1000000"],
  ["rope.scaling.type", "odd", 'is "odd", expected one of none, linear, yarn, longrope'],
  ["rope.scaling.type", "x".repeat(1000), `is "${"x".repeat(80)}", expected one of none, linear, yarn, longrope`],
];

test("readGgufProfile() refuses what llama.cpp does not survive, by its name and with a remedy", async () => {
  for (const [field, value, said] of absurd) {
    await assert.rejects(readGgufProfile(filesOf({ [`qwen2.${field}`]: value })), {
      message: `Cannot use m.gguf: its qwen2.${field} ${said}: download it again, or choose another file`,
    });
  }
  for (const tokens of [[], { int32s: [1, 2] }] as const) {
    await assert.rejects(readGgufProfile(filesOf({ "tokenizer.ggml.tokens": tokens })), {
      message:
        "Cannot use m.gguf: its tokenizer.ggml.tokens is a list without texts, expected the texts of all tokens: " +
        "download it again, or choose another file",
    });
  }
});

test("models that embed are checked in the same way", async () => {
  const pooled = { "qwen2.pooling_type": { uint32: 1 } };
  assert.equal((await readGgufEmbeddingProfile(filesOf(pooled)))?.kind, "embedding");
  await assert.rejects(
    readGgufEmbeddingProfile(filesOf({ ...pooled, "qwen2.block_count": { uint32: 600 } })),
    /Cannot use m\.gguf: its qwen2\.block_count is 600, expected a whole number from 1 to 512: download it again/,
  );
});

test("checkGgufSizes() covers models without attention, without experts, and with sizes for each layer", async () => {
  const check = async (architecture: string, fields: Record<string, GgufValue>) => {
    const own = Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${architecture}.${key}`, value]));
    const metadata = await readGgufMetadata(memoryFiles({ "m.gguf": ggufFile(own, []) }), "m.gguf");
    checkGgufSizes(metadata, architecture, "m.gguf");
  };
  const none = { "attention.head_count": { uint32: 0 }, "feed_forward_length": { uint32: 0 } };
  await check("mamba", { "block_count": { uint32: 64 }, ...none });
  await check("lfm2", { "block_count": { uint32: 3 }, "attention.head_count_kv": { int32s: [0, 0, 8] } });
  await check("qwen3moe", { "expert_count": { uint32: 128 }, "feed_forward_length": { uint32: 0 } });
  await check("llama", { "rope.scaling.type": "yarn", "rope.scaling.factor": { float32: 4 } });
});
