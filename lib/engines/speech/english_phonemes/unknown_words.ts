/**
 * Words that are in no dictionary, read by a small network.
 *
 * @module
 */

/** The letters that the network reads, and the phonemes that it writes. */
export interface UnknownWordsAlphabet {
  /** Input symbols by number, from 1 on. */
  readonly letters: readonly string[];
  /** Output symbols by number, from 1 on; 0 is the blank. */
  readonly phonemes: readonly string[];
  /** Letters that it reads at once. */
  readonly maxLength: number;
}

/** Runs the network: numbers of letters to numbers of phonemes, blanks and repetitions included. */
export type RunUnknownWord = (letters: readonly number[]) => Promise<readonly number[]>;

/** Words that are kept, with what was read. */
const MAX_KEPT = 4096;

/** Reads unknown words, every one of them once. */
export class UnknownWords {
  readonly #run: RunUnknownWord;
  readonly #letters: ReadonlyMap<string, number>;
  readonly #phonemes: readonly string[];
  readonly #maxLength: number;
  readonly #kept = new Map<string, string | undefined>();

  constructor({ letters, phonemes, maxLength }: UnknownWordsAlphabet, run: RunUnknownWord) {
    this.#run = run;
    this.#letters = new Map(letters.map((letter, i) => [letter, i + 1]));
    this.#phonemes = phonemes;
    this.#maxLength = maxLength;
  }

  /** Whether the word has been read. */
  has(word: string): boolean {
    return this.#kept.has(word);
  }

  /** What was read; undefined where no letter is known. */
  get(word: string): string | undefined {
    return this.#kept.get(word);
  }

  /** Whether the network reads a letter. */
  knows(letter: string): boolean {
    return this.#letters.has(letter);
  }

  /** Reads a word. What is longer than the network can see is read in even parts. */
  async read(word: string): Promise<void> {
    const numbers = [...word].flatMap((letter) => this.#letters.get(letter) ?? []);
    const parts = Math.ceil(numbers.length / this.#maxLength);
    const size = Math.ceil(numbers.length / parts);
    let phonemes: string | undefined;
    // The same letters again and again cost one run.
    const known = new Map<string, string>();
    for (let start = 0; start < numbers.length; start += size) {
      const part = numbers.slice(start, start + size);
      const key = part.join(" ");
      const said = known.get(key) ?? this.#spelt(await this.#run(part));
      known.set(key, said);
      phonemes = (phonemes ?? "") + said;
    }
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(word, phonemes);
  }

  /** Without repetitions and blanks (connectionist temporal classification). */
  #spelt(numbers: readonly number[]): string {
    return numbers.map((number, i) => number === 0 || number === numbers[i - 1] ? "" : this.#phonemes[number - 1] ?? "")
      .join("");
  }
}
