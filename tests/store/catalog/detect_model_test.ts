import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import type { ModelProfile } from "../../../lib/engines/contract/model_profile.ts";
import { detectModel, type ProfileReader } from "../../../lib/store/catalog/detect_model.ts";

const files: ModelFiles = {
  names: [],
  path: (name) => name,
  read: () => Promise.reject(new Error("nothing is there")),
  readPart: () => Promise.reject(new Error("nothing is there")),
};
const rerank: ModelProfile = { kind: "rerank", engine: "onnx-rerank", context: 512 };
const embedding: ModelProfile = { kind: "embedding", engine: "onnx-embedding", context: 512, dimensions: 8 };

const reads = (profile: ModelProfile | undefined): ProfileReader => () => Promise.resolve(profile);

test("detectModel() takes the first reader that accepts the files", async () => {
  const readers = [reads(undefined), reads(rerank), reads(embedding)];
  assert.deepEqual(await detectModel(files, undefined, readers, "x"), { task: "rerank", profile: rerank });
  assert.deepEqual(await detectModel(files, "embeddings", readers, "x"), { task: "embeddings", profile: embedding });
});

test("detectModel() says what the files are instead", async () => {
  await assert.rejects(detectModel(files, "chat.completions", [reads(rerank)], "./here"), {
    code: "unsuitable_files",
    message: "Cannot use ./here: its files are a model for rerank, not for chat.completions, omit `task`",
  });
  await assert.rejects(detectModel(files, undefined, [reads(undefined)], "./here"), {
    message:
      /^Cannot use \.\/here: its files are not a model that an engine runs, expected a model in Hugging Face layout/,
  });
  const explain = () => Promise.resolve({ problem: "it has no config.json", expected: "add the file" });
  await assert.rejects(detectModel(files, undefined, [reads(undefined)], "./here", explain), {
    code: "unsuitable_files",
    message: "Cannot use ./here: it has no config.json, add the file",
  });
});

test("detectModel() hands on what a reader says about broken files", async () => {
  const readers = [() => Promise.reject(new Error("Cannot use config.json: it is not JSON")), reads(rerank)];
  await assert.rejects(detectModel(files, undefined, readers, "x"), {
    message: "Cannot use config.json: it is not JSON",
  });
});
