/**
 * Reads what a model with presets can follow in a free description of a voice.
 *
 * @module
 */
import { AMERICAN, BRITISH, type VoiceGender } from "./preset_voice.ts";

/** A description. */
export interface VoiceDescription {
  readonly gender: VoiceGender | undefined;
  readonly accent: string | undefined;
  /** Factor of the speed. */
  readonly pace: number | undefined;
  /** Words that say something else, in their order, each once. */
  readonly others: readonly string[];
}

const genders: ReadonlyMap<string, VoiceGender> = new Map([
  ..."woman women female females girl lady feminine her she mother grandmother actress queen"
    .split(" ").map((word) => [word, "female"] as const),
  ..."man men male males boy guy gentleman masculine his him he father grandfather actor king"
    .split(" ").map((word) => [word, "male"] as const),
]);

const accents: ReadonlyMap<string, string> = new Map([
  ..."british england uk london londoner briton brit oxford cockney received posh"
    .split(" ").map((word) => [word, BRITISH] as const),
  ..."american america usa californian texan york midwestern".split(" ").map((word) => [word, AMERICAN] as const),
  ...Object.entries({
    australian: "Australian English",
    canadian: "Canadian English",
    indian: "Indian English",
    irish: "Irish English",
    scottish: "Scottish English",
    welsh: "Welsh English",
    chinese: "Chinese",
    mandarin: "Chinese",
    dutch: "Dutch",
    french: "French",
    german: "German",
    hindi: "Hindi",
    italian: "Italian",
    japanese: "Japanese",
    korean: "Korean",
    brazilian: "Brazilian Portuguese",
    portuguese: "Brazilian Portuguese",
    russian: "Russian",
    spanish: "Spanish",
  }),
]);

const SLOW = 0.85;
const FAST = 1.2;
const paces: ReadonlyMap<string, number> = new Map([
  ..."slow slowly slower unhurried leisurely measured deliberate deliberately drawling"
    .split(" ").map((word) => [word, SLOW] as const),
  ..."fast faster quick quickly quicker rapid rapidly brisk briskly hurried speedy rushed"
    .split(" ").map((word) => [word, FAST] as const),
]);

/** Words that make a pace stronger. */
const strong = new Set("very extremely really super".split(" "));

/** Words that say nothing of how a voice sounds. */
const fillers = new Set(
  ("a an and as at accent accented any be but by can could english etc for from have i in into is it its just kind like " +
    "make may me more most my of on one or out over pace paced person please read reading say should so some sound " +
    "sounding sounds speak speaker speaking speaks speech speed talk talking tempo that the their them there they this " +
    "to tone use using very voice voiced voices want was way who with would you your us give not no non without too bit little rather " +
    "extremely really super").split(" "),
);

const MAX_OTHERS = 8;

/** Reads a description; of two words for the same thing the first counts. */
export function readDescription(text: string): VoiceDescription {
  // "U.K." and "U.S." are names, "us" is not.
  const words = text.replace(/\bU\.K\.?/g, "British").replace(/\b(?:U\.S\.A?\.?|US|USA)(?!\p{L})/gu, "American")
    .toLowerCase().match(/[\p{L}\p{N}]+/gu)?.filter((word) => word !== "s") ?? [];
  const others = new Set<string>();
  let gender: VoiceGender | undefined;
  let accent: string | undefined;
  let pace: number | undefined;
  words.forEach((word, i) => {
    if (fillers.has(word) && !paces.has(word)) return;
    const negation = ["not", "no", "non", "without"].find((no) => no === lastButArticles(words, i));
    if (negation !== undefined) others.add(`${negation} ${word}`);
    else if (genders.has(word)) gender ??= genders.get(word);
    else if (accents.has(word)) accent ??= accents.get(word);
    else if (paces.has(word)) pace ??= strengthened(paces.get(word) ?? 1, strong.has(words[i - 1] ?? ""));
    else others.add(word);
  });
  return { gender, accent, pace, others: [...others].slice(0, MAX_OTHERS) };
}

/** The word before a word, articles left out. */
function lastButArticles(words: readonly string[], i: number): string | undefined {
  return words.slice(Math.max(i - 3, 0), i).findLast((word) => !["a", "an", "the", "too", "so"].includes(word));
}

function strengthened(pace: number, strongly: boolean): number {
  return strongly ? pace * pace : pace;
}
