/**
 * The phonemes of words that the dictionary has, and of those whose reading depends on their neighbours.
 *
 * @module
 */
import { isAlphabetic, isLowerCase, isUpperCase } from "./character_classes.ts";
import { joinedText, type WordToken } from "./word_token.ts";
import { Dictionary, type DictionaryWords, generalTag, isSign, signWords, type SpeechContext } from "./dictionary.ts";
import { isNumber, NumberReader } from "./number_reader.ts";
import { WordEndings } from "./word_endings.ts";
import { PRIMARY, SECONDARY } from "./stress.ts";

/** The data of a lexicon. */
export interface LexiconData {
  /** Words that were checked by people. */
  readonly checked: DictionaryWords;
  readonly unchecked: DictionaryWords;
  readonly british: boolean;
}

/** The longest word of the dictionaries has 45 letters; what is longer than with an ending is spelt, or a number. */
const LONGEST_WORD = 50;
/** Stress of a word with a capital letter, and of one in capitals. */
const CAPITAL_LEVEL = 0.5;
const CAPITALS_LEVEL = 2;

/** Reads words by dictionaries, endings and rules. */
export class Lexicon {
  readonly numbers: NumberReader;
  readonly #dictionary: Dictionary;
  readonly #endings: WordEndings;

  constructor({ checked, unchecked, british }: LexiconData) {
    this.#dictionary = new Dictionary(checked, unchecked);
    this.#endings = new WordEndings(this.#dictionary, { british });
    this.numbers = new NumberReader(this.#dictionary, this.#endings);
  }

  /** Phonemes of a word; undefined if it cannot be read. */
  read(token: WordToken, context: SpeechContext): string | undefined {
    const word = (token.alias ?? token.text).replace(/[‘’]/g, "'").normalize("NFKC");
    const level = isLowerCase(word) ? undefined : isUpperCase(word) ? CAPITALS_LEVEL : CAPITAL_LEVEL;
    const phonemes = this.#readWord(word, token.tag, level, context);
    if (phonemes !== undefined) {
      const unit = this.numbers.unitOf(token.currency);
      return unit === undefined ? phonemes : `${phonemes} ${unit}`;
    }
    return isNumber(word, token.head) ? this.numbers.read(word, token.currency, token.head) : undefined;
  }

  /** Whether pieces without spaces between them are together something that {@linkcode read} might accept. */
  mightRead(pieces: readonly WordToken[]): boolean {
    let length = 0;
    let digits = false;
    for (const { text } of pieces) {
      length += text.length;
      digits ||= /[0-9]/.test(text);
    }
    // No word of a dictionary has a digit.
    if (length <= LONGEST_WORD && !digits) return true;
    return /^(?:[A-Za-z.]+|-?[0-9.,]+[a-z']*)$/.test(joinedText(pieces).normalize("NFKC"));
  }

  #readWord(word: string, tag: string, level: number | undefined, context: SpeechContext): string | undefined {
    const dictionary = this.#dictionary;
    const special = readFunctionWord(dictionary, word, tag, level, context);
    if (special !== undefined) return special;
    const written = this.#isCapitalized(word, tag, level, context) ? word.toLowerCase() : word;
    for (const known of candidates(written)) {
      if (dictionary.isKnown(known)) return dictionary.lookUp(known, tag, level, context);
    }
    return this.#endings.readS(written, tag, level, context) ??
      this.#endings.readEd(written, tag, level, context) ??
      this.#endings.readIng(written, tag, level ?? 0.5, context);
  }

  /** Whether a word has capitals only because it begins a sentence or is shouted. */
  #isCapitalized(word: string, tag: string, level: number | undefined, context: SpeechContext): boolean {
    const lower = word.toLowerCase();
    if (word.length < 2 || word === lower || !isAlphabetic(word.replaceAll("'", ""))) return false;
    if ((tag === "NNP" && word.length <= 7) || this.#dictionary.has(word)) return false;
    if (!isUpperCase(word) && !isLowerCase(word.slice(1))) return false;
    return this.#dictionary.has(lower) || [
      this.#endings.readS(lower, tag, level, context),
      this.#endings.readEd(lower, tag, level, context),
      this.#endings.readIng(lower, tag, level, context),
    ].some((phonemes) => phonemes !== undefined && phonemes !== "");
  }
}

/** The word, and the word that it is a possessive of. */
function candidates(word: string): readonly string[] {
  if (!word.endsWith("'")) return [word];
  return word.endsWith("s'") ? [word, `${word.slice(0, -2)}'s`, word.slice(0, -1)] : [word, word.slice(0, -1)];
}

/** Punctuation that is said within addresses. */
const addressSigns: Readonly<Record<string, string>> = { ".": "dot", "/": "slash" };

/** Reads a word of this kind; undefined for all others. */
function readFunctionWord(
  dictionary: Dictionary,
  word: string,
  tag: string,
  level: number | undefined,
  context: SpeechContext,
): string | undefined {
  if (tag === "ADD" && Object.hasOwn(addressSigns, word)) {
    return dictionary.lookUp(addressSigns[word], undefined, -0.5, context);
  }
  if (isSign(word)) return dictionary.lookUp(signWords[word], undefined, undefined, context);
  if (isInitials(word)) return dictionary.spell(word);
  const noun = tag.startsWith("NN");
  switch (word) {
    case "a":
    case "A":
      return tag === "DT" ? "ɐ" : "ˈA";
    case "am":
      if (noun) return dictionary.spell(word);
      return context.vowel === undefined || (level !== undefined && level > 0) ? dictionary.checked("am") : "ɐm";
    case "Am":
    case "AM":
      return noun ? dictionary.spell(word) : dictionary.checked("am");
    case "an":
    case "An":
      return "ɐn";
    case "AN":
      return noun ? dictionary.spell(word) : "ɐn";
    case "I":
      return tag === "PRP" ? `${SECONDARY}I` : undefined;
    case "by":
    case "By":
    case "BY":
      return generalTag(tag) === "ADV" ? "bˈI" : undefined;
    case "to":
    case "To":
      return readTo(dictionary, context);
    case "TO":
      return tag === "TO" || tag === "IN" ? readTo(dictionary, context) : undefined;
    case "in":
    case "In":
      return readIn(tag, context);
    case "IN":
      return tag === "NNP" ? undefined : readIn(tag, context);
    case "the":
    case "The":
      return readThe(context);
    case "THE":
      return tag === "DT" ? readThe(context) : undefined;
    case "used":
    case "Used":
    case "USED":
      return dictionary.checked("used", (tag === "VBD" || tag === "JJ") && context.to ? "VBD" : "DEFAULT");
  }
  return tag === "IN" && /^vs\.?$/i.test(word) ? dictionary.lookUp("versus", undefined, undefined, context) : undefined;
}

/** Such as `U.S.`: parts of one or two letters. */
function isInitials(word: string): boolean {
  return word.replace(/^\.+|(?<!\.)\.+$/g, "").includes(".") && isAlphabetic(word.replaceAll(".", "")) &&
    word.split(".").every(({ length }) => length < 3);
}

function readTo(dictionary: Dictionary, { vowel }: SpeechContext): string | undefined {
  return vowel === undefined ? dictionary.checked("to") : vowel ? "tʊ" : "tə";
}

function readIn(tag: string, { vowel }: SpeechContext): string {
  return vowel === undefined || tag !== "IN" ? `${PRIMARY}ɪn` : "ɪn";
}

function readThe({ vowel }: SpeechContext): string {
  return vowel ? "ði" : "ðə";
}
