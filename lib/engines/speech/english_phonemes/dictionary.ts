/**
 * A pronunciation dictionary.
 *
 * @module
 */
import { capitalized, isAlphabetic, isLowerCase, isUpperCase } from "./character_classes.ts";
import { PRIMARY, SECONDARY, stressed } from "./stress.ts";

/** How a word is said: always, or by its part of speech; null where the letters are spelt. */
export type DictionaryEntry = string | Readonly<Record<string, string | null>>;

/** Words to entries, an object without prototype. */
export type DictionaryWords = Readonly<Record<string, DictionaryEntry>>;

/** What is known of what follows a word. */
export interface SpeechContext {
  /** Whether the next sound is a vowel; undefined before a pause. */
  readonly vowel: boolean | undefined;
  /** Whether the next word is "to". */
  readonly to: boolean;
}

/** Signs that are words. */
export const signWords: Readonly<Record<string, string>> = { "%": "percent", "&": "and", "+": "plus", "@": "at" };

/** The signs among {@linkcode signWords}. */
export function isSign(word: string): boolean {
  return Object.hasOwn(signWords, word);
}

/** Two dictionaries: one that was checked by people, and one that was not. */
export class Dictionary {
  readonly #checked: DictionaryWords;
  readonly #unchecked: DictionaryWords;

  constructor(checked: DictionaryWords, unchecked: DictionaryWords) {
    this.#checked = checked;
    this.#unchecked = unchecked;
  }

  /** Whether the checked dictionary has the word. */
  isChecked(word: string): boolean {
    return find(this.#checked, word) !== undefined;
  }

  /** Whether one of the dictionaries has the word. */
  has(word: string): boolean {
    return this.isChecked(word) || find(this.#unchecked, word) !== undefined;
  }

  /** What the checked dictionary says of a word for a part of speech, `DEFAULT` for none. */
  checked(word: string, tag = "DEFAULT"): string | undefined {
    const entry = find(this.#checked, word);
    return typeof entry === "string" ? entry : entry?.[tag] ?? entry?.DEFAULT ?? undefined;
  }

  /** Whether a word can be looked up: it is in a dictionary, or it is spelt. */
  isKnown(word: string): boolean {
    if (this.has(word) || isSign(word)) return true;
    if (!/^[A-Za-z]+$/.test(word)) return false;
    return word.length === 1 || (isUpperCase(word) && this.isChecked(word.toLowerCase())) || isUpperCase(word.slice(1));
  }

  /**
   * The pronunciation of a word for which {@linkcode isKnown} is true.
   *
   * @param tag Its part of speech.
   * @param level See {@linkcode stressed}.
   */
  lookUp(word: string, tag?: string, level?: number, context?: SpeechContext): string | undefined {
    const shouted = isUpperCase(word) && !this.isChecked(word);
    const written = shouted ? word.toLowerCase() : word;
    const name = shouted && tag === "NNP";
    const entry = find(this.#checked, written) ?? (name ? undefined : find(this.#unchecked, written));
    const phonemes = typeof entry === "object" ? byTag(entry, tag, context) : entry;
    if (phonemes === undefined || (name && !phonemes.includes(PRIMARY))) {
      const spelt = this.spell(written);
      if (spelt !== undefined) return spelt;
    }
    return phonemes === undefined ? undefined : stressed(phonemes, level);
  }

  /** Its letters one by one; undefined when one of them has no name. */
  spell(word: string): string | undefined {
    let names = "";
    for (const letter of word) {
      if (!isAlphabetic(letter)) continue;
      const name = this.checked(letter.toUpperCase());
      if (name === undefined) return undefined;
      names += name;
    }
    const said = stressed(names, 0);
    const last = said.lastIndexOf(SECONDARY);
    return last < 0 ? said : said.slice(0, last) + PRIMARY + said.slice(last + SECONDARY.length);
  }
}

/** The general part of speech of a tag. */
export function generalTag(tag: string | undefined): string | undefined {
  if (tag?.startsWith("VB")) return "VERB";
  if (tag?.startsWith("NN")) return "NOUN";
  if (tag?.startsWith("ADV") || tag?.startsWith("RB")) return "ADV";
  if (tag?.startsWith("ADJ") || tag?.startsWith("JJ")) return "ADJ";
  return tag;
}

/** A word in lower case stands for itself with a capital too, and the other way round. */
function find(words: DictionaryWords, word: string): DictionaryEntry | undefined {
  const entry = words[word];
  if (entry !== undefined || word.length < 2) return entry;
  if (isLowerCase(word)) return words[capitalized(word)];
  const lower = word.toLowerCase();
  return word === capitalized(lower) ? words[lower] : undefined;
}

function byTag(
  entry: Exclude<DictionaryEntry, string>,
  tag: string | undefined,
  context: SpeechContext | undefined,
): string | undefined {
  const key = context && context.vowel === undefined && "None" in entry
    ? "None"
    : tag !== undefined && tag in entry
    ? tag
    : generalTag(tag);
  return (key !== undefined && key in entry ? entry[key] : entry.DEFAULT) ?? undefined;
}
