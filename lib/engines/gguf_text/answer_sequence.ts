/**
 * One answer while llama.cpp generates it.
 *
 * @module
 */
import type { ControlledEvaluateInputItem, LlamaContextSequence, Token } from "node-llama-cpp";
import type { GenerationJob, GenerationResult, TokenConstraint } from "../contract/language_model.ts";
import type { DraftSequence } from "./draft_sequence.ts";
import type { EvaluatedSequence } from "./evaluation_rounds.ts";
import type { Choice, TokenChooser, Way } from "./token_chooser.ts";

/** The inputs of an answer. */
interface AnswerSettings {
  readonly job: GenerationJob;
  readonly signal: AbortSignal;
  /** Holds a prefix of the prompt, and nothing else. */
  readonly sequence: LlamaContextSequence;
  /** Tokens of that prefix that came from the cache. */
  readonly cached: number;
  readonly chooser: TokenChooser;
  readonly constraint: TokenConstraint | undefined;
  /** Guesses what follows; undefined for none. */
  readonly draft: DraftSequence | undefined;
  /** Called on each guess with the number of its tokens and of those that were right. */
  readonly onGuess: (drafted: number, accepted: number) => void;
  readonly isEnd: (id: number) => boolean;
  /** Seconds of any clock. */
  readonly seconds: () => number;
  /** When the job began, by that clock. */
  readonly began: number;
  /** When its prompt began to be evaluated. */
  readonly started: number;
}

/** Prefills a prompt in chunks, then decodes the answer token by token. */
export class AnswerSequence implements EvaluatedSequence {
  readonly #settings: AnswerSettings;
  readonly #started: number;
  /** Evaluated next: the remainder of the prompt, then the last chosen token. */
  #todo: readonly number[];
  /** What may follow the last chosen token. */
  #guess: readonly number[] = [];
  #again = false;
  #mask: Int32Array | undefined;
  #count = 0;
  #firstAt: number | undefined;
  #reason: GenerationResult["reason"] = "length";

  constructor(settings: AnswerSettings) {
    this.#settings = settings;
    this.#started = settings.started;
    this.#todo = settings.job.prompt.slice(settings.sequence.nextTokenIndex);
  }

  get decoding(): boolean {
    return this.#firstAt !== undefined;
  }

  get position(): number {
    return this.#settings.sequence.nextTokenIndex;
  }

  /** The result of the finished answer. */
  result(): GenerationResult {
    const { seconds, began, job, chooser, cached } = this.#settings;
    const first = this.#firstAt ?? seconds();
    return {
      reason: this.#reason,
      cachedTokens: cached,
      prefillSeconds: first - this.#started,
      decodeSeconds: seconds() - first,
      firstTokenSeconds: first - began,
      ...job.topLogprobs === undefined ? {} : { captureSeconds: chooser.captureSeconds },
    };
  }

  async prepare(): Promise<void> {
    const { signal, sequence, constraint, draft, job } = this.#settings;
    signal.throwIfAborted();
    if (this.#again) await sequence.eraseContextTokenRanges([{ start: this.position - 1, end: this.position }]);
    this.#again = false;
    if (this.position === job.stablePrefix) await sequence.takeCheckpoint();
    this.#mask = await constraint?.mask();
    // One token comes beside those of a guess.
    this.#guess = this.decoding ? await draft?.propose(job.maxTokens - this.#count - 1) ?? [] : [];
  }

  async step(limit: number): Promise<boolean> {
    const { sequence, job } = this.#settings;
    const max = Math.min(limit, this.#untilCheckpoint());
    const tokens = this.#todo.slice(0, max) as Token[];
    const last = tokens.length === this.#todo.length ? tokens.pop() : undefined;
    if (last !== undefined) return await this.#decode(tokens, last);
    await sequence.controlledEvaluate(tokens);
    this.#todo = this.#todo.slice(max);
    job.onPrefill(this.position, job.prompt.length);
    return false;
  }

  /** Decodes what follows the last token, after what is left of the prompt. */
  async #decode(tokens: readonly Token[], last: Token): Promise<boolean> {
    const { sequence, chooser, signal } = this.#settings;
    const ways = [chooser.way(this.#mask), ...this.#guess.map((_, at) => chooser.way(undefined, at + 1))];
    const asked = [last, ...this.#guess as Token[]].map((id, at) => [id, { generateNext: ways[at].query }] as const);
    const answers = await sequence.controlledEvaluate([...tokens, ...asked] as ControlledEvaluateInputItem[]);
    signal.throwIfAborted();
    return await this.#choose(ways, answers.slice(tokens.length).map((answer) => answer?.next ?? {}), last);
  }

  /**
   * Models that cannot be truncated to any token, such as recurrent ones, get a checkpoint at the end of the stable
   * prefix.
   */
  #untilCheckpoint(): number {
    const { sequence, job } = this.#settings;
    const left = job.stablePrefix - this.position;
    return sequence.needsCheckpoints && left > 0 ? left : Infinity;
  }

  /** Takes the token after the last one, and those after each guessed one that was right. */
  async #choose(ways: readonly Way[], answers: readonly Parameters<Way["read"]>[0][], last: number): Promise<boolean> {
    const guess = this.#guess;
    for (let right = 0;; right++) {
      const choice = await this.#readAllowed(ways[right], answers[right]);
      const done = choice !== undefined && this.#take(choice);
      if (choice !== undefined && !done && choice.id === guess[right]) continue;
      await this.#judge(right);
      if (choice !== undefined) return done;
      this.#settings.chooser.fail();
      this.#todo = [right === 0 ? last : guess[right - 1]];
      this.#again = true;
      return false;
    }
  }

  /** Forgets what was guessed wrong. */
  async #judge(right: number): Promise<void> {
    const { sequence, draft, onGuess } = this.#settings;
    const { length } = this.#guess;
    if (length === 0) return;
    if (right < length) {
      await sequence.eraseContextTokenRanges([{ start: this.position - (length - right), end: this.position }]);
    }
    draft?.judge(length, right);
    onGuess(length, right);
  }

  /** A constraint may reject what it proposed: then it is removed from the mask, which the strategy reads again. */
  async #readAllowed(way: Way, answer: Parameters<Way["read"]>[0]): Promise<Choice | undefined> {
    const { constraint, isEnd, signal } = this.#settings;
    let choice = way.read(answer);
    while (constraint && choice && !isEnd(choice.id) && !(await constraint.accept(choice.id))) {
      this.#mask?.set(await constraint.mask());
      signal.throwIfAborted();
      choice = way.read(answer);
    }
    return choice;
  }

  #take({ id, logprobs }: Choice): boolean {
    const { job, chooser, draft, isEnd, seconds } = this.#settings;
    if (this.#firstAt === undefined) {
      this.#firstAt = seconds();
      job.onPrefill(this.position, job.prompt.length);
    }
    if (isEnd(id)) return this.#end("stop");
    chooser.accept(id);
    draft?.add(id);
    if (!job.onToken(id, logprobs)) return this.#end("stop");
    if (++this.#count === job.maxTokens) return this.#end("length");
    this.#todo = [id];
    return false;
  }

  #end(reason: GenerationResult["reason"]): true {
    this.#reason = reason;
    return true;
  }
}
