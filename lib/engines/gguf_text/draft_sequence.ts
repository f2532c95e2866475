/**
 * Speculative decoding with a smaller model.
 *
 * @module
 */
import type { LlamaContextSequence, Token } from "node-llama-cpp";
import { DraftLength } from "./draft_length.ts";

/** Tokens that the draft model evaluates between two looks at the signal. */
const PIECE = 256;

/** The inputs of a {@linkcode DraftSequence}. */
export interface DraftSettings {
  /** Of the draft model; holds a prefix of the prompt, and nothing else. */
  readonly sequence: LlamaContextSequence;
  readonly prompt: readonly number[];
  readonly isEnd: (id: number) => boolean;
  /** Number of tokens of the model: the draft model may have a few more. */
  readonly size: number;
  readonly signal: AbortSignal;
}

/**
 * Guesses how an answer goes on, with a smaller model that says what it holds likeliest (Leviathan et al. 2023, "Fast
 * inference from transformers via speculative decoding"). The model itself chooses every token: a guess is accepted
 * where it is what the model chose.
 */
export class DraftSequence {
  readonly #settings: DraftSettings;
  readonly #length = new DraftLength();
  /** Prompt and answer. */
  readonly #text: number[];
  /** The beginning of the text that the draft model has evaluated. */
  #known: number;

  constructor(settings: DraftSettings) {
    this.#settings = settings;
    this.#text = [...settings.prompt];
    this.#known = settings.sequence.nextTokenIndex;
  }

  /** Appends a token of the answer. */
  add(id: number): void {
    this.#text.push(id);
  }

  /** Drafts up to `max` tokens; none where drafts were of no use. */
  async propose(max: number): Promise<readonly number[]> {
    const count = Math.min(max, this.#length.next());
    if (count === 0) return [];
    const { isEnd, size } = this.#settings;
    const draft: number[] = [];
    let id = await this.#catchUp();
    // An end is chosen by the model alone.
    while (id !== undefined && !isEnd(id) && id < size) {
      draft.push(id);
      if (draft.length === count) break;
      id = await this.#evaluate([], id);
    }
    return draft;
  }

  /** Records how many of the drafted tokens were accepted. */
  judge(drafted: number, accepted: number): void {
    this.#length.judge(drafted, accepted);
    this.#known += accepted;
  }

  /** Evaluates the part of the text that is new, and returns the likeliest next token. */
  async #catchUp(): Promise<number | undefined> {
    const { sequence, signal } = this.#settings;
    const { length } = this.#text;
    // The last draft was not evaluated, the ones that were wrong were; the last token is always evaluated.
    this.#known = Math.min(this.#known, sequence.nextTokenIndex, length - 1);
    if (this.#known < sequence.nextTokenIndex) {
      await sequence.eraseContextTokenRanges([{ start: this.#known, end: sequence.nextTokenIndex }]);
    }
    while (length - this.#known > PIECE) {
      await sequence.controlledEvaluate(this.#text.slice(this.#known, this.#known + PIECE) as Token[]);
      this.#known += PIECE;
      signal.throwIfAborted();
    }
    const rest = this.#text.slice(this.#known, length - 1) as Token[];
    const next = await this.#evaluate(rest, this.#text[length - 1]);
    this.#known = length;
    return next;
  }

  async #evaluate(tokens: readonly Token[], last: number): Promise<number | undefined> {
    const { sequence, signal } = this.#settings;
    const likeliest = { token: true, options: { temperature: 0 } };
    const answers = await sequence.controlledEvaluate([...tokens, [last as Token, { generateNext: likeliest }]]);
    signal.throwIfAborted();
    return answers[tokens.length]?.next.token ?? undefined;
  }
}
