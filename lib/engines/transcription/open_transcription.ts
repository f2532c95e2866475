/**
 * What a transcription model does in its process.
 *
 * @module
 */
import { orAbort } from "../../scheduling/linked_signal.ts";
import type { Transcript, TranscriptSegment } from "../../protocol/transcription/transcript.ts";
import { decodeAudio } from "../../media/audio/decode_audio.ts";
import { openFileReader } from "../../platform/files/read_part.ts";
import type { ErrorCode } from "../../errors/error_table.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { OpenedEngine } from "../contract/engine_entry.ts";
import { handle, type OperationCall } from "../contract/operation.ts";
import { SPEECH_RATE, type TranscriptionModel } from "../contract/transcription_model.ts";
import { transcribe, type TranscriptionOrder } from "./transcription_operations.ts";

/** A transcription model with its operation; calls wait for each other, since they share the model's state. */
export function openTranscription(model: TranscriptionModel): OpenedEngine {
  let before: Promise<unknown> = Promise.resolve();
  const operations = handle(transcribe, async (order, call) => {
    const turn = before.then(() => transcribeFile(model, order, call));
    before = turn.catch(() => {});
    return await orAbort(turn, call.signal);
  });
  return { kind: "operations", model, operations };
}

/** Decodes the file while it is transcribed: an hour of sound is never in memory as a whole. */
async function transcribeFile(
  model: TranscriptionModel,
  { path, ...order }: TranscriptionOrder,
  call: OperationCall<TranscriptSegment>,
): Promise<Transcript> {
  const { signal } = call;
  signal.throwIfAborted();
  const file = await openFileReader(path);
  try {
    const { duration, samples } = await decodeAudio(file, { sampleRate: SPEECH_RATE });
    let sent: Promise<void> = Promise.resolve();
    const transcript = await model.transcribe({ ...order, samples }, signal, {
      onSegment: (segment) => {
        sent = sent.then(() => call.send(segment));
        sent.catch(() => {}); // found again below
      },
      onProgress: (seconds) =>
        call.progress(
          duration === undefined ? 0 : seconds / duration,
          duration === undefined ? `${Math.floor(seconds)} s` : `${Math.floor(seconds)} of ${Math.ceil(duration)} s`,
        ),
    });
    await sent;
    return transcript;
  } catch (error) {
    if (!(error instanceof SvcError) || !error.code.startsWith("audio_")) throw error;
    throw new SvcError(error.code as ErrorCode, error.message, { param: "file", cause: error.cause });
  } finally {
    await file.close();
  }
}
