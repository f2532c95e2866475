/**
 * The phonemes of a sentence's words.
 *
 * @module
 */
import { isDigits } from "./character_classes.ts";
import type { SpeechContext } from "./dictionary.ts";
import type { Lexicon } from "./lexicon.ts";
import { isConsonant, isVowel, phonemeWeight, PRIMARY, stressed } from "./stress.ts";
import { joinedText, joinTokens, PAUSES, type WordGroup, type WordToken } from "./word_token.ts";

/** Phonemes of words outside the lexicons: letters. Undefined when nothing can be said of them. */
export type ReadUnknown = (letters: string) => string | undefined;

/** Pieces of the longest words of the dictionaries, hyphens included, and some more. */
const MAX_WORD_PIECES = 14;

/** What is silent within a word. */
const silent = new Set("',-._‘’/");

/** The names of signs that are alone. */
const signs: Readonly<Record<string, string>> = {
  "/": "slˈæʃ",
  "=": "ˈikwᵊlz",
  "+": "plˈʌs",
  "&": "ænd",
  "@": "æt",
  "%": "pəɹsˈɛnt",
  "#": "hˈæʃ",
  "*": "ˈæstəɹˌɪsk",
  "~": "tˈɪldə",
  "^": "kˈɛɹət",
  "<": "lˈɛs ðən",
  ">": "ɡɹˈATəɹ ðən",
  "—": "—",
};

/** Letters with apostrophes, a number, or signs. */
const RUN = /[\p{L}\p{Nl}\p{No}]+(?:['’][\p{L}\p{Nl}\p{No}]+)*|\d+(?:[,.]\d+)*|[^\p{L}\p{N}_\s]+/gu;

/** Reads the groups of a sentence from the last to the first, since a word depends on the sound after it. */
export function pronounceWords(lexicon: Lexicon, groups: readonly WordGroup[], unknown: ReadUnknown): WordToken[] {
  let context: SpeechContext = { vowel: undefined, to: false };
  const said: WordToken[] = [];
  for (const group of groups.toReversed()) {
    const [word] = group;
    if (group.length > 1) {
      context = pronounceGroup(lexicon, group, context, unknown);
      said.push(joinTokens(group, joinedPhonemes(group)));
    } else {
      word.phonemes ??= lexicon.read(word, context) ?? readOthers(lexicon, word.text, unknown);
      context = contextBefore(word.phonemes, word, context);
      said.push(word);
    }
  }
  for (const word of said) word.phonemes = word.phonemes?.replaceAll("ɾ", "T").replaceAll("ʔ", "t");
  return said.reverse();
}

/** From the right, takes the longest runs of pieces that the lexicon has as one word. */
function pronounceGroup(
  lexicon: Lexicon,
  group: WordGroup,
  following: SpeechContext,
  unknown: ReadUnknown,
): SpeechContext {
  let context = following;
  for (let right = group.length; right > 0;) {
    const left = longestKnown(lexicon, group, right, context);
    if (left !== undefined) {
      const { token, phonemes } = left;
      group.slice(left.at, right).forEach((piece, i) => piece.phonemes = i === 0 ? phonemes : "");
      context = contextBefore(phonemes, token, context);
      right = left.at;
    } else if (isSilent(group[right - 1].text)) {
      group[right - 1].phonemes = "";
      right--;
    } else {
      const phonemes = readOthers(lexicon, joinedText(group), unknown);
      group.forEach((piece, i) => piece.phonemes = i === 0 ? phonemes : "");
      return context;
    }
  }
  settleStress(group);
  return context;
}

function longestKnown(
  lexicon: Lexicon,
  group: WordGroup,
  right: number,
  context: SpeechContext,
): { readonly at: number; readonly token: WordToken; readonly phonemes: string } | undefined {
  for (let at = firstPlace(group, right); at < right; at++) {
    const pieces = group.slice(at, right);
    if (!lexicon.mightRead(pieces)) continue;
    const token = joinTokens(pieces, undefined);
    const phonemes = lexicon.read(token, context);
    if (phonemes !== undefined) return { at, token, phonemes };
  }
  return undefined;
}

/** Further to the left no word can begin that ends at `right`, unless its letters are spelt. */
function firstPlace(group: WordGroup, right: number): number {
  let spelt = right;
  while (spelt > 0 && /^[\p{L}.]+$/u.test(group[spelt - 1].text)) spelt--;
  return Math.min(spelt, Math.max(right - MAX_WORD_PIECES, 0));
}

/** Pieces of one word have one main stress; pieces that are words of their own are said apart. */
function settleStress(group: WordGroup): void {
  const text = joinedText(group);
  const apart = /[ /]/.test(text) || new Set([...text].filter((c) => !silent.has(c)).map(kind)).size > 1;
  group.forEach((piece, i) => {
    if (i > 0) piece.apart = apart;
  });
  if (apart) return;
  const spoken = group.filter(({ phonemes }) => phonemes).map((piece, at) => {
    const phonemes = piece.phonemes ?? "";
    return { piece, phonemes, at, main: phonemes.includes(PRIMARY), weight: phonemeWeight(phonemes) };
  });
  const weaken = ({ piece, phonemes }: typeof spoken[number]) => piece.phonemes = stressed(phonemes, -0.5);
  if (spoken.length === 2 && [...spoken[0].piece.text].length === 1) {
    weaken(spoken[1]);
    return;
  }
  const mains = spoken.filter(({ main }) => main).length;
  if (spoken.length < 2 || mains <= Math.floor((spoken.length + 1) / 2)) return;
  spoken.sort((a, b) => Number(a.main) - Number(b.main) || a.weight - b.weight || a.at - b.at)
    .slice(0, Math.floor(spoken.length / 2)).forEach(weaken);
}

function kind(character: string): string {
  return /\p{L}/u.test(character) ? "letter" : isDigits(character) ? "digit" : "sign";
}

function joinedPhonemes(group: WordGroup): string {
  return group.reduce(
    (said, { apart, phonemes = "" }) =>
      said + (apart && said !== "" && !/\s$/.test(said) && phonemes ? " " : "") + phonemes,
    "",
  );
}

/** A word that no lexicon has as a whole: its letters, numbers and signs one after the other. */
function readOthers(lexicon: Lexicon, text: string, unknown: ReadUnknown): string {
  const parts = (text.match(RUN) ?? []).map((run) => {
    if (/^\d/.test(run)) return lexicon.numbers.read(run, undefined, false);
    return /^[\p{L}\p{Nl}\p{No}]/u.test(run) ? unknown(run) : [...run].map((sign) => signs[sign] ?? "").join("");
  });
  return parts.filter((part) => part).join(" ");
}

function isSilent(text: string): boolean {
  return [...text].every((character) => silent.has(character));
}

/** The context of a word before these phonemes. */
function contextBefore(phonemes: string | undefined, { text, tag }: WordToken, behind: SpeechContext): SpeechContext {
  let vowel = behind.vowel;
  for (const symbol of phonemes ?? "") {
    if (!PAUSES.has(symbol) && !isVowel(symbol) && !isConsonant(symbol)) continue;
    vowel = PAUSES.has(symbol) ? undefined : isVowel(symbol);
    break;
  }
  return { vowel, to: text === "to" || text === "To" || (text === "TO" && (tag === "TO" || tag === "IN")) };
}
