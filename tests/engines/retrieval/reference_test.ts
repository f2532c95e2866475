import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openOnnxEmbeddingModel } from "../../../lib/engines/onnx_embedding/onnx_embedding_model.ts";
import { readCausalScore } from "../../../lib/engines/onnx_rerank/read_rerank_profile.ts";
import { openCausalRerankModel, openOnnxRerankModel } from "../../../lib/engines/onnx_rerank/onnx_rerank_models.ts";
import { withModelFiles } from "../../support/model_files.ts";
import { referenceModels } from "./reference_models.ts";

const settings = { device: "cpu", threads: 1, missing: [] };
const never = new AbortController().signal;
const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const { queries, documents } = read("pairs.json") as { queries: string[]; documents: string[] };
/** By sentence-transformers; `make_reference.py` says how. */
const reference = read("reference.json") as Record<string, { first?: number[]; scores: number[][] }>;

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, x, i) => sum + x * b[i], 0) / Math.hypot(...a) / Math.hypot(...b);

/** The mean of what a benchmark of retrieval gives for each query, whose document is that of its number (nDCG at 10). */
function ndcg(scores: readonly (readonly number[])[]): number {
  const gain = scores.map((row, i) => {
    const rank = row.filter((score) => score > row[i]).length;
    return rank < 10 ? 1 / Math.log2(rank + 2) : 0;
  });
  return gain.reduce((sum, one) => sum + one, 0) / gain.length;
}

function assertReference(scores: readonly (readonly number[])[], expected: readonly (readonly number[])[]): void {
  const errors = scores.flatMap((row, q) => row.map((score, d) => Math.abs(score - expected[q][d])));
  assert.equal(errors.length, 400);
  assert.ok(Math.max(...errors) < 5e-5, `they differ by up to ${Math.max(...errors)}`);
  assert.ok(Math.abs(ndcg(scores) - ndcg(expected)) < 0.02, `${ndcg(scores)} for ${ndcg(expected)}`);
}

for (const [name, { kind, files: given }] of Object.entries(referenceModels())) {
  test(`20 queries and 20 documents have the scores of sentence-transformers: ${name}`, async () => {
    await withModelFiles(given, async (files) => {
      const { first, scores: expected } = reference[name];
      const causal = await readCausalScore(files);
      if (causal !== undefined) {
        const model = await openCausalRerankModel(files, causal, settings);
        for (const [i, query] of queries.entries()) {
          // Its own document and the next: the model answers one pair after the other.
          const at = [i, (i + 1) % queries.length];
          const { scores } = await model.rerank(query, at.map((d) => documents[d]), never);
          for (const [k, d] of at.entries()) {
            const error = Math.abs(scores[k] - expected[i][d]);
            assert.ok(error < 5e-5, `pair ${i}, ${d}: ${error}`);
          }
        }
        return await model.close();
      }
      if (kind === "rerank") {
        const model = await openOnnxRerankModel(files, settings);
        const scores: number[][] = [];
        for (const query of queries) scores.push([...(await model.rerank(query, documents, never)).scores]);
        await model.close();
        return assertReference(scores, expected);
      }
      const model = await openOnnxEmbeddingModel(files, settings);
      const embed = async (texts: readonly string[], prompt: string) => {
        const known = model.profile.prompts?.includes(prompt);
        return (await model.embed(texts, never, known ? { prompt } : {})).vectors;
      };
      const [asked, found] = [await embed(queries, "query"), await embed(documents, "document")];
      await model.close();
      for (const [i, value] of first!.entries()) assert.ok(Math.abs(asked[0][i] - value) < 5e-5, `${i}: ${value}`);
      assertReference(asked.map((query) => found.map((document) => cosine(query, document))), expected);
    });
  });
}
