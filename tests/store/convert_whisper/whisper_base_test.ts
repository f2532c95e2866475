/**
 * Whisper base as `npm run models -- --all` installs it. Where it is not installed, or there are no recordings, the tests
 * are skipped and say so.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openOnnxWhisperModel } from "../../../lib/engines/transcription/whisper/open_onnx_whisper_model.ts";
import { decodeAudio } from "../../../lib/media/audio/decode_audio.ts";
import { openFileReader } from "../../../lib/platform/files/read_part.ts";
import { openModelFolder } from "../../../lib/store/model_folder.ts";
import { openModelStore } from "../../../lib/store/model_store.ts";
import { hear } from "../../engines/transcription/recordings.ts";
import { moonshineFiles } from "../../support/moonshine_files.ts";

const ID = "speech-asr-whisper-base";
const installed = (await openModelStore().list()).find(({ id }) => id === ID);
const recordings = await moonshineFiles(false);
const skip = installed === undefined
  ? `${ID} is not installed: npm run models -- --all`
  : recordings.ok
  ? false
  : `there is no recording: ${recordings.reason}`;

test("Whisper base writes down a recording, finds its language, and gives every word its time", { skip }, async () => {
  const files = openModelFolder(installed!.folder, installed!.files.map(({ path }) => path));
  const model = await openOnnxWhisperModel(files, { device: "cpu" });
  const file = await openFileReader(join((recordings as { folder: string }).folder, "beckett.wav"));
  try {
    assert.deepEqual([model.profile.languages.length, model.profile.translates, model.profile.words], [99, true, true]);
    const { samples } = await decodeAudio(file, { sampleRate: 16_000 });
    const { transcript } = await hear(model, samples, { words: true });
    const text = transcript.segments.map((segment) => segment.text).join("");
    assert.equal(transcript.language, "en");
    assert.match(text, /Ever tried.? Ever failed.? No matter.? Try again.? Fail again.? Fail better/i);
    const words = transcript.words ?? [];
    assert.ok(words.length > 8 && words.every(({ start, end }) => start <= end && end <= transcript.duration + 0.1));
    assert.ok(words.every(({ start }, i) => i === 0 || start >= words[i - 1].start));
  } finally {
    await file.close();
    await model.close();
  }
});
