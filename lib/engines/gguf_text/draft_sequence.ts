/**
 * Speculative decoding with a smaller model: its guesses for one answer, and how many tokens it drafts.
 *
 * @module
 */
import type { LlamaContextSequence, Token } from "node-llama-cpp";

/** Prompt tokens that the draft model prefills at once: cancellation is checked between them. */
const PREFILL_CHUNK = 256;

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
 * Guesses how an answer continues, with a smaller model that says what it holds likeliest (Leviathan et al. 2023, "Fast
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
    while (length - this.#known > PREFILL_CHUNK) {
      await sequence.controlledEvaluate(this.#text.slice(this.#known, this.#known + PREFILL_CHUNK) as Token[]);
      this.#known += PREFILL_CHUNK;
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

/** Maximum number of drafted tokens in a round. */
export const MAX_DRAFT = 8;

/** Rounds in a row without an accepted token, after which drafts pause; and for how many tokens. */
const MAX_FAILURES = 4;
const PAUSE = 32;

/** Drafts grow while they are accepted, shrink to what was, and pause where they only cost time. */
class DraftLength {
  #length = 4;
  #failures = 0;
  #paused = 0;

  /** Number of tokens to draft in this round. */
  next(): number {
    if (this.#paused === 0) return this.#length;
    this.#paused--;
    return 0;
  }

  /** Records how many of the drafted tokens were accepted. */
  judge(drafted: number, accepted: number): void {
    this.#length = accepted === drafted ? Math.min(2 * this.#length, MAX_DRAFT) : accepted + 1;
    this.#failures = accepted > 0 ? 0 : this.#failures + 1;
    if (this.#failures < MAX_FAILURES) return;
    this.#failures = 0;
    this.#paused = PAUSE;
  }
}
