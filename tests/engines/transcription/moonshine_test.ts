import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TranscriptSegment } from "../../../lib/protocol/transcription/transcript.ts";
import { openModelFolder } from "../../../lib/store/model_folder.ts";
import { openOnnxMoonshineModel } from "../../../lib/engines/transcription/moonshine/open_onnx_moonshine_model.ts";
import { audioBytes } from "../../../lib/media/audio/audio_source.ts";
import { decodeAudio } from "../../../lib/media/audio/decode_audio.ts";
import { moonshineFiles } from "../../support/moonshine_files.ts";
import { wordErrorRate } from "../../support/word_error_rate.ts";

const files = await moonshineFiles();
const skip = files.ok ? false : `not run: ${files.reason}`;
const names = ["encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin"];

/** Charles Dickens, A Tale of Two Cities, as it is read out in the recording. */
const twoCities = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of " +
  "foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the " +
  "season of Darkness, it was the spring of hope, it was the winter of despair, we had everything before us, we had " +
  "nothing before us, we were all going direct to Heaven, we were all going direct the other way – in short, the period " +
  "was so far like the present period, that some of its noisiest authorities insisted on its being received, for good " +
  "or for evil, in the superlative degree of comparison only.";

async function open(): Promise<Awaited<ReturnType<typeof openOnnxMoonshineModel>>> {
  if (!files.ok) throw new Error(files.reason);
  return await openOnnxMoonshineModel(openModelFolder(files.folder, names), { device: "cpu", threads: 2 });
}

async function samplesOf(name: string): Promise<AsyncIterable<Float32Array>> {
  if (!files.ok) throw new Error(files.reason);
  const source = audioBytes(new Uint8Array(await readFile(join(files.folder, name))));
  return (await decodeAudio(source, { sampleRate: 16_000 })).samples;
}

test("Moonshine writes down a known recording at 48 kHz, segment by segment", { skip }, async () => {
  const model = await open();
  try {
    const heard: TranscriptSegment[] = [];
    const progress: number[] = [];
    const transcript = await model.transcribe(
      { samples: await samplesOf("two_cities.wav"), task: "transcribe", words: false, maxTokens: 448 },
      new AbortController().signal,
      { onSegment: (segment) => void heard.push(segment), onProgress: (at) => void progress.push(at) },
    );
    assert.deepEqual(heard, transcript.segments);
    assert.ok(Math.abs(transcript.duration - 44.374) < 0.001);
    assert.equal(progress.at(-1), transcript.duration);
    assert.deepEqual(progress, progress.toSorted((a, b) => a - b));
    const text = transcript.segments.map((segment) => segment.text).join("");
    const rate = wordErrorRate(twoCities, text);
    assert.ok(rate <= 0.1, `${(100 * rate).toFixed(1)} % of the words are wrong: ${text}`);
    for (const { start, end, tokens, avgLogprob, compressionRatio } of transcript.segments) {
      assert.ok(end > start && tokens.length > 0 && avgLogprob < 0 && compressionRatio > 0);
    }
  } finally {
    await model.close();
  }
});

test("Moonshine stops soon when it is cancelled, and says nothing of silence", { skip }, async () => {
  const model = await open();
  try {
    const abort = new AbortController();
    const cancelled = model.transcribe(
      { samples: await samplesOf("two_cities.wav"), task: "transcribe", words: false, maxTokens: 448 },
      abort.signal,
      { onSegment: () => abort.abort(new Error("enough")), onProgress: () => {} },
    );
    await assert.rejects(cancelled, /enough/);
    const silence = (async function* () {
      yield new Float32Array(5 * 16_000);
    })();
    const transcript = await model.transcribe(
      { samples: silence, task: "transcribe", words: false, maxTokens: 448 },
      new AbortController().signal,
      { onSegment: () => assert.fail("heard something"), onProgress: () => {} },
    );
    assert.deepEqual([transcript.segments, transcript.duration], [[], 5]);
  } finally {
    await model.close();
  }
});

/** Noise whose power falls with its frequency (Paul Kellet's filter). */
function pinkNoise(seconds: number, gain: number, seed: number): Float32Array {
  const poles = [[0.99886, 0.0555179], [0.99332, 0.0750759], [0.969, 0.153852], [0.8665, 0.3104856], [0.55, 0.5329522]];
  const states = poles.map(() => 0);
  let state = seed;
  return Float32Array.from({ length: seconds * 16_000 }, () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    const white = state / 2 ** 31 - 1;
    poles.forEach(([kept, taken], i) => states[i] = kept * states[i] + taken * white);
    return (states.reduce((sum, one) => sum + one) + white * 0.5362) * gain;
  });
}

test("Moonshine says nothing again and again, whatever noise it gets", { skip }, async () => {
  const model = await open();
  try {
    for (const [gain, seed] of [[0.2, 4], [0.4, 7], [0.1, 2], [0.3, 11]]) {
      const samples = (async function* () {
        yield pinkNoise(12, gain, seed);
      })();
      const { segments, language } = await model.transcribe(
        { samples, task: "transcribe", words: false, maxTokens: 448 },
        new AbortController().signal,
        { onSegment: () => {}, onProgress: () => {} },
      );
      assert.equal(language, "en");
      for (const { text, compressionRatio } of segments) assert.ok(compressionRatio <= 2.4, text);
    }
  } finally {
    await model.close();
  }
});
