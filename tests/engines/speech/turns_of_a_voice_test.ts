import assert from "node:assert/strict";
import { test } from "node:test";
import { openHibariModel } from "../../../lib/engines/speech/onnx_hibari/open_hibari_model.ts";
import { TurnDetector } from "../../../lib/media/audio/turn_detector.ts";
import { NO_VOICE, speechModelFiles } from "../../support/speech_model_files.ts";
import { joined, mixed, soundOf, whiteNoise } from "../../support/synthetic_voice.ts";

const RATE = 24_000;

// @row dialects > Realtime > noise and hiss are no voice, a voice in noise is one
test("turns are found in real sentences, quiet and loud, with noise of several levels", async (t) => {
  const files = await speechModelFiles();
  if (files === undefined) return t.skip(NO_VOICE);
  const model = await openHibariModel(files, {});
  const parts: Float32Array[] = [];
  const request = { text: "What is the capital of France?", voice: "heart", instructions: undefined, speed: 1 };
  const listener = {
    onPlan: () => {},
    onSentence: ({ samples }: { samples: Float32Array }) => void parts.push(samples),
  };
  await model.speak(request, listener, new AbortController().signal);
  await model.close();
  const sentence = joined(...parts);
  const start = sentence.findIndex((sample) => Math.abs(sample) > 0.02) / RATE;
  const end = sentence.findLastIndex((sample) => Math.abs(sample) > 0.02) / RATE;
  const silence = (seconds: number) => soundOf(seconds, RATE, () => 0);
  for (const noise of [-75, -55, -42, -36]) {
    for (const gain of noise > -50 ? [1] : [1, 0.2]) {
      const sound = joined(silence(1), sentence.map((sample) => sample * gain), silence(2));
      const detector = new TurnDetector(RATE, { threshold: 0.5, silence: 500 });
      const events = detector.push(mixed(sound, whiteNoise(4, RATE, noise, 3)));
      const times = events.map(({ kind, at }) => [kind, at / RATE - 1] as const);
      const what = `noise ${noise} dB, gain ${gain}: ${JSON.stringify(times)}`;
      assert.deepEqual(times.filter(([kind]) => kind !== "paused" && kind !== "resumed").map(([kind]) => kind), [
        "started",
        "stopped",
      ], what);
      assert.ok(times[0][1] < start + 0.4, what);
      assert.ok(times.at(-1)![1] > end + 0.2 && times.at(-1)![1] < end + 0.8, what);
    }
  }
});
