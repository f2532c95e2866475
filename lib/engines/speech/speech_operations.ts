/**
 * The operation of speech models.
 *
 * @module
 */
import type { AudioFormat } from "../../media/audio/encoding/audio_encoder.ts";
import { type Operation, operation } from "../contract/operation.ts";
import type { SpeechOutcome, SpeechPlan, SpeechRequest } from "../contract/speech_model.ts";

/** What to speak, and the format of the sound. */
export interface SpeechOrder extends SpeechRequest {
  readonly format: AudioFormat;
}

/** First the plan, then the bytes of the sound as they come. */
export type SpeechEvent =
  | { readonly kind: "plan"; readonly plan: SpeechPlan }
  | {
    readonly kind: "audio";
    readonly bytes: Uint8Array;
    /** Of the text that is spoken by then, from 0 to 1. */
    readonly fraction: number;
  };

/** Speaks a text; fails as `SpeechModel.speak`, and with `audio_encoder_missing` for a format without an encoder. */
export const speak: Operation<SpeechOrder, SpeechEvent, SpeechOutcome> = operation("speak");
