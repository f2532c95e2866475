import fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddingModel } from "../../fixtures/tiny_models/embedding_model.ts";
import { maskedDiffusionModel } from "../../fixtures/tiny_models/masked_diffusion_model.ts";
import { rerankModel } from "../../fixtures/tiny_models/rerank_model.ts";
import { visionChatModel } from "../../fixtures/tiny_models/vision_chat_model.ts";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import { readDiffusionProfile } from "../../../lib/engines/onnx_diffusion/diffusion_recipe.ts";
import { readEmbeddingProfile } from "../../../lib/engines/onnx_embedding/read_embedding_profile.ts";
import { readRerankProfile } from "../../../lib/engines/onnx_rerank/read_rerank_profile.ts";
import { readOnnxTextProfile } from "../../../lib/engines/onnx_text/read_onnx_text_profile.ts";
import { memoryFiles } from "../../support/model_files.ts";

const readers: readonly [string, (files: ModelFiles) => Promise<unknown>, Readonly<Record<string, Uint8Array>>][] = [
  ["readEmbeddingProfile()", readEmbeddingProfile, embeddingModel()],
  ["readRerankProfile()", readRerankProfile, rerankModel()],
  ["readDiffusionProfile()", readDiffusionProfile, maskedDiffusionModel()],
  ["readOnnxTextProfile()", readOnnxTextProfile, visionChatModel()],
];

/** A value somewhere in a JSON file becomes another one. */
function changed(value: unknown, path: readonly number[], other: unknown): unknown {
  if (path.length === 0 || typeof value !== "object" || value === null) return other;
  const entries = Object.entries(value);
  if (entries.length === 0) return other;
  const [key, inner] = entries[path[0] % entries.length];
  const copy = Array.isArray(value) ? [...value] : { ...value };
  return Object.assign(copy, { [key]: changed(inner, path.slice(1), other) });
}

for (const [name, read, given] of readers) {
  test(`${name} says what is wrong with odd files, or does not take them for its own`, async () => {
    const names = Object.keys(given).filter((file) => file.endsWith(".json") && file !== "tokenizer.json");
    const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(null, -1, 0, 1e300, 2 ** 53, "", [], {}, NaN));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(fc.nat(20), { maxLength: 4 }),
        odd,
        async (file, path, other) => {
          const json = JSON.parse(new TextDecoder().decode(given[file]));
          try {
            await read(memoryFiles({ ...given, [file]: changed(json, path, other) ?? null }));
          } catch (error) {
            assert.ok(error instanceof Error);
            assert.match(error.message, /^Cannot /, `${file} ${JSON.stringify(path)} ${JSON.stringify(other)}`);
          }
        },
      ),
      { seed: 7, numRuns: 150 },
    );
  });

  test(`${name} refuses damaged graphs`, async () => {
    const graph = Object.keys(given).find((file) => /(?:^|\/)(?:decoder_)?model[^/]*\.onnx$/.test(file))!;
    for (const length of [0, 1, 7, 100, given[graph].length >> 1, given[graph].length - 1]) {
      const files = memoryFiles({ ...given, [graph]: given[graph].subarray(0, length) });
      await assert.rejects(read(files), { message: /^Cannot read onnx\/[a-z_]+\.onnx: / }, `${length} bytes`);
    }
  });
}
