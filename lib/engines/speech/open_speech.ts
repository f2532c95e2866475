/**
 * What a speech model does in its process.
 *
 * @module
 */
import type { AudioEncoder } from "../../media/audio/encoding/audio_encoder.ts";
import { openAudioEncoder } from "../../media/audio/encoding/open_audio_encoder.ts";
import { joinBytes } from "../../media/images/bytes.ts";
import { runProcess } from "../../platform/processes/run_process.ts";
import type { OpenedEngine } from "../contract/engine_entry.ts";
import { handle, type OperationCall } from "../contract/operation.ts";
import type { SpeechModel, SpeechOutcome, SpeechPlan, SpokenSentence } from "../contract/speech_model.ts";
import { encoderMissing, speak, type SpeechEvent, type SpeechOrder } from "./speech_operations.ts";

/** A speech model with its operation. */
export function openSpeech(model: SpeechModel): OpenedEngine {
  return { kind: "operations", model, operations: handle(speak, (order, call) => speakEncoded(model, order, call)) };
}

/** Encodes here what the model speaks, so that little is sent and the server only passes it on. */
async function speakEncoded(
  model: SpeechModel,
  { format, ...request }: SpeechOrder,
  call: OperationCall<SpeechEvent>,
): Promise<SpeechOutcome> {
  const parts: Uint8Array[] = [];
  let encoder: AudioEncoder | undefined;
  let plan: SpeechPlan | undefined;
  let fraction = 0;
  const sendParts = async () => {
    if (parts.length > 0) await call.send({ kind: "audio", bytes: joinBytes(parts.splice(0)), fraction });
  };
  const open = async ({ samples, last }: SpokenSentence): Promise<AudioEncoder> => {
    const length = last ? samples.length : undefined;
    const { sampleRate } = model.profile;
    const opened = await openAudioEncoder(
      format,
      { sampleRate, length, onBytes: (bytes) => void parts.push(bytes) },
      runProcess,
    );
    if (opened.ok) return opened.encoder;
    throw encoderMissing(opened);
  };
  try {
    const outcome = await model.speak(request, {
      onPlan: async (made) => await call.send({ kind: "plan", plan: plan = made }),
      onSentence: async (spoken) => {
        encoder ??= await open(spoken);
        await encoder.push(spoken.samples);
        const { sentences = 1 } = plan ?? {};
        fraction = (spoken.sentence + 1) / sentences;
        call.progress(fraction, `sentence ${spoken.sentence + 1} of ${sentences}`);
        await sendParts();
      },
    }, call.signal);
    await encoder?.finish();
    await sendParts();
    encoder = undefined;
    return outcome;
  } finally {
    await encoder?.cancel();
  }
}
