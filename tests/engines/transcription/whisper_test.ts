import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxWhisperModel } from "../../../lib/engines/transcription/whisper/open_onnx_whisper_model.ts";
import { readWhisperProfile } from "../../../lib/engines/transcription/whisper/whisper_files.ts";
import type { TranscriptionModel } from "../../../lib/engines/contract/transcription_model.ts";
import { jsonFile } from "../../fixtures/tiny_models/model_files.ts";
import { transcriptionModel, type TranscriptionModelOptions } from "../../fixtures/tiny_models/transcription_model.ts";
import { babble, constant, hear, type Heard, withModelFiles } from "./recordings.ts";

const settings = { device: "cpu", threads: 1 };
const RATE = 16_000;

async function withModel<T>(
  options: TranscriptionModelOptions,
  use: (model: TranscriptionModel) => Promise<T>,
): Promise<T> {
  return await withModelFiles(transcriptionModel(options), async (files) => {
    const model = await openOnnxWhisperModel(files, settings);
    try {
      return await use(model);
    } finally {
      await model.close();
    }
  });
}

const textOf = (segments: readonly { text: string }[]) => segments.map(({ text }) => text).join("");

test("recordings of odd lengths are written down to their end", async () => {
  await withModel({}, async (model) => {
    for (const samples of [0, 1, 159]) {
      const { transcript } = await hear(model, babble(samples));
      assert.deepEqual([transcript.segments, transcript.duration], [[], samples / RATE]);
    }
    for (const samples of [160, 12_345, 30 * RATE, 30 * RATE + 1, 31 * RATE, 65 * RATE]) {
      const { transcript, segments, progress } = await hear(model, babble(samples, 7919));
      assert.equal(transcript.duration, samples / RATE);
      assert.deepEqual(transcript.segments, segments);
      assert.ok(segments.length > 0, `nothing was transcribed from ${samples} samples`);
      assert.equal(progress.at(-1), samples / RATE);
      assert.deepEqual(progress, progress.toSorted((a, b) => a - b));
      for (const segment of segments) {
        assert.ok(segment.start >= 0 && segment.end >= segment.start && segment.end <= samples / RATE + 1e-6);
        assert.ok(segment.text.trim() !== "" && segment.tokens.length > 0 && segment.avgLogprob < 0);
        assert.ok(segment.noSpeechProb >= 0 && segment.noSpeechProb <= 1 && segment.compressionRatio > 0);
      }
    }
  });
});

test("silence says nothing, noise and clipping do no harm", async () => {
  await withModel({}, async (model) => {
    assert.deepEqual((await hear(model, constant(40 * RATE, 0))).transcript.segments, []);
    for (const value of [1, -1, 1e-3]) await hear(model, constant(RATE, value));
  });
});

test("the language is reported for silence too: the requested one, or the one that the model finds", async () => {
  await withModel({}, async (model) => {
    for (const samples of [0, 100, RATE, 40 * RATE]) {
      const { transcript } = await hear(model, constant(samples, 0));
      assert.ok(model.profile.languages.includes(transcript.language ?? ""), `${samples}: ${transcript.language}`);
      assert.equal((await hear(model, constant(samples, 0), { language: "de" })).transcript.language, "de");
    }
  });
  await withModel({ multilingual: false }, async (model) => {
    assert.equal((await hear(model, constant(RATE, 0))).transcript.language, "en");
  });
});

test("no word lasts through a pause", async () => {
  await withModel({}, async (model) => {
    const sound = (async function* () {
      yield* babble(5 * RATE);
      yield new Float32Array(5 * RATE);
      yield* babble(5 * RATE);
    })();
    const { transcript } = await hear(model, sound, { words: true });
    assert.ok((transcript.words ?? []).length > 0);
    for (const { word, start, end } of transcript.words ?? []) {
      assert.ok(end >= start && Math.min(end, 10) - Math.max(start, 5) <= 0.11, `${word}: ${start} to ${end}`);
    }
  });
});

test("the same sound gives the same text, whatever its parts, also at a temperature", async () => {
  await withModel({}, async (model) => {
    const whole = await hear(model, babble(33 * RATE));
    assert.deepEqual((await hear(model, babble(33 * RATE, 1000))).transcript, whole.transcript);
    const drawn = await hear(model, babble(5 * RATE), { temperature: 0.8 });
    assert.ok(drawn.segments.every(({ temperature }) => temperature === 0.8));
    assert.deepEqual((await hear(model, babble(5 * RATE), { temperature: 0.8 })).transcript, drawn.transcript);
    const [least, lowest] = [
      await hear(model, babble(RATE), { temperature: 1e-300 }),
      await hear(model, babble(RATE), { temperature: 1e-9 }),
    ];
    assert.deepEqual(least.segments.map(({ tokens }) => tokens), lowest.segments.map(({ tokens }) => tokens));
  });
});

test("language, task, prompt and the number of tokens change what is decoded", async () => {
  await withModel({}, async (model) => {
    const found = await hear(model, babble(5 * RATE));
    assert.ok(model.profile.languages.includes(found.transcript.language ?? ""));
    const other = model.profile.languages.find((code) => code !== found.transcript.language) ?? "en";
    const told = await hear(model, babble(5 * RATE), { language: other, task: "translate" });
    assert.deepEqual([told.transcript.language, told.transcript.task], [other, "translate"]);
    const likelihood = ({ segments }: Heard) => segments.map(({ avgLogprob }) => avgLogprob);
    assert.notDeepEqual(likelihood(told), likelihood(found));
    const prompted = await hear(model, babble(5 * RATE), { prompt: "umbrellas " });
    assert.notDeepEqual(likelihood(prompted), likelihood(found));
    const short = await hear(model, babble(5 * RATE), { maxTokens: 3 });
    assert.ok(short.segments.every(({ tokens }) => tokens.length <= 3));
    await assert.rejects(hear(model, babble(RATE), { language: "tlh" }), /does not support the language "tlh"/);
  });
});

test("words follow each other within the recording, and are those of the text", async () => {
  await withModel({}, async (model) => {
    const { transcript } = await hear(model, babble(40 * RATE), { words: true });
    const words = transcript.words ?? [];
    assert.equal(words.map(({ word }) => word).join(" "), textOf(transcript.segments).trim());
    for (const [i, { start, end }] of words.entries()) {
      assert.ok(end >= start && start >= (words[i - 1]?.start ?? 0) - 1e-9 && end <= 40 + 1e-9);
    }
  });
});

test("a decoder of two graphs decodes as a merged one", async () => {
  const heard = (decoder: "merged" | "separate") =>
    withModel({ decoder }, async (model) => (await hear(model, babble(31 * RATE), { words: true })).transcript);
  assert.deepEqual(await heard("separate"), await heard("merged"));
});

test("a model for English alone takes neither language nor task, one without attentions reports no words", async () => {
  await withModel({ multilingual: false, attentions: false }, async (model) => {
    assert.deepEqual(model.profile, {
      kind: "transcription",
      engine: "onnx-whisper",
      languages: ["en"],
      translates: false,
      words: false,
      prompts: true,
    });
    const { transcript } = await hear(model, babble(3 * RATE));
    assert.equal(transcript.language, "en");
    assert.ok(transcript.segments.length > 0);
  });
});

test("a transcription that is cancelled ends with the reason, and closes the stream", async () => {
  await withModel({}, async (model) => {
    let closed = false;
    const samples = async function* () {
      try {
        yield* babble(600 * RATE);
      } finally {
        closed = true;
      }
    };
    const abort = new AbortController();
    const cancelled = model.transcribe(
      { samples: samples(), task: "transcribe", words: false, maxTokens: 448 },
      abort.signal,
      { onSegment: () => abort.abort(new Error("the client has disconnected")), onProgress: () => {} },
    );
    await assert.rejects(cancelled, /the client has disconnected/);
    assert.ok(closed);
  });
});

test("files of other models are not taken for Whisper, broken ones are refused by name", async () => {
  const files = transcriptionModel();
  const without = (name: string) => Object.fromEntries(Object.entries(files).filter(([key]) => key !== name));
  await withModelFiles({ ...files, "config.json": jsonFile({ model_type: "bert" }) }, async (found) => {
    assert.equal(await readWhisperProfile(found), undefined);
  });
  for (
    const [broken, message] of [
      [without("onnx/decoder_model_merged.onnx"), /it has no onnx\/decoder_model_merged\.onnx/],
      [without("onnx/encoder_model.onnx"), /it has no onnx\/encoder_model\.onnx/],
      [without("tokenizer.json"), /it has no tokenizer\.json, add the file to its folder/],
      [{ ...files, "tokenizer.json": jsonFile({}) }, /no token "<\|endoftext\|>"/],
      [{ ...files, "preprocessor_config.json": jsonFile({ hop_length: -1 }) }, /hop_length is -1, expected an integer/],
    ] as const
  ) {
    await withModelFiles(broken, (found) => assert.rejects(openOnnxWhisperModel(found, settings), message));
  }
});
