import assert from "node:assert/strict";
import { after, test } from "node:test";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { openHibariModel } from "../../../lib/engines/speech/onnx_hibari/open_hibari_model.ts";
import { readHibariProfile } from "../../../lib/engines/speech/onnx_hibari/hibari_profile.ts";
import type {
  SpeechModel,
  SpeechOutcome,
  SpeechPlan,
  SpeechRequest,
} from "../../../lib/engines/contract/speech_model.ts";
import { NO_VOICE, speechModelFiles } from "../../support/speech_model_files.ts";

const files = await speechModelFiles();
const skip = files === undefined ? `not run: ${NO_VOICE}` : false;

let opened: Promise<SpeechModel> | undefined;
function model(): Promise<SpeechModel> {
  if (files === undefined) throw new Error(NO_VOICE);
  return opened ??= openHibariModel(files, {});
}
after(async () => await (await opened)?.close());

interface Heard {
  readonly plan: SpeechPlan | undefined;
  readonly parts: readonly Float32Array[];
  readonly sentences: readonly number[];
  readonly outcome: SpeechOutcome;
}

async function speak(text: string, others: Partial<SpeechRequest> = {}, signal?: AbortSignal): Promise<Heard> {
  const parts: Float32Array[] = [];
  const sentences: number[] = [];
  let plan: SpeechPlan | undefined;
  const outcome = await (await model()).speak(
    { text, voice: undefined, instructions: undefined, speed: 1, ...others },
    {
      onPlan: (heard) => {
        assert.equal(parts.length, 0);
        plan = heard;
      },
      onSentence: ({ sentence, samples }) => {
        sentences.push(sentence);
        parts.push(samples);
      },
    },
    signal ?? new AbortController().signal,
  );
  return { plan, parts, sentences, outcome };
}

test("Hibari speaks sentence by sentence, and twice the same", { skip }, async () => {
  const text = "Warm bread and cold butter. Did Dr. Grey pay $9.99 at 7:30 pm?";
  const first = await speak(text);
  assert.deepEqual(first.sentences, [0, 1]);
  assert.deepEqual(first.plan, { sampleRate: 24_000, voice: "heart", sentences: 2, warnings: [] });
  const samples = first.parts.reduce((sum, { length }) => sum + length, 0);
  const { phonemes } = first.outcome;
  assert.ok(phonemes > 60 && phonemes < 120, `${phonemes} phonemes`);
  assert.deepEqual(first.outcome, { ...first.plan, samples, phonemes });
  assert.ok(samples > 3 * 24_000 && samples < 10 * 24_000, `${samples} samples`);
  for (const part of first.parts) {
    const loudest = part.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    assert.ok(loudest > 0.05 && loudest <= 1, `${loudest}`);
  }
  assert.deepEqual((await speak(text)).parts, first.parts);
  // A sentence sounds the same at any position.
  assert.deepEqual((await speak("Warm bread and cold butter.")).parts, [first.parts[0]]);
});

test("speed works from a quarter to four times", { skip }, async () => {
  const text = "A small boat drifted past the empty lighthouse.";
  const { samples } = (await speak(text)).outcome;
  for (const speed of [0.25, 0.5, 1.5, 2, 3, 4]) {
    const ratio = samples / (await speak(text, { speed })).outcome.samples;
    assert.ok(ratio > speed * 0.8 && ratio < speed * 1.25, `speed ${speed} is ${ratio} times as fast`);
  }
});

test("voices that the model lacks and words that it cannot say are named", { skip }, async () => {
  const { plan } = await speak("Hello 你好 🙂 world", { voice: "echo", instructions: "whisper" });
  assert.deepEqual(plan?.warnings, [
    "of instructions only gender, accent and pace are followed, not: whisper",
    "male is not followed, the model has no such voice: heart speaks (female, American English)",
    'the voice reads English, letters of "你好" are left out',
    "1 pictograph is left out",
  ]);
});

test("odd texts are spoken or refused, and quickly", { skip }, async () => {
  const spoken = [
    "a",
    "...",
    "5",
    "A1",
    "x".repeat(300),
    "1".repeat(200),
    "https://a.example/b?c=1&d=2",
    "a\u0000b",
    "-",
    "€",
  ];
  for (const text of spoken) {
    await speak(text).catch((error) =>
      assert.ok(error instanceof SvcError && error.status === 400, `${text}: ${error}`)
    );
  }
  for (const text of ["", "   ", "🙂", "你好", "\u0000"]) {
    await assert.rejects(speak(text), (error) => {
      return error instanceof SvcError && error.status === 400 && error.param === "input" &&
        /nothing/.test(error.message);
    });
  }
  await assert.rejects(speak("a".repeat(100_000)), /has 100000 bytes .*, expected at most 32768/);
  await assert.rejects(speak("a", { instructions: "b".repeat(40_000) }), /has 40001 bytes/);
});

test("a cancelled text ends after the present sentence", { skip }, async () => {
  const abort = new AbortController();
  const heard: number[] = [];
  const speaking = (await model()).speak(
    { text: "One. Two. Three. Four.", voice: undefined, instructions: undefined, speed: 1 },
    {
      onPlan: () => {},
      onSentence: ({ sentence }) => {
        heard.push(sentence);
        abort.abort(new Error("left"));
      },
    },
    abort.signal,
  );
  await assert.rejects(speaking, /left/);
  assert.deepEqual(heard, [0]);
  await assert.rejects(speak("One.", {}, abort.signal), /left/);
});

test("texts are spoken side by side", { skip }, async () => {
  const alone = await speak("Nobody expected the library to close.");
  const [a, b] = await Promise.all([
    speak("Nobody expected the library to close."),
    speak("Seven grey pigeons were sitting on the railway bridge."),
  ]);
  assert.deepEqual(a.parts, alone.parts);
  assert.ok(b.outcome.samples > 0);
});

test("a folder is recognised by its files, and what is missing is named", { skip }, async () => {
  if (files === undefined) return;
  const without = (...names: readonly string[]) => ({
    ...files,
    names: files.names.filter((name) => !names.includes(name)),
  });
  assert.equal(await readHibariProfile(without("voices.json")), undefined);
  await assert.rejects(readHibariProfile(without("hibari.onnx")), /none of the networks of voices\.json/);
  await assert.rejects(openHibariModel(without("tagger.json.gz"), {}), /has no tagger\.json\.gz/);
  assert.deepEqual(await readHibariProfile(files), {
    kind: "speech",
    engine: "onnx-hibari",
    voices: ["heart"],
    sampleRate: 24_000,
  });
});
