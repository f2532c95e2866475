/**
 * Words that are in no dictionary, but without their ending are.
 *
 * @module
 */
import type { Dictionary, SpeechContext } from "./dictionary.ts";

/** What differs between American and British English. */
export interface EndingRules {
  readonly british: boolean;
}

/** After these a t between vowels is flapped in American English. */
const flapping = new Set("AIOWYiuæɑəɛɪɹʊʌ");

/** Reads words with an ending. */
export class WordEndings {
  readonly #dictionary: Dictionary;
  readonly #british: boolean;

  constructor(dictionary: Dictionary, { british }: EndingRules) {
    this.#dictionary = dictionary;
    this.#british = british;
  }

  /** A word that ends with s. */
  readS(word: string, tag?: string, level?: number, context?: SpeechContext): string | undefined {
    if (word.length < 3 || !word.endsWith("s")) return undefined;
    const long = word.length > 4;
    const stem = this.#known(
      !word.endsWith("ss") && word.slice(0, -1),
      (word.endsWith("'s") || (long && word.endsWith("es") && !word.endsWith("ies"))) && word.slice(0, -2),
      long && word.endsWith("ies") && `${word.slice(0, -3)}y`,
    );
    return stem === undefined ? undefined : this.withS(this.#dictionary.lookUp(stem, tag, level, context));
  }

  /** A word that ends with d. */
  readEd(word: string, tag?: string, level?: number, context?: SpeechContext): string | undefined {
    if (word.length < 4 || !word.endsWith("d")) return undefined;
    const stem = this.#known(
      !word.endsWith("dd") && word.slice(0, -1),
      word.length > 4 && word.endsWith("ed") && !word.endsWith("eed") && word.slice(0, -2),
    );
    return stem === undefined ? undefined : this.withEd(this.#dictionary.lookUp(stem, tag, level, context));
  }

  /** A word that ends with ing. */
  readIng(word: string, tag?: string, level?: number, context?: SpeechContext): string | undefined {
    if (word.length < 5 || !word.endsWith("ing")) return undefined;
    const long = word.length > 5;
    const stem = this.#known(
      long && word.slice(0, -3),
      `${word.slice(0, -3)}e`,
      long && /([bcdgklmnprstvxz])\1ing$|cking$/.test(word) && word.slice(0, -4),
    );
    return stem === undefined ? undefined : this.withIng(this.#dictionary.lookUp(stem, tag, level, context));
  }

  /** Phonemes of a word with the ending s. */
  withS(stem: string | undefined): string | undefined {
    if (!stem) return undefined;
    const last = stem.slice(-1);
    if ("ptkfθ".includes(last)) return `${stem}s`;
    return "szʃʒʧʤ".includes(last) ? `${stem}${this.#british ? "ɪ" : "ᵻ"}z` : `${stem}z`;
  }

  /** Phonemes of a word with the ending ed. */
  withEd(stem: string | undefined): string | undefined {
    if (!stem) return undefined;
    const last = stem.slice(-1);
    if ("pkfθʃsʧ".includes(last)) return `${stem}t`;
    if (last === "d") return `${stem}${this.#british ? "ɪ" : "ᵻ"}d`;
    if (last !== "t") return `${stem}d`;
    if (this.#british || stem.length < 2) return `${stem}ɪd`;
    return flapping.has(stem.slice(-2, -1)) ? `${stem.slice(0, -1)}ɾᵻd` : `${stem}ᵻd`;
  }

  /** Phonemes of a word with the ending ing. */
  withIng(stem: string | undefined): string | undefined {
    if (!stem) return undefined;
    if (this.#british) return "əː".includes(stem.slice(-1)) ? undefined : `${stem}ɪŋ`;
    return stem.endsWith("t") && flapping.has(stem.slice(-2, -1)) ? `${stem.slice(0, -1)}ɾɪŋ` : `${stem}ɪŋ`;
  }

  /** The first stem that is a word. */
  #known(...stems: readonly (string | false)[]): string | undefined {
    return stems.find((stem): stem is string => stem !== false && this.#dictionary.isKnown(stem));
  }
}
