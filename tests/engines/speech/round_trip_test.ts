import assert from "node:assert/strict";
import { test } from "node:test";
import { openModelFolder } from "../../../lib/store/model_folder.ts";
import { openHibariModel } from "../../../lib/engines/speech/onnx_hibari/open_hibari_model.ts";
import { openOnnxMoonshineModel } from "../../../lib/engines/transcription/moonshine/open_onnx_moonshine_model.ts";
import { Resampler } from "../../../lib/media/audio/resampler.ts";
import { moonshineFiles } from "../../support/moonshine_files.ts";
import { NO_VOICE, speechModelFiles } from "../../support/speech_model_files.ts";
import { wordErrorRate } from "../../support/word_error_rate.ts";

const voice = await speechModelFiles();
const ears = await moonshineFiles();
const skip = voice === undefined ? `not run: ${NO_VOICE}` : ears.ok ? false : `not run: ${ears.reason}`;

/** Thirty sentences of everyday English. */
const sentences = [
  "The gardener left the wooden gate open after lunch.",
  "A small boat drifted past the empty lighthouse.",
  "She keeps her pencils in an old coffee tin.",
  "Nobody expected the library to close so early.",
  "Warm bread and cold butter make a fine breakfast.",
  "His brother repairs clocks, radios and old toasters.",
  "Could you pass me the blue folder, please?",
  "What a strange and wonderful machine this is!",
  "If it rains tomorrow, the picnic will move indoors.",
  "They walked in silence through the narrow valley.",
  "The children were building a castle out of wet sand.",
  "My sister plays the piano every Sunday morning.",
  "We have to leave before the last train goes.",
  "The doctor told him to drink more water and sleep longer.",
  "There was a letter on the kitchen table this morning.",
  "I have never seen so many birds in one tree.",
  "The old man sat by the window and watched the snow.",
  "Please turn off the lights when you leave the room.",
  "He forgot his umbrella on the bus again.",
  "The teacher asked the class to open their books.",
  "A black cat crossed the road in front of the car.",
  "It takes about an hour to walk to the river.",
  "The soup needs a little more salt and pepper.",
  "Her new glasses make everything look much sharper.",
  "We should paint the front door green this summer.",
  "The museum is closed on the first Monday of the month.",
  "He speaks three languages but writes only one of them.",
  "The wind blew the hat off her head and into the lake.",
  "Somebody has been eating my apples in the garden.",
  "Thank you very much for your help with the heavy boxes.",
];

test("Moonshine writes down what Hibari says, at most one word in ten wrong", { skip }, async () => {
  if (voice === undefined || !ears.ok) return;
  const speaker = await openHibariModel(voice, {});
  const names = ["encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin"];
  const listener = await openOnnxMoonshineModel(openModelFolder(ears.folder, names), { device: "cpu", threads: 2 });
  const { signal } = new AbortController();
  let heard = "";
  for (const text of sentences) {
    const sound: Float32Array[] = [];
    await speaker.speak(
      { text, voice: undefined, instructions: undefined, speed: 1 },
      { onPlan: () => {}, onSentence: ({ samples }) => void sound.push(samples) },
      signal,
    );
    const resampler = new Resampler(speaker.profile.sampleRate, 16_000);
    const samples = [...sound.map((part) => resampler.push(part)), resampler.flush()];
    const { segments } = await listener.transcribe(
      { samples: asStream(samples), task: "transcribe", words: false, maxTokens: 448 },
      signal,
      { onSegment: () => {}, onProgress: () => {} },
    );
    heard += ` ${segments.map((segment) => segment.text).join(" ")}`;
  }
  await speaker.close();
  await listener.close();
  const rate = wordErrorRate(sentences.join(" "), heard);
  assert.ok(rate <= 0.1, `${(100 * rate).toFixed(1)} % of the words are wrong: ${heard}`);
});

async function* asStream(parts: readonly Float32Array[]): AsyncGenerator<Float32Array> {
  for (const part of parts) yield await Promise.resolve(part);
}
