/**
 * Text to sound, sentence by sentence, for all speech models.
 *
 * @module
 */
import { invalidField, type SvcError } from "../../errors/svc_error.ts";
import type { EnglishPhonemes } from "./english_phonemes/english_phonemes.ts";
import type { EnglishLibrary } from "./open_english.ts";
import { type PortionLengths, splitPhonemes } from "./phonemes.ts";
import {
  MAX_SPEECH_BYTES,
  type SpeechListener,
  type SpeechOutcome,
  type SpeechRequest,
} from "../contract/speech_model.ts";
import { timeStretch } from "./time_stretch.ts";
import { chooseVoice } from "./choose_voice.ts";
import { AMERICAN, BRITISH, type PresetVoice, readsBritish } from "./preset_voice.ts";
import { cleanText } from "./english_phonemes/normalize_text.ts";

/** Speeds that models were trained for; beyond them the sound is stretched. */
const MODEL_SPEED = { min: 0.5, max: 2 };

/** A network that speaks phonemes. */
interface PhonemeSpeaker {
  /** Not empty. */
  readonly voices: readonly PresetVoice[];
  readonly english: EnglishLibrary;
  /** Maximum number of symbols per run. */
  readonly lengths: PortionLengths;
  /** Samples a second. */
  readonly sampleRate: number;
  /** Prepares a voice. */
  open(voice: PresetVoice): Promise<void>;
  /**
   * Runs the network for phonemes of one portion and returns a function that waits for the sound of its output, which may
   * be made while the network of the next portion runs. No sound for what holds no symbol of the network.
   *
   * @param speed Within 0.5 to 2.
   */
  run(phonemes: string, voice: PresetVoice, speed: number): Promise<() => Promise<Float32Array<ArrayBuffer>>>;
}

/** Speaks a text; see `SpeechModel.speak`. */
export async function speakSentences(
  speaker: PhonemeSpeaker,
  request: SpeechRequest,
  { onPlan, onSentence }: SpeechListener,
  signal: AbortSignal,
): Promise<SpeechOutcome> {
  checkLength(request);
  const { voice, speed, warnings: ignored } = chooseVoice(speaker.voices, request);
  const english = await speaker.english.phonemes(readsBritish(voice));
  await speaker.open(voice);
  signal.throwIfAborted();
  const sentences = english.sentences(request.text);
  const { sampleRate } = speaker;
  const warnings = [...ignored, ...foreign(voice), ...unreadText(request.text, english)];
  const plan = { sampleRate, voice: voice.name, sentences: sentences.length, warnings };
  const modelSpeed = Math.min(Math.max(speed, MODEL_SPEED.min), MODEL_SPEED.max);
  const portions = readPortions(english, sentences, speaker.lengths, signal);
  // One network runs while the sound before it is encoded and sent, and the text after it is read meanwhile.
  let upcoming = portions.next();
  const runNext = async (): Promise<Running | undefined> => {
    const { value: portion } = await upcoming;
    if (portion === undefined) return undefined;
    const finish = speaker.run(portion.phonemes, voice, modelSpeed);
    finish.catch(() => {}); // it is awaited later
    upcoming = portions.next();
    upcoming.catch(() => {});
    return { sentence: portion.sentence, phonemes: [...portion.phonemes].length, finish };
  };
  let samples = 0;
  let phonemes = 0;
  let planned = false;
  let running = await runNext();
  try {
    while (running !== undefined) {
      const { sentence, phonemes: spokenPhonemes } = running;
      const finish = await running.finish;
      signal.throwIfAborted();
      // The first sound waits for nothing else.
      const first = planned ? undefined : await finish();
      running = await runNext();
      const spoken = timeStretch(first ?? await finish(), speed / modelSpeed, sampleRate);
      if (spoken.length === 0) continue;
      if (!planned) await onPlan(plan);
      planned = true;
      samples += spoken.length;
      phonemes += spokenPhonemes;
      await onSentence({ sentence, samples: spoken, last: running === undefined });
      signal.throwIfAborted();
    }
  } finally {
    await Promise.allSettled([running?.finish, upcoming]); // a network cannot be stopped while it runs
  }
  if (!planned) throw nothingToSay(request.text);
  return { ...plan, samples, phonemes };
}

function foreign({ name, accent }: PresetVoice): string[] {
  return accent === AMERICAN || accent === BRITISH
    ? []
    : [`${name} is a voice for ${accent}, the text is read as English`];
}

/** A portion whose network is running. */
interface Running {
  readonly sentence: number;
  readonly phonemes: number;
  readonly finish: Promise<() => Promise<Float32Array<ArrayBuffer>>>;
}

async function* readPortions(
  english: EnglishPhonemes,
  sentences: readonly string[],
  lengths: PortionLengths,
  signal: AbortSignal,
): AsyncGenerator<{ readonly sentence: number; readonly phonemes: string }, undefined> {
  for (const [sentence, text] of sentences.entries()) {
    for (const phonemes of splitPhonemes(await english.read(text, signal), lengths)) {
      signal.throwIfAborted();
      yield { sentence, phonemes };
    }
  }
}

function checkLength({ text, instructions = "" }: SpeechRequest): void {
  const bytes = new TextEncoder().encode(text).length + new TextEncoder().encode(instructions).length;
  if (bytes <= MAX_SPEECH_BYTES) return;
  throw invalidField(
    "input",
    `Cannot speak the input: it has ${bytes} bytes with its instructions, expected at most ${MAX_SPEECH_BYTES}; ` +
      "send it in parts",
  );
}

function nothingToSay(text: string): SvcError {
  const start = JSON.stringify([...text.trim()].slice(0, 40).join(""));
  return invalidField(
    "input",
    `Cannot speak the input: ${start} has nothing that an English voice can say, expected English words or numbers`,
  );
}

/** Maximum number of words to name, and letters of each. */
const MAX_WORDS = 5;
const MAX_LETTERS = 20;

/** Warnings of words in other scripts and of pictographs, which are left out. */
function unreadText(text: string, english: EnglishPhonemes): string[] {
  const words = new Set<string>();
  for (const [word] of cleanText(text).matchAll(/[\p{L}\p{M}]+/gu)) {
    if (words.size > MAX_WORDS) break;
    if ([...word.matchAll(/\p{L}/gu)].some(([letter]) => !english.knows(letter))) words.add(shortened(word));
  }
  const named = [...words].slice(0, MAX_WORDS).map((word) => `"${word}"`).join(", ");
  const pictures = text.match(/\p{Extended_Pictographic}/gu)?.filter((sign) => !/[©®™]/.test(sign)).length ?? 0;
  return [
    ...words.size > 0
      ? [`the voice reads English, letters of ${named}${words.size > MAX_WORDS ? ", ..." : ""} are left out`]
      : [],
    ...pictures > 0 ? [`${pictures} pictograph${pictures === 1 ? " is" : "s are"} left out`] : [],
  ];
}

function shortened(word: string): string {
  const letters = [...word];
  return letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS).join("")}...` : word;
}
