import assert from "node:assert/strict";
import { test } from "node:test";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { firstThatWorks } from "../../../lib/engines/onnx_sessions/engine_devices.ts";
import { openSession } from "../../../lib/engines/onnx_sessions/open_session.ts";
import { openOnnxTextModel } from "../../../lib/engines/onnx_text/onnx_text_model.ts";
import { missingDevices } from "../../../lib/app/models/engine/missing_devices.ts";
import { type GivenFiles, withModelFiles } from "../../support/model_files.ts";
import { TINY_ENGINE, withTinyModel } from "../../support/tiny_text_model.ts";

const model = onnxChatModel({ kind: "gqa", script: false });

const open = async (given: GivenFiles) => {
  await withModelFiles(given, async (files) => {
    await (await openOnnxTextModel(files, TINY_ENGINE)).close();
  });
};

test("openOnnxTextModel() reports load progress and its vocabulary, padding included", async () => {
  const seen: number[] = [];
  let size = 0;
  let ends: readonly number[] = [];
  const openConstrainer: typeof TINY_ENGINE.openConstrainer = (vocabulary) => {
    [size, ends] = [vocabulary.size, vocabulary.endTokens];
    assert.ok(vocabulary.isSpecial(ends[0]) && vocabulary.bytesOf(ends[0]).length > 0);
    return TINY_ENGINE.openConstrainer(vocabulary);
  };
  // deno-lint-ignore require-await -- nothing is generated
  await withTinyModel({ kind: "gqa", script: false }, async (opened) => {
    assert.equal(opened.device, "cpu");
    assert.equal(size % 64, 0);
    assert.equal(ends.length, 2);
    assert.ok(seen.length >= 3 && seen.every((value, i) => value > (seen[i - 1] ?? 0)) && seen.at(-1) === 1, `${seen}`);
  }, { openConstrainer, onProgress: (fraction) => seen.push(fraction) });
});

test("openOnnxTextModel() names the file that is broken", async () => {
  const whole = model["onnx/model.onnx"];
  await assert.rejects(open({ ...model, "onnx/model.onnx": whole.slice(0, 5000) }), /Cannot read onnx\/model\.onnx: /);
  const { "tokenizer.json": _, ...mute } = model;
  await assert.rejects(open(mute), /it has no tokenizer\.json/);
  await assert.rejects(
    open({ ...model, "tokenizer.json": { model: { type: "Other" } } }),
    /Cannot use tokenizer\.json/,
  );
  const { "config.json": __, ...nameless } = model;
  await assert.rejects(open(nameless), /its files are not a causal language model in ONNX/);
});

test("openOnnxTextModel() says what ONNX Runtime has against a graph", async () => {
  const unknown = model["onnx/model.onnx"].slice();
  const name = new TextEncoder().encode("SimplifiedLayerNormalization");
  const at = unknown.findIndex((_, i) => name.every((byte, j) => unknown[i + j] === byte));
  unknown[at + name.indexOf("z".charCodeAt(0))] = "s".charCodeAt(0);
  await assert.rejects(open({ ...model, "onnx/model.onnx": unknown }), (error: Error) => {
    assert.match(error.message, /^Cannot open onnx\/model\.onnx: .*SimplifiedLayerNormalisation/);
    return true;
  });
});

test("openSession() passes over devices that do not work and says why", async () => {
  await withModelFiles(model, async (files) => {
    const missing = ["cuda", "webgpu", "dml", "coreml"].map((device) => ({ device, reason: "not here" }));
    const opened = await openSession(files.path("onnx/model.onnx"), { missing });
    await opened.session.release();
    assert.equal(opened.device, "cpu");
    assert.deepEqual(opened.tried, missing);
    const wanted = openSession(files.path("onnx/model.onnx"), { device: "abacus" });
    await assert.rejects(wanted, /^Error: Cannot open the model on abacus: /);
    const gone = openSession(files.path("onnx/gone.onnx"), { missing });
    await assert.rejects(gone, /^Error: Cannot open the model: no device can run it \(.*cpu: .*gone\.onnx/);
  });
});

test("firstThatWorks() tries the next device after a failure, and says of each why", async () => {
  const fails = (...names: string[]) => (device: string) =>
    names.includes(device) ? Promise.reject(new Error(`no ${device}`)) : Promise.resolve(device);
  const devices = ["cuda", "webgpu", "cpu"];
  assert.deepEqual(await firstThatWorks(devices, fails()), { value: "cuda", tried: [] });
  assert.deepEqual(await firstThatWorks(devices, fails("cuda", "webgpu")), {
    value: "cpu",
    tried: [{ device: "cuda", reason: "no cuda" }, { device: "webgpu", reason: "no webgpu" }],
  });
  await assert.rejects(firstThatWorks(["cuda"], fails("cuda")), /^Error: no cuda$/);
  const none = /no device can run it \(cuda: no cuda; webgpu: no webgpu; cpu: no cpu\), check its files/;
  await assert.rejects(firstThatWorks(devices, fails(...devices)), none);
});

test("openOnnxTextModel() runs on the CPU where better devices do not work, and says why", async () => {
  await withModelFiles(model, async (files) => {
    const opened = await openOnnxTextModel(files, { ...TINY_ENGINE, device: undefined });
    await opened.close();
    const others = (opened.tried ?? []).map(({ device }) => device);
    assert.ok(!others.includes(opened.device) && (opened.device !== "cpu" || !others.includes("cpu")));
    for (const { reason } of opened.tried ?? []) assert.notEqual(reason, "");
  });
});

test("missingDevices() gives a remedy with each device", () => {
  for (const { device, reason } of missingDevices()) {
    assert.match(`${device}: ${reason}`, /^(?:cuda|webgpu|vulkan): .+, (?:run|install) /);
  }
});
