import assert from "node:assert/strict";
import { test } from "node:test";
import { engineSettings, type EngineStarterOptions } from "../../lib/app/models/engine/engine_starter.ts";
import { chatProfile, installed } from "../support/fake_catalog.ts";

const model = installed("chat-a", "chat.completions", chatProfile());
const other = installed("chat-b", "chat.completions", chatProfile());
const options: EngineStarterOptions = {
  device: "cpu",
  threads: 2,
  contextSize: 4096,
  concurrency: 3,
  startup: { model, named: true, lora: "/a.gguf", packedKv: true },
  log: () => {},
  onLoad: () => {},
};

test("engineSettings() gives the model of the start what the command line says for it, no other model", () => {
  const common = { device: "cpu", threads: 2, context: 1000, concurrency: 3 };
  assert.deepEqual(engineSettings(model, { pinned: false }, options), {
    ...common,
    kvCacheMode: "polar2",
    lora: "/a.gguf",
  });
  const plain = { ...common, kvCacheMode: "default", lora: undefined };
  assert.deepEqual(engineSettings(other, { pinned: false }, options), plain);
  assert.deepEqual(engineSettings(model, { pinned: false }, { ...options, startup: undefined }), plain);
});

// @row model-api > Runtime settings > `kvCacheMode`
test("engineSettings() prefers a model's own kvCacheMode, and default is that of the server", () => {
  const mode = (kvCacheMode: "default" | "affine8") => {
    return engineSettings(model, { pinned: false, kvCacheMode }, options).kvCacheMode;
  };
  assert.equal(mode("affine8"), "affine8");
  assert.equal(mode("default"), "polar2");
});

test("engineSettings() keeps to the context of the model's settings, and of files without a profile to the server's", () => {
  assert.equal(engineSettings(model, { pinned: false, maxContextTokens: 500 }, options).context, 500);
  assert.equal(engineSettings(installed("x", "chat.completions"), { pinned: false }, options).context, 4096);
});
