import assert from "node:assert/strict";
import { test } from "node:test";
import { forkEngine } from "../../lib/app/models/engine/spawn_engine.ts";
import { embed, rerank } from "../../lib/engines/onnx_encoder/encoder_operations.ts";
import type { ModelFiles } from "../../lib/engines/contract/engine_entry.ts";
import type { ModelProfile } from "../../lib/engines/contract/model_profile.ts";
import { readEmbeddingProfile } from "../../lib/engines/onnx_embedding/read_embedding_profile.ts";
import { readRerankProfile } from "../../lib/engines/onnx_rerank/read_rerank_profile.ts";
import { connectEngine } from "../../lib/engines/process/connect_engine.ts";
import { ENGINE_TIMEOUTS } from "../../lib/engines/process/engine_child.ts";
import type { Operation } from "../../lib/engines/contract/operation.ts";
import type { OperationEngine } from "../../lib/engines/contract/chat_engine.ts";
import { thisMachine } from "../../lib/platform/processes/processes.ts";
import { siblingModule } from "../../lib/platform/workers/spawn_worker.ts";
import { embeddingModel } from "../fixtures/tiny_models/embedding_model.ts";
import { rerankModel } from "../fixtures/tiny_models/rerank_model.ts";
import { FAKE_SETTINGS } from "../support/fake_chat.ts";
import { withModelFiles } from "../support/model_files.ts";

const module = siblingModule("../../lib/app/models/engine/engine_process", import.meta.url);
const never = new AbortController().signal;

/** Takes the sixth power of the number of spaces before another character. */
const slow = { type: "Split", pattern: { Regex: "\\s+\\s+\\s+\\s+\\s+\\s+$" }, behavior: "Isolated", invert: false };
const hostile = " ".repeat(2000) + "x";

/** The files with an expression before the tokenizer's own. */
function withExpression(model: Readonly<Record<string, Uint8Array>>): Record<string, unknown> {
  const tokenizer = JSON.parse(new TextDecoder().decode(model["tokenizer.json"]));
  const both = { type: "Sequence", pretokenizers: [slow, tokenizer.pre_tokenizer] };
  return { ...model, "tokenizer.json": { ...tokenizer, pre_tokenizer: both } };
}

async function open(files: ModelFiles, profile: ModelProfile, prepare: number): Promise<OperationEngine> {
  const child = forkEngine(module, "hostile", () => {});
  const model = { id: "hostile", folder: files.path("."), files: files.names, profile };
  const timeouts = { ...ENGINE_TIMEOUTS, prepare };
  const options = { model, settings: FAKE_SETTINGS, onProgress: () => {}, timeouts };
  return await connectEngine(child, options, never) as OperationEngine;
}

async function endsHanging<Input, Output>(
  given: Readonly<Record<string, Uint8Array>>,
  read: (files: ModelFiles) => Promise<ModelProfile | undefined>,
  operation: Operation<Input, never, Output>,
  bad: Input,
  good: Input,
): Promise<Output> {
  let found: Output | undefined;
  await withModelFiles(withExpression(given), async (files) => {
    const profile = await read(files);
    assert.ok(profile);
    const engine = await open(files, profile, 500);
    await assert.rejects(engine.perform(operation, bad, {}, never), {
      code: "preparation_timeout",
      status: 400,
      message: `Cannot ${operation.name} the texts: they were not turned into tokens after 1 s, expected fewer or ` +
        "simpler ones",
    });
    await engine.exited;
    assert.equal(thisMachine.isRunning(engine.processID), false);
    const next = await open(files, profile, ENGINE_TIMEOUTS.prepare);
    found = await next.perform(operation, good, {}, never);
    await next.stop();
  });
  return found as Output;
}

test("an engine that embeds is ended when a text takes too long, and another one answers the next request", async () => {
  const [bad, good] = [["fine", hostile], ["fine"]].map((texts) => ({ texts }));
  const { vectors } = await endsHanging(embeddingModel(), readEmbeddingProfile, embed, bad, good);
  assert.equal(vectors.length, 1);
});

test("an engine that ranks is ended likewise, by its query", async () => {
  const bad = { query: hostile, texts: ["fine"] };
  const good = { query: "fine", texts: ["one", "two"] };
  const { scores } = await endsHanging(rerankModel(), readRerankProfile, rerank, bad, good);
  assert.equal(scores.length, 2);
});
