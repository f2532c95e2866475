import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxParakeetModel } from "../../../lib/engines/transcription/parakeet/open_onnx_parakeet_model.ts";
import {
  readParakeetProfile,
  readParakeetVocabulary,
  tokenText,
  tokenWords,
} from "../../../lib/engines/transcription/parakeet/parakeet_files.ts";
import type { TranscriptionModel } from "../../../lib/engines/contract/transcription_model.ts";
import { jsonFile, textFile } from "../../fixtures/tiny_models/model_files.ts";
import { tdtModel } from "../../fixtures/tiny_models/tdt_model.ts";
import { babble, constant, hear, withModelFiles } from "./recordings.ts";

const settings = { device: "cpu", threads: 1 };
const RATE = 16_000;

async function withModel<T>(use: (model: TranscriptionModel) => Promise<T>): Promise<T> {
  return await withModelFiles(tdtModel(), async (files) => {
    const model = await openOnnxParakeetModel(files, settings);
    try {
      return await use(model);
    } finally {
      await model.close();
    }
  });
}

test("recordings of odd lengths are written down with the times of words", async () => {
  await withModel(async (model) => {
    assert.deepEqual([model.profile.engine, model.profile.words, model.profile.translates], [
      "onnx-parakeet",
      true,
      false,
    ]);
    for (const samples of [0, 1, 320]) {
      const { transcript } = await hear(model, babble(samples), { words: true });
      assert.deepEqual([transcript.segments, transcript.words, transcript.duration], [[], [], samples / RATE]);
    }
    for (const samples of [30 * RATE, 31 * RATE, 95 * RATE + 7]) {
      const { transcript, segments, progress } = await hear(model, babble(samples, 5003), { words: true });
      assert.equal(transcript.duration, samples / RATE);
      assert.deepEqual(transcript.segments, segments);
      assert.ok(segments.length > 0 && segments.length >= Math.floor(samples / RATE / 31));
      assert.deepEqual(progress, progress.toSorted((a, b) => a - b));
      const words = transcript.words ?? [];
      assert.equal(words.map(({ word }) => word).join(" "), segments.map(({ text }) => text).join("").trim());
      for (const [i, { start, end }] of words.entries()) {
        assert.ok(start >= (words[i - 1]?.start ?? 0) && end >= start && end <= samples / RATE + 1e-6);
      }
    }
  });
});

test("the folder is recognised, and opens as its profile says", async () => {
  await withModelFiles(tdtModel(), async (files) => {
    const profile = await readParakeetProfile(files);
    assert.equal(profile?.engine, "onnx-parakeet");
    const model = await openOnnxParakeetModel(files, settings);
    assert.deepEqual(model.profile, profile);
    await model.close();
  });
  await withModelFiles({ "config.json": jsonFile({ model_type: "bert" }) }, async (files) => {
    assert.equal(await readParakeetProfile(files), undefined);
  });
});

test("silence says nothing, and the language is the requested one", async () => {
  await withModel(async (model) => {
    assert.deepEqual((await hear(model, constant(40 * RATE, 0))).transcript.segments, []);
    assert.equal((await hear(model, babble(RATE), { language: "de" })).transcript.language, "de");
    const short = await hear(model, babble(20 * RATE), { maxTokens: 2 });
    assert.ok(short.segments.every(({ tokens }) => tokens.length <= 2));
  });
});

test("a transcription that is cancelled ends with the reason", async () => {
  await withModel(async (model) => {
    const abort = new AbortController();
    const cancelled = model.transcribe(
      { samples: babble(600 * RATE), task: "transcribe", words: false, maxTokens: 448 },
      abort.signal,
      { onSegment: () => abort.abort(new Error("the client has disconnected")), onProgress: () => {} },
    );
    await assert.rejects(cancelled, /the client has disconnected/);
  });
});

test("tokens become text and words, marks and full stops included", () => {
  const vocabulary = readParakeetVocabulary("<unk> 0\n▁good 1\n▁mor 2\nning 3\n. 4\n<|en|> 5\n▁ 6\na b 7\n<blk> 8\n");
  assert.equal(vocabulary.blank, 8);
  assert.equal(vocabulary.tokens[7], "a b");
  const ids = [5, 1, 2, 3, 4];
  assert.equal(tokenText(vocabulary, ids), "good morning.");
  const timed = ids.map((id, i) => ({ id, start: i / 10, end: i / 10 + 0.08 }));
  assert.deepEqual(tokenWords(vocabulary, timed).map(({ word, start }) => [word, start]), [["good", 0.1], [
    "morning.",
    0.2,
  ]]);
  assert.ok(Math.abs(tokenWords(vocabulary, timed)[1].end - 0.38) < 1e-9);
  for (const broken of ["good\n", "a -1\n<blk> 0", "a 1e9\n", "a 0\n"]) {
    assert.throws(() => readParakeetVocabulary(broken), /Cannot use vocab\.txt/);
  }
});

test("files of other models are not taken for Parakeet, broken ones are refused by name", async () => {
  const files = tdtModel();
  await withModelFiles({ ...files, "config.json": jsonFile({ model_type: "nemo-conformer-ctc" }) }, async (found) => {
    assert.equal(await readParakeetProfile(found), undefined);
  });
  await withModelFiles({ ...files, "vocab.txt": textFile("a 0\n") }, async (found) => {
    await assert.rejects(openOnnxParakeetModel(found, settings), /it has no token "<blk>"/);
  });
  await withModelFiles({ ...files, "encoder-model.onnx": files["decoder_joint-model.onnx"] }, async (found) => {
    await assert.rejects(openOnnxParakeetModel(found, settings), /no input "audio_signal", expected an export of NeMo/);
  });
});
