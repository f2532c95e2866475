import assert from "node:assert/strict";
import { test } from "node:test";
import { openModelFolder } from "../../lib/app/models/engine/model_folder.ts";
import { openHibariModel } from "../../lib/engines/speech/onnx_hibari/open_hibari_model.ts";
import { openOnnxMoonshineModel } from "../../lib/engines/transcription/moonshine/open_onnx_moonshine_model.ts";
import { Resampler } from "../../lib/media/audio/resampler.ts";
import { moonshineFiles } from "../support/moonshine_files.ts";
import { NO_VOICE, speechModelFiles } from "../support/speech_model_files.ts";
import { wordErrorRate } from "../support/word_error_rate.ts";

const sentences: readonly string[] = [
  "The library opens at nine in the morning and closes late in the evening.",
  "She packed a warm coat because the forecast promised snow.",
  "My neighbor grows tomatoes on the roof of his garage.",
  "Nobody expected the little dog to swim across the lake.",
  "Please leave the keys on the kitchen table when you go.",
  "The train to the coast was twenty minutes late again.",
  "He learned to play the piano by listening to old records.",
  "We walked along the river until the lights came on.",
  "The museum keeps its oldest maps in a dark and quiet room.",
  "A good bridge has to move a little in the wind.",
  "They painted the front door green and the windows white.",
  "The teacher drew a circle on the board and asked for its center.",
  "I would rather read the book before I see the movie.",
  "The baker sells his last bread shortly after noon.",
  "Every winter the lake freezes from the shore to the middle.",
  "Her brother repairs bicycles in a small shop near the station.",
  "The children built a tower of stones beside the stream.",
  "You can see three mountains from the top of the hill.",
  "The report was short, clear and easy to understand.",
  "An old clock in the hall strikes every quarter of an hour.",
  "The farmer counted his sheep twice before he closed the gate.",
  "Could you tell me the way to the nearest hospital?",
  "The orchestra waited in silence for the first note.",
  "After the storm, the garden was covered with leaves.",
  "This machine washes the bottles and fills them with water.",
  "The sailor tied the boat to a post with a heavy rope.",
  "In the desert, the nights are much colder than the days.",
  "Our guide told us a long story about the castle.",
  "The letter arrived on Monday, a week after it was sent.",
  "If the weather stays dry, we will eat outside on Sunday.",
];

const voice = await speechModelFiles();
const recogniser = await moonshineFiles();
const skip = voice === undefined ? `not run: ${NO_VOICE}` : recogniser.ok ? false : `not run: ${recogniser.reason}`;

test(
  "Hibari speaks thirty sentences, and Moonshine writes them down: at most one word in ten is wrong",
  { skip },
  async () => {
    if (voice === undefined || !recogniser.ok) throw new Error("their files are missing");
    const settings = { device: "cpu", threads: 2 };
    const speaker = await openHibariModel(voice, settings);
    const names = ["encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin"];
    const listener = await openOnnxMoonshineModel(openModelFolder(recogniser.folder, names), settings);
    const { signal } = new AbortController();
    let wrong = 0;
    let words = 0;
    const misheard: string[] = [];
    try {
      for (const text of sentences) {
        const spoken: Float32Array[] = [];
        await speaker.speak({ text, voice: undefined, instructions: undefined, speed: 1 }, {
          onPlan: () => {},
          onSentence: ({ samples }) => void spoken.push(samples),
        }, signal);
        const heard = await listener.transcribe(
          { samples: resampled(spoken, speaker.profile.sampleRate), task: "transcribe", words: false, maxTokens: 448 },
          signal,
          { onSegment: () => {}, onProgress: () => {} },
        );
        const written = heard.segments.map((segment) => segment.text).join("").trim();
        const count = text.split(" ").length;
        const rate = wordErrorRate(text, written);
        wrong += rate * count;
        words += count;
        if (rate > 0) misheard.push(`${text} -> ${written}`);
      }
    } finally {
      await speaker.close();
      await listener.close();
    }
    assert.ok(
      wrong / words <= 0.1,
      `${(100 * wrong / words).toFixed(1)} % of the words are wrong:\n${misheard.join("\n")}`,
    );
  },
);

async function* resampled(parts: readonly Float32Array[], rate: number): AsyncGenerator<Float32Array> {
  const resampler = new Resampler(rate, 16_000);
  for (const part of parts) yield resampler.push(part);
  yield resampler.flush();
}
