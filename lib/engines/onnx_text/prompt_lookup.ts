/**
 * Guesses how a text goes on from what it said before.
 *
 * @module
 */

const GRAM = 3;

/** The most tokens to guess: with the one that is sure they are the block that a step looks at. */
export const MAX_DRAFT = 7;

/**
 * Looks the last three tokens up in the text before them and proposes what followed there (Saxena 2023, "Prompt lookup
 * decoding"). How much it proposes follows how much was right: a guess costs time even when it is wrong.
 */
export class PromptLookup {
  readonly #tokens: number[];
  /** Where the tokens behind each three tokens are; the last place wins. */
  readonly #behind = new Map<string, number>();
  #indexed = GRAM;
  #draft = 3;
  #rejections = 0;

  constructor(tokens: readonly number[]) {
    this.#tokens = [...tokens];
  }

  /** Tells how the text went on. */
  add(id: number): void {
    this.#tokens.push(id);
  }

  /** Tokens that may follow, at most `most`; none when the text says nothing about it. */
  propose(max: number): readonly number[] {
    const tokens = this.#tokens;
    for (; this.#indexed < tokens.length; this.#indexed++) this.#behind.set(gram(tokens, this.#indexed), this.#indexed);
    const place = this.#behind.get(gram(tokens, tokens.length));
    if (place === undefined) return [];
    // A text that repeats itself goes on repeating: behind its end it is what it was one round before.
    const round = tokens.length - place;
    const draft = Array.from({ length: Math.min(this.#draft, max) }, (_, i) => tokens[place + i % round]);
    // Ids below 0 stand for images, which no answer has.
    const end = draft.findIndex((id) => id < 0);
    return end < 0 ? draft : draft.slice(0, end);
  }

  /** Tells how many of the proposed tokens were right. */
  judge(proposed: number, accepted: number): void {
    if (accepted === proposed) {
      this.#draft = Math.min(this.#draft * 2, MAX_DRAFT);
      this.#rejections = 0;
    } else {
      this.#draft = Math.max(accepted, 1);
      this.#rejections += accepted === 0 ? 1 : 0;
    }
  }

  /** Whether guesses have been so bad that they only cost time. */
  get hopeless(): boolean {
    return this.#rejections >= 4;
  }
}

function gram(tokens: readonly number[], end: number): string {
  return `${tokens[end - 3]},${tokens[end - 2]},${tokens[end - 1]}`;
}
