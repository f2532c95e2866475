/**
 * Speech: from the body of a request to sound.
 *
 * @module
 */
import { checkSpeechFormat, speak, speechType } from "../../../engines/speech/speech_operations.ts";
import type { SpeechOutcome, SpeechPlan } from "../../../engines/contract/speech_model.ts";
import type { ApiRuntime } from "../api_runtime.ts";
import type { ModelDirectory } from "../model_directory.ts";
import { readSpeechRequest } from "./speech_request.ts";
import { testWarnings } from "../../../store/catalog/test_model.ts";

/** What speech depends on. */
export interface SpeechOptions {
  readonly directory: ModelDirectory;
  readonly runtime: Pick<ApiRuntime, "perform">;
}

/** Called while a text is spoken. */
export interface SpeechEvents {
  /** Called once, before the first bytes. */
  readonly onPlan: (plan: SpeechPlan) => void;
  /** Called with the next bytes of the sound and the fraction of the text that is spoken by then; the following ones come when it has resolved. */
  readonly onAudio: (bytes: Uint8Array, fraction: number) => void | Promise<void>;
}

/** A speech request that has passed all validation that needs no model. */
export interface PreparedSpeech {
  /** The media type of the sound. */
  readonly type: string;
  /** Whether the client asked for the sound in events. */
  readonly events: boolean;
  readonly warnings: readonly string[];
  /**
   * Waits for a slot and for the model, and speaks.
   *
   * @throws {SvcError} for every reason of the pool, and for a text with nothing that can be said.
   * @throws the reason of `signal` when it aborts, and what `onAudio` throws.
   */
  run(events: SpeechEvents, signal: AbortSignal): Promise<SpeechOutcome>;
}

/**
 * Checks a speech request.
 *
 * @throws {SvcError} for an invalid field, a missing model, or a format without an encoder.
 */
export async function prepareSpeech(body: unknown, { directory, runtime }: SpeechOptions): Promise<PreparedSpeech> {
  const { model: name, order, events, warnings } = readSpeechRequest(body);
  const { model } = await directory.findFor(name, "speech", "speak the input");
  await checkSpeechFormat(order.format);
  return {
    type: speechType(order.format),
    events,
    warnings: [...warnings, ...testWarnings(model)],
    run: ({ onPlan, onAudio }, signal) =>
      runtime.perform({
        model,
        operation: speak,
        input: order,
        onEvent: (event) => event.kind === "plan" ? onPlan(event.plan) : onAudio(event.bytes, event.fraction),
      }, signal),
  };
}
