import assert from "node:assert/strict";
import { test } from "node:test";
import { GGUF_ARCHITECTURES } from "../../../lib/engines/gguf_text/gguf_file.ts";
import { decoderMetadata, ggufChatModel } from "../../fixtures/tiny_models/gguf_chat_model.ts";
import { ggufFile, type GgufValue } from "../../fixtures/tiny_models/gguf_file.ts";
import { TINY_SHAPE } from "../../fixtures/tiny_models/transformer_weights.ts";
import type { EngineOptions } from "../../../lib/engines/contract/engine_entry.ts";
import { openGgufTextModel } from "../../../lib/engines/gguf_text/open_gguf_text_model.ts";
import { deviceFor } from "../../../lib/engines/onnx_sessions/engine_devices.ts";
import { openLlama } from "../../../lib/engines/gguf_text/open_llama.ts";
import { memoryFiles, withModelFiles } from "../../support/model_files.ts";
import { openTiny, settings } from "./open_tiny_gguf.ts";

async function refused(file: Uint8Array, why: RegExp, options: Partial<EngineOptions> = {}): Promise<void> {
  await withModelFiles({ "m.gguf": file }, async (files) => {
    await assert.rejects(openGgufTextModel(files, { ...settings, ...options }), why);
  });
}

const whole = ggufChatModel()["tiny-chat.gguf"];
const chat: Record<string, GgufValue> = {
  ...decoderMetadata({ ...TINY_SHAPE, vocabulary: 3 }),
  "tokenizer.ggml.model": "gpt2",
  "tokenizer.ggml.tokens": ["a", "b", "c"],
  "tokenizer.ggml.merges": ["a b"],
  "tokenizer.chat_template": "{{ messages }}",
};

test("openGgufTextModel() reports its progress up to the end", async () => {
  const heard: number[] = [];
  const model = await openTiny({ onProgress: (fraction) => heard.push(fraction) });
  await model.close();
  assert.deepEqual(heard.toSorted((a, b) => a - b), heard);
  assert.equal(heard.at(-1), 1);
});

test("openGgufTextModel() refuses folders without a valid GGUF file", async () => {
  const none = openGgufTextModel(memoryFiles({ "config.json": {} }), settings);
  await assert.rejects(none, /Cannot open a GGUF model: it has no \.gguf file, expected one/);
  await refused(new Uint8Array(100), /Cannot read m\.gguf: it begins with/);
});

test("openGgufTextModel() reports llama.cpp's message about a broken file", async () => {
  const cut = whole.subarray(0, whole.length - 4096);
  await refused(cut, /Cannot open .*m\.gguf: llama\.cpp says ".*not within the file bounds.*", expected a model/);
  const unknown = ggufFile({ ...chat, "general.architecture": "svc", "svc.context_length": { uint32: 8 } }, []);
  await refused(unknown, /Cannot use m\.gguf: its architecture is "svc", which this version/);
  await refused(ggufFile(chat, []), /Cannot open .*m\.gguf: llama\.cpp says ".+", expected a model that it can run/);
});

test("openGgufTextModel() refuses an invalid adapter", async () => {
  await refused(whole, /Cannot open .*: llama\.cpp says ".+"/, { lora: "/nowhere/adapter.gguf" });
});

test("a device of one library leaves the choice to the other", async () => {
  const devices = ["cuda", "webgpu", "dml", "coreml", "metal", "vulkan", "cpu", "auto", "tpu", undefined];
  const onnx = devices.map((device) => deviceFor("onnx", device));
  assert.deepEqual(onnx, ["cuda", "webgpu", "dml", "coreml", "auto", "auto", "cpu", "auto", "tpu", "auto"]);
  const llama = devices.map((device) => deviceFor("llama", device));
  assert.deepEqual(llama, ["cuda", "auto", "auto", "auto", "metal", "vulkan", "cpu", "auto", "tpu", "auto"]);
  await withModelFiles({ "m.gguf": whole }, async (files) => {
    const model = await openGgufTextModel(files, { ...settings, device: "webgpu" });
    assert.ok(model.device.length > 0);
    await model.close();
  });
});

test("openLlama() refuses devices that do not exist", async () => {
  await assert.rejects(openLlama("tpu"), /the device is "tpu", expected one of auto, cpu, cuda, metal, vulkan$/);
  const other = process.platform === "darwin" ? "cuda" : "metal";
  await assert.rejects(
    openLlama(other),
    /Cannot open a GGUF model: (llama\.cpp has no build|the device is .*, which this machine does not have)/,
  );
});

test("GGUF_ARCHITECTURES are those of the installed version", async () => {
  const library: Record<string, unknown> = await import("node-llama-cpp");
  const known = Object.values(library.GgufArchitectureType as Record<string, string>);
  assert.deepEqual([...GGUF_ARCHITECTURES].sort(), known.filter((name) => name !== "(unknown)").sort());
});
