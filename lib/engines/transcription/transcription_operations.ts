/**
 * The operation of transcription models.
 *
 * @module
 */
import type { Transcript, TranscriptSegment } from "../../protocol/transcription/transcript.ts";
import { type Operation, operation } from "../contract/operation.ts";
import type { TranscriptionRequest } from "../contract/transcription_model.ts";

/** The recording to write down, and how. */
export interface TranscriptionOrder extends Omit<TranscriptionRequest, "samples"> {
  /** Absolute path of a sound file of any format. */
  readonly path: string;
}

/** Segments as they become certain; the result has all of them again. */
export const transcribe: Operation<TranscriptionOrder, TranscriptSegment, Transcript> = operation("transcribe");
