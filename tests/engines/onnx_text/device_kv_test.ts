import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { missingDevices } from "../../../lib/app/models/engine/missing_devices.ts";
import { loadOnnxRuntime } from "../../../lib/compute/onnx/load_onnxruntime.ts";
import type { DecoderGraph } from "../../../lib/engines/onnx_text/decoder/decoder_graph.ts";
import { DeviceMirror } from "../../../lib/engines/onnx_text/kv_places/device_kv.ts";
import { HostKv } from "../../../lib/engines/onnx_text/kv_places/kv_place.ts";
import { KvBuffer } from "../../../lib/engines/onnx_text/kv_places/kv_buffer.ts";
import type { EngineOptions } from "../../../lib/engines/contract/engine_entry.ts";
import type { GenerationJob, LanguageModel } from "../../../lib/engines/contract/language_model.ts";
import type { OnnxChatModelOptions } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { type TinyAnswer, tinyJob, tinyPrompt, withTinyModel, write } from "../../support/tiny_text_model.ts";

/*
 * ONNX Runtime's own WebGPU, on a GPU or on the software adapter of the test set-up. Prompts have fewer than 32 tokens:
 * longer ones take a kernel that is wrong on adapters whose subgroups have four lanes, as the software one has.
 */
const promised = process.env.SVC_TEST_ADAPTER === "software";
const skip = !promised && missingDevices().find(({ device }) => device === "webgpu")?.reason;

/** What a model writes on the CPU, and on the GPU. */
async function onBoth(
  options: OnnxChatModelOptions,
  work: (model: LanguageModel) => Promise<readonly TinyAnswer[]>,
  engine: Partial<EngineOptions> = {},
): Promise<{ readonly answers: readonly TinyAnswer[]; readonly counters: ReturnType<LanguageModel["counters"]> }> {
  const written = async (device: string) => {
    let found: { answers: readonly TinyAnswer[]; counters: ReturnType<LanguageModel["counters"]> } | undefined;
    await withTinyModel(options, async (model) => {
      assert.equal(model.device, device);
      const answers = await work(model);
      found = { answers, counters: model.counters() };
    }, { ...engine, device });
    return found!;
  };
  const cpu = await written("cpu");
  const gpu = await written("webgpu");
  assert.equal(cpu.counters.deviceKVCache, undefined);
  assert.equal(gpu.counters.deviceKVCache?.enabled, true, gpu.counters.deviceKVCache?.reason);
  const shown = ({ ids, cachedTokens }: TinyAnswer) => ({ ids, cachedTokens });
  assert.deepEqual(gpu.answers.map(shown), cpu.answers.map(shown));
  assert.equal(gpu.counters.deviceKVCache.bytes, 0, "everything is freed");
  return gpu;
}

const job = (prompt: readonly number[], more: Partial<GenerationJob> = {}) =>
  tinyJob(prompt, { maxTokens: 8, ...more });

/** Two texts with the same first 18 tokens, and another one. */
const common = tinyPrompt(18, 1);
const texts = [[...common, ...tinyPrompt(6, 2)], [...common, ...tinyPrompt(9, 3)], tinyPrompt(22, 4)];

const pattern = tinyPrompt(5, 6);
const repeated = [...pattern, ...pattern, ...pattern, ...pattern, ...pattern];

/** Answers of texts that are written together, of which one is given up. */
async function together(model: LanguageModel): Promise<readonly TinyAnswer[]> {
  const left = new AbortController();
  const leaves = write(model, job(tinyPrompt(20, 7), { maxTokens: 40 }), left.signal);
  let told = 0;
  const onToken = () => {
    if (++told === 3) left.abort(new Error("the client has disconnected"));
    return true;
  };
  const stay = [write(model, job(tinyPrompt(24, 8), { onToken })), write(model, job(texts[2], { maxTokens: 10 }))];
  await assert.rejects(leaves, /the client has disconnected/);
  return await Promise.all(stay);
}

for (const kind of ["gqa", "std"] as const) {
  test(`a ${kind} model with its keys on the GPU answers as on the CPU`, { skip }, async () => {
    const { answers, counters } = await onBoth({ kind, script: false }, async (model) => {
      const [first, branch] = [await write(model, job(texts[0])), await write(model, job(texts[1]))];
      const longer = await write(model, job([...texts[0], ...first.ids.slice(0, 3), 50, 51]));
      const { uploads = 0, downloads = 0 } = model.counters().deviceKVCache ?? {};
      // Two texts start from a cached prefix; each is kept after its prompt and after its answer.
      assert.ok(uploads <= 4 && downloads <= 8, `${uploads} uploads, ${downloads} downloads`);
      // Refused drafts are cut off.
      const drafted = await write(model, job(repeated, { maxTokens: 16 }));
      return [first, branch, longer, drafted, ...await together(model)];
    });
    assert.deepEqual(answers.map(({ cachedTokens }) => cachedTokens), [0, 18, 27, 0, 0, 0]);
    assert.ok((counters.mtp?.rejectedTokens ?? 0) > 0, "the text makes no drafts");
    assert.equal((counters.continuousBatching?.batchedDecodeSteps ?? 0) > 0, kind === "gqa");
  });
}

test("the states of a hybrid model stay on the GPU too", { skip }, async () => {
  const { answers } = await onBoth({ mixer: "ssm", script: false }, async (model) => {
    const first = await write(model, job(texts[0], { stablePrefix: 18, maxTokens: 5 }));
    const other = await write(model, job(texts[1], { stablePrefix: 18, maxTokens: 5 }));
    return [first, other];
  });
  assert.deepEqual(answers.map(({ cachedTokens }) => cachedTokens), [0, 18]);
});

const shape: DecoderGraph = {
  grouped: true,
  kv: [{ past: "past_key_values.0.key", present: "present.0.key", heads: 1, dim: 2 }],
  kvType: "float32",
  states: [],
  embeddedType: undefined,
  takesPositions: false,
  positionPlanes: undefined,
  takesLayerInputs: false,
  takesMask: true,
  logitCountRank: undefined,
};

test("a decoder that had to leave its keys in host memory says why", async () => {
  const runtime = await loadOnnxRuntime();
  assert.equal(new HostKv(runtime, shape).counters(), undefined);
  const told = new HostKv(runtime, shape, "no adapter").counters();
  assert.deepEqual(told, { enabled: false, reason: "no adapter", bytes: 0, steps: 0, uploads: 0, downloads: 0 });
});

test("a device that cuts tokens off forgets that the buffer has them", () => {
  const freed: unknown[] = [];
  const device = { shape, read: () => assert.fail("nothing is read"), freed: (one: unknown) => void freed.push(one) };
  const mirror = new DeviceMirror(device, { kv: [], states: [] }, { lengths: [9, 6], common: 6 });
  assert.equal(mirror.common([9, 6]), 6);
  assert.equal(mirror.common([4, 6]), 4);
  assert.equal(mirror.settled, false);
  mirror.dispose();
  assert.deepEqual(freed, [mirror]);
});

test("a buffer that a device is ahead of is not used before it is settled", async () => {
  const buffer = new KvBuffer(shape, 1, 4);
  const events: string[] = [];
  const mirror = {
    settled: false,
    settle: (of: KvBuffer) => {
      of.write(0, 0, 0, 1, Float32Array.of(5, 6), 0, 1);
      events.push("settled");
      mirror.settled = true;
      return Promise.resolve();
    },
    dispose: () => void events.push("disposed"),
  };
  buffer.mirror = mirror;
  const other = new KvBuffer(shape, 1, 4);
  const behind = /^Error: Cannot use a buffer of keys and values: a device is ahead of it, expected it to be settled$/;
  assert.throws(() => other.take(0, buffer, 0, 1), behind);
  assert.throws(() => buffer.take(0, other, 0, 1), behind);
  assert.throws(() => buffer.reserve(buffer.capacity + 1, [1]), behind);
  await buffer.settle();
  await buffer.settle();
  other.take(0, buffer, 0, 1);
  assert.deepEqual(other.compact(0, 1), Float32Array.of(5, 6));
  buffer.reserve(buffer.capacity + 1, [1]);
  assert.deepEqual(events, ["settled", "disposed"]);
  assert.deepEqual(buffer.compact(0, 1), Float32Array.of(5, 6));
});
