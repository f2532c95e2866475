import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import {
  listKokoroVoices,
  readKokoroProfile,
  readVoiceStyles,
} from "../../../lib/engines/speech/onnx_kokoro/kokoro_profile.ts";
import { openKokoroModel } from "../../../lib/engines/speech/onnx_kokoro/open_kokoro_model.ts";

function folder(files: Readonly<Record<string, Uint8Array>>): ModelFiles {
  return {
    names: Object.keys(files),
    path: (name) => `/nowhere/${name}`,
    read: (name) => Promise.resolve(files[name]),
    readPart: (name, start, length) => Promise.resolve(files[name].subarray(start, start + length)),
  };
}

/** Styles whose numbers are those of their rows. */
function styles(rows: number): Uint8Array {
  return new Uint8Array(Float32Array.from({ length: rows * 256 }, (_, i) => Math.floor(i / 256)).buffer);
}

const none = new Uint8Array();

test("voices are recognised by their names, English ones first", () => {
  const files = folder(Object.fromEntries(
    ["zf_xiaoyi", "bm_george", "af_sky", "af_heart", "xx_odd", "am_", "jm_kumo"].map((
      name,
    ) => [`voices/${name}.bin`, none]),
  ));
  assert.deepEqual(listKokoroVoices(files).map(({ name, gender, accent }) => `${name}: ${gender}, ${accent}`), [
    "af_heart: female, American English",
    "af_sky: female, American English",
    "bm_george: male, British English",
    "jm_kumo: male, Japanese",
    "zf_xiaoyi: female, Chinese",
  ]);
});

test("the style of a text is the one for its number of phonemes", async () => {
  const files = folder({ "voices/af_heart.bin": styles(510) });
  const { of } = await readVoiceStyles(files, listKokoroVoices(files)[0]);
  const row = (phonemes: number) => [...new Set(of(phonemes))];
  assert.deepEqual([row(1), row(2), row(510), row(900), row(0)], [[0], [1], [509], [509], [0]]);
  assert.equal(of(1).length, 256);
});

test("invalid styles are refused", async () => {
  for (const bytes of [none, new Uint8Array(1023), new Uint8Array(2049 * 1024)]) {
    const files = folder({ "voices/af_heart.bin": bytes });
    await assert.rejects(readVoiceStyles(files, listKokoroVoices(files)[0]), /expected rows of 256 32-bit floats/);
  }
  const files = folder({ "voices/af_heart.bin": new Uint8Array(1024).fill(255) });
  await assert.rejects(readVoiceStyles(files, listKokoroVoices(files)[0]), /a number is not finite/);
});

test("a folder is Kokoro's when it has a network and voices", async () => {
  const voices = { "voices/af_heart.bin": styles(1) };
  assert.equal(await readKokoroProfile(folder(voices)), undefined);
  assert.equal(await readKokoroProfile(folder({ "onnx/model.onnx": none })), undefined);
  assert.deepEqual(await readKokoroProfile(folder({ "onnx/model_q8.onnx": none, ...voices })), {
    kind: "speech",
    engine: "onnx-kokoro",
    voices: ["af_heart"],
    sampleRate: 24_000,
  });
  await assert.rejects(openKokoroModel(folder(voices), {}), /not those of Kokoro/);
  await assert.rejects(openKokoroModel(folder({ "onnx/model.onnx": none, ...voices }), {}), /vocab\.json/);
});
