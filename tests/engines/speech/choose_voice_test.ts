import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseVoice } from "../../../lib/engines/speech/choose_voice.ts";
import { AMERICAN, BRITISH, openAiVoices, type PresetVoice } from "../../../lib/engines/speech/preset_voice.ts";
import { readDescription } from "../../../lib/engines/speech/read_description.ts";

const preset = (name: string, gender: "female" | "male", accent: string, ...aliases: string[]): PresetVoice => ({
  name,
  aliases,
  gender,
  accent,
});
const presets = [
  preset("heart", "female", AMERICAN, "af_heart"),
  preset("emma", "female", BRITISH, "bf_emma"),
  preset("fenrir", "male", AMERICAN, "am_fenrir"),
  preset("fable", "male", BRITISH, "bm_fable"),
];
const choose = (voice?: string, instructions?: string, speed = 1) =>
  chooseVoice(presets, { voice, instructions, speed });

test("voices are chosen by name, by a name of OpenAI, or by a description", () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    [undefined, "heart"],
    ["", "heart"],
    ["emma", "emma"],
    [" EMMA ", "emma"],
    ["am_fenrir", "fenrir"],
    ["alloy", "heart"],
    ["Echo", "fenrir"],
    ["onyx", "fenrir"],
    ["fable", "fable"],
    ["ballad", "fable"],
    ["shimmer", "heart"],
    ["a British woman", "emma"],
    ["an older man from London", "fable"],
    ["male", "fenrir"],
    ["U.K. female", "emma"],
    ["someone with a US accent, a gentleman", "fenrir"],
  ];
  for (const [voice, name] of cases) assert.equal(choose(voice).voice.name, name, voice);
});

test("every voice of OpenAI finds one of its gender and accent", () => {
  for (const [name, { gender, accent }] of Object.entries(openAiVoices)) {
    const { voice, warnings } = choose(name);
    assert.deepEqual([voice.gender, voice.accent, warnings], [gender, accent, []], name);
  }
});

test("instructions come before descriptions and after presets", () => {
  assert.equal(choose("alloy", "Speak in a British accent").voice.name, "emma");
  assert.equal(choose("a man", "as a woman").voice.name, "heart");
  const named = choose("emma", "as a man");
  assert.equal(named.voice.name, "emma");
  assert.deepEqual(named.warnings, [
    "male is not followed, the voice is asked for by name: emma speaks (female, British English)",
  ]);
});

test("what is not followed is named", () => {
  assert.deepEqual(choose("a calm, whispering French woman").warnings, [
    "of voice only gender, accent and pace are followed, not: calm, whispering",
    "French is not followed, the model has no such voice: heart speaks (female, American English)",
  ]);
  assert.deepEqual(choose("Zoe").warnings, ['the model has no voice "Zoe", only heart, emma, fenrir, fable']);
  assert.deepEqual(choose("heart", "Sound happy!").warnings, [
    "of instructions only gender, accent and pace are followed, not: happy",
  ]);
  assert.deepEqual(choose("heart", "Speak slowly.").warnings, []);
  const long = choose("x".repeat(5000)).warnings[0];
  assert.ok(long.length < 200, long);
});

test("the pace changes the speed within its bounds", () => {
  assert.equal(choose(undefined, "slowly").speed, 0.85);
  assert.equal(choose(undefined, "very slowly").speed, 0.85 * 0.85);
  assert.equal(choose("a fast woman", undefined, 2).speed, 2.4);
  assert.equal(choose(undefined, "quickly", 4).speed, 4);
  assert.equal(choose(undefined, "slowly", 0.25).speed, 0.25);
});

test("descriptions say no more than they do", () => {
  assert.deepEqual(readDescription("Give us a warm voice, not a man's"), {
    gender: undefined,
    accent: undefined,
    pace: undefined,
    others: ["warm", "not man"],
  });
  assert.equal(readDescription("not british").accent, undefined);
  assert.equal(readDescription("one two ".repeat(500)).others.length <= 8, true);
});
