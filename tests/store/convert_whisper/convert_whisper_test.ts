import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import {
  openOnnxWhisperModel,
  openWhisperNetwork,
} from "../../../lib/engines/transcription/whisper/open_onnx_whisper_model.ts";
import { encodeWindow } from "../../../lib/engines/transcription/whisper/decode_window.ts";
import { addModel } from "../../../lib/store/add_model.ts";
import type { InstalledModel } from "../../../lib/store/catalog/installed_model.ts";
import { openModelFolder } from "../../../lib/store/model_folder.ts";
import { type ModelStore, openModelStore } from "../../../lib/store/model_store.ts";
import { whisperTokenizer } from "../../../lib/store/convert/whisper/whisper_tokenizer.ts";
import {
  ctranslate2Bytes,
  storedFloats,
  storedInteger,
  type StoredType,
  type StoredVariable,
  TIED,
  whisperVariables,
} from "../../fixtures/tiny_models/ctranslate2_file.ts";
import { jsonFile, type ModelFiles } from "../../fixtures/tiny_models/model_files.ts";
import { transcriptionModel, type TranscriptionModelOptions } from "../../fixtures/tiny_models/transcription_model.ts";
import { writeModel } from "../../fixtures/tiny_models/write_model.ts";
import { zipBytes } from "../../support/wheel_bytes.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { babble, hear, withModelFiles } from "../../engines/transcription/recordings.ts";

const signal = new AbortController().signal;

/** Adds the files to an empty store. */
async function withAdded<T>(
  files: ModelFiles,
  use: (model: InstalledModel, store: ModelStore) => T | Promise<T>,
): Promise<T> {
  let result: T;
  await withFolder(async (folder) => {
    const path = join(folder, "tiny-whisper");
    writeModel(path, files);
    const store = openModelStore(join(folder, "models"));
    result = await use(await addModel(store, { path }, () => {}, signal), store);
  });
  return result!;
}

async function transcriptOf(folder: string, names: readonly string[], samples = 80_000) {
  const model = await openOnnxWhisperModel(openModelFolder(folder, names), { device: "cpu", threads: 1 });
  try {
    const { transcript } = await hear(model, babble(samples), { words: true, language: "de" });
    return { profile: model.profile, transcript };
  } finally {
    await model.close();
  }
}

const options: TranscriptionModelOptions = { seed: 3 };

test("a model of CTranslate2 becomes one that transcribes as the published form of its weights does", async () => {
  const expected = await withModelFiles(
    transcriptionModel(options),
    (files) => transcriptOf(files.path("."), files.names),
  );
  await withAdded(transcriptionModel({ ...options, ctranslate2: "f32" }), async (added, store) => {
    assert.deepEqual([added.id, added.task], ["tiny-whisper", "audio.transcriptions"]);
    assert.deepEqual(added.profile, expected.profile);
    assert.deepEqual(readdirSync(store.layout.staging), []);
    const names = added.files.map(({ path }) => path);
    assert.ok(names.includes("onnx/decoder_model_merged.onnx_data") && !names.includes("model.bin"));
    const { transcript } = await transcriptOf(added.folder, names);
    assert.equal(transcript.language, "de");
    assert.ok(transcript.segments.length > 0 && (transcript.words ?? []).length > 0);
    const plain = ({ segments, words }: typeof transcript) => ({
      segments: segments.map(({ start, end, text, tokens }) => ({ start, end, text, tokens })),
      words,
    });
    assert.deepEqual(plain(transcript), plain(expected.transcript));
    for (const [i, { avgLogprob }] of transcript.segments.entries()) {
      assert.ok(Math.abs(avgLogprob - expected.transcript.segments[i].avgLogprob) < 1e-4);
    }
  });
});

/** Logits and attention of a few tokens: all at once, and the last one by the cache. */
async function computed(type: StoredType) {
  return await withAdded(transcriptionModel({ ...options, ctranslate2: type }), async ({ folder, files, bytes }) => {
    const names = files.map(({ path }) => path);
    const network = await openWhisperNetwork(openModelFolder(folder, names), { device: "cpu", threads: 1 });
    const { value: samples } = await babble(80_000, 80_000).next();
    const sound = await encodeWindow(network, samples);
    const tokens = [300, 301, 310, 40, 260];
    const whole = await network.decoder.attend(sound, tokens);
    const first = await network.decoder.start(sound, tokens.slice(0, -1), {});
    const step = await network.decoder.step(sound, tokens[4], first.cache, {});
    await network.encoder.session.release();
    await network.decoder.close();
    return { bytes, ...whole, step, first };
  });
}

/** The root mean square of the difference as a share of that of the numbers. */
function relativeError(actual: Float32Array, expected: Float32Array): number {
  const sum = (values: Float32Array) => values.reduce((total, value) => total + value * value, 0);
  return Math.sqrt(sum(actual.map((value, i) => value - expected[i])) / sum(expected));
}

test("every type of weights is read, and a step by the cache gives what all tokens at once give", async () => {
  const exact = await computed("f32");
  for (
    const [type, most, share] of [
      ["f32", 0, 1],
      ["f16", 1e-3, 0.8],
      ["bf16", 1e-2, 1],
      ["i16", 1e-2, 1],
      ["i8", 5e-2, 0.8],
    ] as const
  ) {
    const { bytes, logits, attentions, first, step } = await computed(type);
    const errors = logits.map((row, i) => relativeError(row, exact.logits[i]));
    assert.ok(errors.every((error) => error <= most), `${type}: ${errors}`);
    if (type !== "f32") assert.ok(errors.some((error) => error > 0), `${type} is read as floats of 32 bits`);
    assert.ok(bytes <= share * exact.bytes, `${type}: ${bytes} of ${exact.bytes} bytes`);
    assert.deepEqual(attentions.map(({ dims }) => dims), [[4, 5, 1500], [4, 5, 1500]]);
    for (const { data } of attentions) {
      for (let row = 0; row < 20; row++) {
        const sum = data.subarray(row * 1500, (row + 1) * 1500).reduce((total, value) => total + value, 0);
        assert.ok(Math.abs(sum - 1) < 1e-4);
      }
    }
    assert.ok(relativeError(first.logits[3], logits[3]) < 1e-5);
    assert.ok(relativeError(step.logits[0], logits[4]) < 1e-5);
    assert.deepEqual(step.cache["past_key_values.0.decoder.key"].dims, [1, 4, 5, 8]);
  }
});

test("languages, heads and suppressed tokens come from the configuration, the front end from its file or its sizes", async () => {
  const files = transcriptionModel({ ...options, ctranslate2: "f16" });
  const json = (model: InstalledModel, name: string) => JSON.parse(readFileSync(join(model.folder, name), "utf8"));
  const front = { feature_size: 80, sampling_rate: 16_000, hop_length: 160, n_fft: 400, chunk_length: 30 };
  const more = {
    "preprocessor_config.json": jsonFile({ ...front, own: true }),
    LICENSE: new TextEncoder().encode("MIT"),
  };
  await withAdded({ ...files, ...more }, (model) => {
    const given = JSON.parse(new TextDecoder().decode(files["config.json"] as Uint8Array));
    const generation = json(model, "generation_config.json");
    assert.deepEqual(generation.alignment_heads, given.alignment_heads);
    assert.deepEqual(generation.begin_suppress_tokens, given.suppress_ids_begin);
    assert.deepEqual(Object.values(generation.lang_to_id), given.lang_ids);
    assert.equal(json(model, "preprocessor_config.json").own, true);
    assert.equal(readFileSync(join(model.folder, "LICENSE"), "utf8"), "MIT");
  });
  await withAdded(files, (model) => {
    const { own, feature_size: bands } = json(model, "preprocessor_config.json");
    assert.deepEqual([own, bands], [undefined, 80]);
  });
});

test("the tokenizer is made of the vocabulary where there is none: its merges are found again", async () => {
  const tokens = ["a", "b", "c", "Ġ", "ab", "Ġc", "abab", "Ġca", "<|endoftext|>", "<|en|>", "<|0.00|>"];
  const { model, added_tokens: added } = whisperTokenizer(tokens) as {
    model: { vocab: Record<string, number>; merges: unknown };
    added_tokens: { content: string; id: number }[];
  };
  assert.deepEqual(model.merges, [["a", "b"], ["Ġ", "c"], ["ab", "ab"], ["Ġc", "a"]]);
  assert.deepEqual(model.vocab, { a: 0, b: 1, c: 2, Ġ: 3, ab: 4, Ġc: 5, abab: 6, Ġca: 7 });
  assert.deepEqual(added.map(({ content, id }) => [content, id]), [["<|endoftext|>", 8], ["<|en|>", 9]]);
  assert.throws(() => whisperTokenizer(["a"]), /it has no token "<\|endoftext\|>", expected that of Whisper/);
  const { "tokenizer.json": _, ...without } = transcriptionModel({ ...options, ctranslate2: "f32" });
  await withAdded(without, async ({ folder, files, profile }) => {
    assert.equal(profile?.kind === "transcription" && profile.languages.length, 12);
    const { transcript } = await transcriptOf(folder, files.map(({ path }) => path));
    assert.ok(transcript.segments.length > 0);
  });
});

test("what cannot be converted is refused by name, and nothing stays in the store", async () => {
  const files = transcriptionModel({ ...options, ctranslate2: "f32" });
  const weights = files["model.bin"] as Uint8Array;
  const { "tokenizer.json": _, "vocabulary.json": __, ...bare } = files;
  const other = (...variables: StoredVariable[]) => ({ ...files, "model.bin": ctranslate2Bytes(variables) });
  const kernel = storedFloats("encoder/conv1/weight", [32, 80, 3], new Float32Array(32 * 80 * 3), "f32");
  const table = (name: string) => storedFloats(name, [2, 32], new Float32Array(64), "f32");
  const sizes = [
    ...kernel,
    ...["decoder/embeddings/weight", "encoder/position_encodings/encodings", "decoder/position_encodings/encodings"]
      .flatMap(table),
    ...table("encoder/layer_0/ffn/linear_0/weight"),
  ];
  const cases: readonly (readonly [what: string, files: ModelFiles, message: RegExp])[] = [
    ["cut", { ...files, "model.bin": weights.subarray(0, weights.length >> 1) }, /model\.bin: it ends after \d+ bytes/],
    ["empty", { ...files, "model.bin": new Uint8Array() }, /model\.bin: it ends after 0 bytes/],
    [
      "version",
      { ...files, "model.bin": Uint8Array.from(weights, (byte, i) => i === 0 ? 7 : byte) },
      /it has version 7/,
    ],
    [
      "another network",
      { ...files, "model.bin": ctranslate2Bytes([storedInteger("x", 1)], { architecture: "TransformerSpec" }) },
      /architecture "TransformerSpec" in revision 3, expected "WhisperSpec"/,
    ],
    ["nothing of Whisper", other(storedInteger("x", 1)), /it lacks the variable "encoder\/conv1\/weight"/],
    ["a part of it", other(...kernel), /it lacks the variable "decoder\/embeddings\/weight"/],
    [
      "heads",
      other(...sizes, storedInteger("encoder/num_heads", 5)),
      /num_heads is 5, expected a divisor of its width 32/,
    ],
    ["vocabulary", { ...files, "vocabulary.json": jsonFile(["a"]) }, /its vocabulary has 1 tokens, expected \d+/],
    ["no tokens", bare, /it has no tokenizer\.json and no vocabulary\.json, add one of them/],
  ];
  for (const [what, changed, message] of cases) {
    await withFolder(async (folder) => {
      const path = join(folder, "w");
      writeModel(path, changed);
      const store = openModelStore(join(folder, "models"));
      await assert.rejects(addModel(store, { path }, () => {}, signal), message, what);
      assert.deepEqual([await store.list(), readdirSync(store.layout.staging)], [[], []]);
    });
  }
});

test("shapes, missing scales and settings of other networks are refused before anything is computed", async () => {
  const shape = {
    ...{ width: 16, heads: 2, ffn: 32, encoderLayers: 1, decoderLayers: 1, mels: 8 },
    ...{ soundPositions: 10, textPositions: 12, vocabulary: 20 },
  };
  const made = whisperVariables(shape, (_, size) => new Float32Array(size).fill(0.5), "i8");
  const without = (name: string) => made.filter((one) => one.name !== name);
  const instead = (name: string, ...others: StoredVariable[]) => [...without(name), ...others];
  const flat = (name: string, sizes: readonly number[], type: "f32" | "i8" = "f32") =>
    storedFloats(name, sizes, new Float32Array(sizes.reduce((a, b) => a * b, 1)).fill(1), type);
  const name = "decoder/layer_0/attention/linear_1";
  const cases: readonly (readonly [variables: StoredVariable[], message: RegExp])[] = [
    [without(`${name}/bias`), /it lacks the variable "decoder\/layer_0\/attention\/linear_1\/bias" of \[32\]/],
    [instead(`${name}/bias`, ...flat(`${name}/bias`, [16])), /linear_1\/bias" has the shape \[16\], expected \[32\]/],
    [without(`${name}/weight_scale`), /it lacks the variable ".*linear_1\/weight_scale", by which i8 is read/],
    [
      instead(`${name}/weight_scale`, ...flat(`${name}/weight_scale`, [4])),
      /weight_scale" is \[4\] in f32, expected \[32\]/,
    ],
    [
      instead(`${name}/weight_scale`, ...storedFloats(`${name}/weight_scale`, [32], new Float32Array(32), "f32")),
      /weight_scale" has 0, expected positive numbers/,
    ],
    [
      [...made, ...flat("decoder/layer_0/other/weight", [2])],
      /has the variable "decoder\/layer_0\/other\/weight", expected only/,
    ],
    [[...made, ...flat("encoder/layer_2/ffn/linear_0/weight", [32, 16])], /lacks the variable "encoder\/layer_1\//],
    [[...made, storedInteger("decoder/pre_norm", 0)], /its decoder\/pre_norm is 0, expected 1/],
    [[...made, storedInteger("decoder/activation", 0)], /its decoder\/activation is 0, expected 3/],
  ];
  const files = {
    "config.json": jsonFile({}),
    "vocabulary.json": jsonFile(["<|endoftext|>", ..."abcdefghijklmnopqrs"]),
  };
  for (const [variables, message] of cases) {
    const bytes = ctranslate2Bytes(variables, { aliases: TIED });
    await assert.rejects(withAdded({ ...files, "model.bin": bytes }, () => {}), (error) => {
      assert.ok(error instanceof SvcError && error.code === "unsuitable_files");
      assert.match(error.message, message);
      return true;
    });
  }
});

test("a folder around it, a wheel and a ZIP archive are accepted; links are not", async () => {
  const files = transcriptionModel({ ...options, ctranslate2: "f16" });
  await withFolder(async (folder) => {
    const store = openModelStore(join(folder, "models"));
    writeModel(join(folder, "outer", "inner"), files);
    writeFileSync(join(folder, "outer", "README.md"), "a model");
    const inner = await addModel(store, { path: join(folder, "outer") }, () => {}, signal);
    assert.equal(inner.id, "outer");
    const packed = Object.entries(files).map(([name, bytes]) => ({ name: `m/${name}`, bytes: bytes as Uint8Array }));
    writeFileSync(join(folder, "speech.zip"), zipBytes(packed));
    const zipped = await addModel(store, { path: join(folder, "speech.zip") }, () => {}, signal);
    assert.deepEqual(zipped.files.map(({ sha256 }) => sha256), inner.files.map(({ sha256 }) => sha256));
    await assert.rejects(
      addModel(store, { path: join(folder, "outer"), id: "x", link: true }, () => {}, signal),
      /Cannot link .*outer: its weights are for CTranslate2 and will be converted/,
    );
    mkdirSync(join(folder, "torch"));
    writeFileSync(join(folder, "torch", "model.bin"), "PK\x03\x04 a checkpoint of PyTorch");
    await assert.rejects(addModel(store, { path: join(folder, "torch") }, () => {}, signal), /PyTorch checkpoint/);
    assert.ok(!existsSync(join(folder, "outer", "inner", "onnx")));
  });
});
