import assert from "node:assert/strict";
import { test } from "node:test";
import { CATALOG } from "../../../lib/store/catalog/catalog.ts";
import { isRepositoryName, licenseName, needsAcceptance } from "../../../lib/store/catalog/hub_repository.ts";
import { checkModelId } from "../../../lib/store/catalog/model_id.ts";
import { MODEL_TASKS } from "../../../lib/store/catalog/installed_model.ts";

test("CATALOG has a model for every task, each with its engine", () => {
  for (const task of MODEL_TASKS) assert.ok(CATALOG.some((entry) => entry.task === task), task);
  const kinds = {
    "chat.completions": /^(onnx-text|gguf-text|transformers-js)$/,
    "embeddings": /^(onnx|gguf)-embedding$/,
    "rerank": /^(onnx|gguf)-rerank$/,
    "images.generations": /^(flux2|z-image)$/,
    "images.edits": /^flux2$/,
    "audio.speech": /^onnx-(hibari|kokoro)$/,
    "audio.transcriptions": /^onnx-(whisper|parakeet|moonshine)$/,
    "vision.geometry": /^(onnx-moge2|graph-da3)$/,
    "vision.depth": /^graph-vda$/,
    "vision.image_to_3d": /^graph-(triposr|instantmesh)$/,
  };
  for (const { id, task, engine } of CATALOG) {
    const expected = Object.entries(kinds).find(([kind]) => kind === task)?.[1];
    assert.match(engine ?? "none", expected ?? /^$/, id);
  }
});

test("CATALOG has ids, repositories, revisions and licences in their forms, and each id once", () => {
  for (const { id, repository, revision, license, context, bytes, about } of CATALOG) {
    checkModelId(id);
    assert.ok(isRepositoryName(repository), repository);
    assert.match(revision, /^(main|[0-9a-f]{40})$/, id);
    assert.ok(needsAcceptance(license, false) || licenseName(license.toLowerCase()) === license, license);
    assert.ok((context ?? 1) > 0 && (bytes ?? 1) > 0 && about !== "", id);
  }
  assert.equal(new Set(CATALOG.map(({ id }) => id)).size, CATALOG.length);
});

test("needsAcceptance() asks for licences that are gated, unknown or not permissive", () => {
  for (const license of ["apache-2.0", "Apache-2.0", "mit", "cc0-1.0"]) {
    assert.equal(needsAcceptance(license, false), false, license);
    assert.equal(needsAcceptance(license, true), true, license);
  }
  for (const license of [undefined, "gemma", "llama3.2", "other", "cc-by-nc-4.0", "openrail", "toString"]) {
    assert.equal(needsAcceptance(license, false), true, license);
  }
  assert.equal(licenseName("mit"), "MIT");
  assert.equal(licenseName("gemma"), "gemma");
});

test("isRepositoryName() takes owner and name", () => {
  for (const name of ["a/b", "onnx-community/Qwen3-0.6B-ONNX", "a.b/c_d"]) assert.ok(isRepositoryName(name), name);
  for (const name of ["a", "a/b/c", "/b", "a/", "../b", "a/..", "a b/c", "a/b?x", "datasets/a/b", ""]) {
    assert.ok(!isRepositoryName(name), name);
  }
});
