/**
 * Speculative decoding by prompt lookup.
 *
 * @module
 */

const GRAM = 3;

/** Maximum number of drafted tokens: together with the certain one they fill the block of a step. */
export const MAX_DRAFT = 7;

/**
 * Looks up the last three tokens in the text before them and proposes what followed there (Saxena 2023, "Prompt lookup
 * decoding"). The length of drafts adapts to their acceptance: a wrong draft costs time.
 */
export class PromptLookup {
  readonly #tokens: number[];
  /** The position after each three tokens; the last occurrence wins. */
  readonly #after = new Map<string, number>();
  #indexed = GRAM;
  #draft = 3;
  #rejections = 0;

  constructor(tokens: readonly number[]) {
    this.#tokens = [...tokens];
  }

  /** Appends an accepted token. */
  add(id: number): void {
    this.#tokens.push(id);
  }

  /** Drafts up to `max` tokens; empty when the text has no match. */
  propose(max: number): readonly number[] {
    const tokens = this.#tokens;
    for (; this.#indexed < tokens.length; this.#indexed++) this.#after.set(gram(tokens, this.#indexed), this.#indexed);
    const place = this.#after.get(gram(tokens, tokens.length));
    if (place === undefined) return [];
    // A repeating text continues to repeat: after its end it continues as one period earlier.
    const round = tokens.length - place;
    const draft = Array.from({ length: Math.min(this.#draft, max) }, (_, i) => tokens[place + i % round]);
    // Negative ids stand for images, which no answer has.
    const end = draft.findIndex((id) => id < 0);
    return end < 0 ? draft : draft.slice(0, end);
  }

  /** Records how many of the proposed tokens were accepted. */
  judge(proposed: number, accepted: number): void {
    if (accepted === proposed) {
      this.#draft = Math.min(this.#draft * 2, MAX_DRAFT);
      this.#rejections = 0;
    } else {
      this.#draft = Math.max(accepted, 1);
      this.#rejections += accepted === 0 ? 1 : 0;
    }
  }

  /** Whether drafts have been rejected so often that they only cost time. */
  get hopeless(): boolean {
    return this.#rejections >= 4;
  }
}

function gram(tokens: readonly number[], end: number): string {
  return `${tokens[end - 3]},${tokens[end - 2]},${tokens[end - 1]}`;
}
