import assert from "node:assert/strict";
import { test } from "node:test";
import { ggufChatModel } from "../../fixtures/tiny_models/gguf_chat_model.ts";
import { ggufFile, type GgufValue } from "../../fixtures/tiny_models/gguf_file.ts";
import { findGgufFile } from "../../../lib/engines/gguf_text/gguf_file.ts";
import { readGgufProfile } from "../../../lib/engines/gguf_text/gguf_profile.ts";
import { DEFAULT_SAMPLING, NEUTRAL_SAMPLING } from "../../../lib/protocol/mod.ts";
import { memoryFiles } from "../../support/model_files.ts";

const chat: Record<string, GgufValue> = {
  "general.architecture": "llama",
  "llama.context_length": { uint32: 2048 },
  "llama.embedding_length": { uint32: 128 },
  "llama.attention.head_count": { uint32: 4 },
  "tokenizer.chat_template": "{{ messages }}",
};
const profileOf = (fields: Record<string, GgufValue | undefined>) => {
  const given = Object.entries({ ...chat, ...fields }).filter((entry): entry is [string, GgufValue] => !!entry[1]);
  return readGgufProfile(memoryFiles({ "m.gguf": ggufFile(Object.fromEntries(given), []) }));
};
const refused = (fields: Record<string, GgufValue | undefined>, why: RegExp) => assert.rejects(profileOf(fields), why);

test("readGgufProfile() reads engine, context, features and reasoning", async () => {
  const profile = await readGgufProfile(memoryFiles(ggufChatModel()));
  assert.equal(profile?.engine, "gguf-text");
  assert.equal(profile.context, 4096);
  assert.deepEqual(profile.capabilities.reasoning, { optional: true, levels: [], levelMap: {} });
  for (const feature of ["tools", "json_schema", "logprobs", "penalties", "logit_bias"] as const) {
    assert.ok(profile.capabilities.features.has(feature), feature);
  }
  assert.ok(!profile.capabilities.features.has("images"));
  assert.deepEqual(profile.sampling, DEFAULT_SAMPLING);
});

test("readGgufProfile() takes sampling from the file, without what makes no sense", async () => {
  const some = await profileOf({
    "general.sampling.temp": { float32: 0.5 },
    "general.sampling.top_k": { uint32: 20 },
    "general.sampling.top_p": { float32: 0.75 },
    "general.sampling.min_p": { float32: 0.25 },
    "general.sampling.penalty_repeat": { float32: 1.5 },
  });
  const sampling = { temperature: 0.5, topK: 20, topP: 0.75, minP: 0.25, repetitionPenalty: 1.5 };
  assert.deepEqual(some?.sampling, { ...NEUTRAL_SAMPLING, ...sampling });
  const senseless = await profileOf({
    "general.sampling.temp": { float32: NaN },
    "general.sampling.top_p": { float32: 2 },
    "general.sampling.penalty_repeat": { float32: 0 },
    "general.sampling.min_p": "a lot",
  });
  assert.deepEqual(senseless?.sampling, DEFAULT_SAMPLING);
});

test("readGgufProfile() offers quantised states for heads of whole blocks only", async () => {
  const modes = async (fields: Record<string, GgufValue>) => (await profileOf(fields))?.kvCacheModes;
  assert.deepEqual(await modes({}), ["affine8", "affine4"]);
  assert.deepEqual(await modes({ "llama.attention.head_count": { uint32: 8 } }), []);
  assert.deepEqual(await modes({ "llama.attention.key_length": { uint32: 64 } }), []);
  const both = { "llama.attention.key_length": { uint32: 64 }, "llama.attention.value_length": { uint32: 64 } };
  assert.deepEqual(await modes(both), ["affine8", "affine4"]);
});

test("readGgufProfile() is undefined for models without a GGUF file", async () => {
  assert.equal(await readGgufProfile(memoryFiles({ "config.json": {} })), undefined);
});

test("readGgufProfile() refuses files that hold no model that chats", async () => {
  await refused(
    { "tokenizer.chat_template": undefined },
    /Cannot use m\.gguf: it is a base model: it has no chat template \(no tokenizer\.chat_template\)/,
  );
  await refused({ "general.architecture": undefined }, /it names no general\.architecture/);
  await refused({ "llama.context_length": undefined }, /its llama\.context_length is missing, expected a positive/);
  await refused({ "llama.context_length": { uint32: 0 } }, /its llama\.context_length is 0/);
  await refused(
    { "general.architecture": "qwen9" },
    /its architecture is "qwen9", which this version of llama\.cpp does/,
  );
  await refused(
    { "general.architecture": "llada" },
    /it is a diffusion model \(llada\), expected a language model that/,
  );
  await refused({ "general.architecture": "clip" }, /it is the part of a model that looks at images \(clip\)/);
  await refused({ "general.type": "adapter" }, /it holds the type "adapter", expected a model/);
});

test("findGgufFile() finds one model, in parts or beside a projector", () => {
  const find = (...names: string[]) => findGgufFile({ ...memoryFiles({}), names });
  assert.equal(find("a.gguf", "README.md"), "a.gguf");
  assert.equal(find("mmproj-a-f16.gguf", "a.gguf"), "a.gguf");
  assert.equal(find("q/a-00002-of-00002.gguf", "q/a-00001-of-00002.gguf"), "q/a-00001-of-00002.gguf");
  assert.equal(find("a.onnx"), undefined);
  assert.throws(() => find("a.gguf", "b.gguf"), /it has the files a\.gguf, b\.gguf, expected one model/);
  assert.throws(() => find("a-00001-of-00002.gguf"), /it has 1 of 2 parts \(a-00001-of-00002\.gguf\), expected all/);
});
