/** Recordings for tests of recognisers, and a listener. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Transcript, TranscriptSegment } from "../../../lib/protocol/transcription/transcript.ts";
import { openModelFolder } from "../../../lib/store/model_folder.ts";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import type { TranscriptionModel, TranscriptionRequest } from "../../../lib/engines/contract/transcription_model.ts";
import type { ModelFiles as WrittenFiles } from "../../fixtures/tiny_models/model_files.ts";
import { writeModel } from "../../fixtures/tiny_models/write_model.ts";

/** Noise that swells like speech, in parts of `part` samples. */
export async function* babble(samples: number, part = 4096): AsyncGenerator<Float32Array> {
  let state = 1;
  const noise = () => (state = (state * 16_807) % 2_147_483_647) / 1_073_741_823.5 - 1;
  for (let at = 0; at < samples; at += part) {
    const count = Math.min(part, samples - at);
    yield Float32Array.from({ length: count }, (_, i) => 0.4 * noise() * Math.sin((at + i) / 2500) ** 2);
  }
}

/** Samples that are all equal. */
export async function* constant(samples: number, value: number): AsyncGenerator<Float32Array> {
  yield new Float32Array(samples).fill(value);
}

/** What came of a recording. */
export interface Heard {
  readonly transcript: Transcript;
  readonly segments: readonly TranscriptSegment[];
  readonly progress: readonly number[];
}

/** Transcribes to the end. */
export async function hear(
  model: TranscriptionModel,
  samples: AsyncIterable<Float32Array>,
  request: Partial<TranscriptionRequest> = {},
): Promise<Heard> {
  const segments: TranscriptSegment[] = [];
  const progress: number[] = [];
  const transcript = await model.transcribe(
    { samples, task: "transcribe", words: false, maxTokens: 448, ...request },
    new AbortController().signal,
    { onSegment: (segment) => void segments.push(segment), onProgress: (seconds) => void progress.push(seconds) },
  );
  return { transcript, segments, progress };
}

/** Writes the files of a model for the time of a test. */
export async function withModelFiles<T>(written: WrittenFiles, use: (files: ModelFiles) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "svc-"));
  try {
    writeModel(folder, written);
    return await use(openModelFolder(folder, Object.keys(written)));
  } finally {
    await rm(folder, { recursive: true });
  }
}
