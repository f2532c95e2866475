import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatModelProfile } from "../../../lib/engines/contract/model_profile.ts";
import { MODEL_TASKS, type ModelTask, type RuntimeSettings } from "../../../lib/store/catalog/installed_model.ts";
import {
  checkAlias,
  checkRuntimeSettings,
  readRuntimeSettings,
  settingsJson,
} from "../../../lib/store/catalog/runtime_settings.ts";
import { NEUTRAL_SAMPLING } from "../../../lib/protocol/mod.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const profile: ChatModelProfile = {
  kind: "chat",
  engine: "gguf-text",
  context: 1024,
  maxOutputTokens: undefined,
  capabilities: { features: new Set(), reasoning: undefined },
  sampling: NEUTRAL_SAMPLING,
  kvCacheModes: ["affine4", "affine8"],
};
const chat = { id: "m", task: "chat.completions", profile } as const;

/** What a value is refused with. */
function refusal(value: unknown, model: Parameters<typeof checkRuntimeSettings>[0] = chat): SvcError {
  try {
    checkRuntimeSettings(model, value);
  } catch (error) {
    assert.ok(error instanceof SvcError);
    return error;
  }
  throw new assert.AssertionError({ message: `${JSON.stringify(value)} was accepted` });
}

test("checkRuntimeSettings() takes every value within its bounds and none beside", () => {
  const max = 2 ** 31 - 1;
  const bounds: Record<string, { good: unknown[]; bad: unknown[]; expected: string }> = {};
  for (const key of ["ttlSeconds", "maxContextTokens", "maxTokens"]) {
    const expected = "expected an integer from 1 to 2147483647";
    bounds[key] = { good: [1, 300, max], bad: [0, -1, max + 1, 1.5, "1", NaN, Infinity, true, {}], expected };
  }
  for (const [key, top] of [["temperature", 2], ["topP", 1], ["minP", 1]] as const) {
    const bad = [-0.0001, top + 0.0001, "1", NaN, Infinity, false];
    bounds[key] = { good: [0, 0.5, top], bad, expected: `expected a number from 0 to ${top}` };
  }
  bounds.pinned = { good: [true, false], bad: [0, "true"], expected: "expected true or false" };
  bounds.alias = {
    good: ["a", "Größe", "x".repeat(96), "gpt-4o:mini"],
    bad: ["", " ", "a b", "a/b", "a\tb", "a\u0000b", "x".repeat(97), 7],
    expected: "expected up to 96 characters without spaces and without /",
  };
  bounds.engineOverride = {
    good: ["gguf-text"],
    bad: ["", "text-chat-q36", 1],
    expected: "expected one of gguf-text, onnx-diffusion, transformers-js, onnx-text",
  };
  bounds.kvCacheMode = {
    good: ["default", "affine4", "affine8"],
    bad: ["affine2", 4],
    expected: "expected one of default, affine4, affine8, polar2, auto",
  };
  for (const [key, { good, bad, expected }] of Object.entries(bounds)) {
    for (const value of good) {
      assert.deepEqual(checkRuntimeSettings(chat, { [key]: value }), { pinned: false, [key]: value });
    }
    for (const value of bad) {
      const error = refusal({ [key]: value });
      assert.equal(error.code, "invalid_settings");
      assert.equal(error.param, key);
      assert.ok(error.message.startsWith(`Cannot change the settings of m: "${key}" is `), error.message);
      assert.ok(error.message.endsWith(expected), error.message);
    }
  }
});

test("checkRuntimeSettings() takes null for an absent setting and trims aliases", () => {
  const keys = ["alias", "pinned", "ttlSeconds", "maxContextTokens", "maxTokens", "temperature", "topP", "minP"];
  const nothing = [...keys, "engineOverride", "kvCacheMode", "kvCacheModeV2"].map((key) => [key, null]);
  assert.deepEqual(checkRuntimeSettings(chat, Object.fromEntries(nothing)), { pinned: false });
  assert.equal(checkRuntimeSettings(chat, { alias: "  fast " }).alias, "fast");
});

test("checkRuntimeSettings() names unknown settings and those that were meant", () => {
  assert.equal(
    refusal({ top_p: 1 }).message,
    'Cannot change the settings of m: the setting "top_p" is unknown, did you mean "topP"?',
  );
  assert.equal(refusal({ top_p: 1 }).param, "top_p");
  assert.match(refusal({ colour: 1 }).message, /the setting "colour" is unknown, expected some of alias, pinned, /);
  assert.match(refusal(JSON.parse('{"__proto__":1}')).message, /the setting "__proto__"/);
});

test("checkRuntimeSettings() refuses anything but an object", () => {
  for (const value of [null, undefined, 1, "x", [], [1]]) assert.equal(refusal(value).code, "invalid_settings");
});

// @row model-api > Runtime settings > `kvCacheMode`
test("checkRuntimeSettings() refuses modes and engines that the model's files have no use for", () => {
  assert.equal(
    refusal({ kvCacheMode: "polar2" }).message,
    'Cannot change the settings of m: "kvCacheMode" is "polar2", expected one of default, affine4, affine8',
  );
  assert.equal(
    refusal({ engineOverride: "onnx-text" }).message,
    'Cannot change the settings of m: "engineOverride" is "onnx-text", expected gguf-text, the engine that can serve ' +
      "its files",
  );
  const missing = { id: "m", task: "chat.completions", engine: "onnx-text" } as const;
  assert.match(
    refusal({ kvCacheMode: "affine8" }, missing).message,
    /expected default, since the modes of a model are known/,
  );
  assert.equal(checkRuntimeSettings(missing, { engineOverride: "onnx-text" }).engineOverride, "onnx-text");
});

// @row model-api > Runtime settings > Sidecar models take `pinned` and `ttlSeconds` only
test("checkRuntimeSettings() gives models that do not chat pinned and ttlSeconds only", () => {
  const others = MODEL_TASKS.filter((task) => task !== "chat.completions");
  const settings = {
    ...{ alias: "a", maxContextTokens: 5, maxTokens: 5, temperature: 1, topP: 1, minP: 0 },
    ...{ engineOverride: "gguf-text", kvCacheMode: "default" },
  };
  for (const task of others as ModelTask[]) {
    const model = { id: "m", task };
    assert.deepEqual(checkRuntimeSettings(model, { pinned: true, ttlSeconds: 5 }), { pinned: true, ttlSeconds: 5 });
    for (const [key, value] of Object.entries(settings)) {
      const error = refusal({ [key]: value }, model);
      assert.equal(error.param, key);
      assert.match(error.message, new RegExp(`expected only pinned and ttlSeconds for a model of ${task}$`));
    }
  }
});

test("settingsJson() writes affine modes under a key of their own, which wins when it is read", () => {
  assert.deepEqual(settingsJson({ pinned: true, kvCacheMode: "affine8", alias: "a" }), {
    alias: "a",
    kvCacheModeV2: "affine8",
    pinned: true,
  });
  assert.deepEqual(Object.keys(settingsJson({ topP: 1, pinned: false, alias: "a" })), ["alias", "pinned", "topP"]);
  for (const kvCacheMode of ["default", "polar2", "auto"] as const) {
    assert.deepEqual(settingsJson({ pinned: false, kvCacheMode }), { kvCacheMode, pinned: false });
  }
  const both = readRuntimeSettings("read", { kvCacheMode: "auto", kvCacheModeV2: "affine4" });
  assert.deepEqual(both, { pinned: false, kvCacheMode: "affine4" });
  for (const kvCacheMode of ["default", "affine4", "affine8", "polar2", "auto"] as const) {
    const settings: RuntimeSettings = { pinned: false, kvCacheMode };
    assert.deepEqual(readRuntimeSettings("read", settingsJson(settings)), settings);
  }
});

test("checkAlias() refuses names of another model, whatever their case", () => {
  const settings = new Map<string, RuntimeSettings>([["a", { pinned: false, alias: "Fast" }]]);
  const check = (id: string, alias: string) => checkAlias(id, alias, ["a", "b", "known"], settings);
  check("b", "quick");
  check("a", "fast");
  checkAlias("b", undefined, ["a", "b"], settings);
  assert.throws(() => check("b", "FAST"), {
    code: "alias_taken",
    param: "alias",
    message: 'Cannot change the settings of b: the alias "FAST" is that of a, expected one that no model has',
  });
  for (const alias of ["a", "A", "b", "Known"]) assert.throws(() => check("b", alias), { code: "alias_taken" });
});
