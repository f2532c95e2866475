/**
 * A sequence being generated, whose tokens are chosen as fast as their settings allow.
 *
 * @module
 */
import {
  chooseToken,
  type ChosenToken,
  type SamplingSettings,
  TokenHistory,
  tokenLogprobs,
  uniformAt,
} from "../../../protocol/mod.ts";
import type { GenerationJob, GenerationResult, TokenConstraint } from "../../contract/language_model.ts";
import type { KvBuffer } from "../kv_places/kv_buffer.ts";
import { PromptLookup } from "./prompt_lookup.ts";

/** Shorter answers end before speculative decoding pays off. */
export const MIN_SPECULATED = 16;

/** A job with its state. Its tokens are those of prompt and answer. */
export class Sequence {
  readonly job: GenerationJob;
  readonly signal: AbortSignal;
  readonly tokens: number[];
  readonly constraint: TokenConstraint | undefined;
  /** Buffer of the keys and values of the first `length` tokens; undefined before the first step. */
  buffer: KvBuffer | undefined;
  length = 0;
  /** Number of prefill steps of other sequences that it has waited for. */
  passedOver = 0;
  cachedTokens = 0;
  /** Why it ended; undefined while it runs. */
  ended: GenerationResult["reason"] | undefined;
  /** Whether an end token ended it, which is not among its tokens. */
  endedByToken = false;
  readonly #endTokens: ReadonlySet<number>;
  readonly #history: TokenHistory;
  readonly #started = performance.now();
  #lookup: PromptLookup | undefined;
  #firstToken = 0;
  #prefillSeconds = 0;
  #captureSeconds = 0;

  constructor(
    job: GenerationJob,
    constraint: TokenConstraint | undefined,
    endTokens: ReadonlySet<number>,
    signal: AbortSignal,
  ) {
    this.job = job;
    this.signal = signal;
    this.constraint = constraint;
    this.tokens = [...job.prompt];
    this.#history = new TokenHistory(job.prompt);
    this.#endTokens = endTokens;
  }

  /** Number of generated tokens. */
  get generated(): number {
    return this.tokens.length - this.job.prompt.length;
  }

  /** Number of tokens without keys and values: many during prefill, then only the last one. */
  get missing(): number {
    return this.tokens.length - this.length;
  }

  /** Whether prefill is complete and the first token chosen. */
  get isDecoding(): boolean {
    return this.generated > 0;
  }

  /** Speculative decoding for this sequence; undefined where it would change the result or not pay off. */
  get lookup(): PromptLookup | undefined {
    const { maxTokens, sampling, topLogprobs } = this.job;
    if (this.constraint !== undefined || topLogprobs !== undefined || maxTokens < MIN_SPECULATED) return undefined;
    if (!changesNothing(sampling)) return undefined;
    this.#lookup ??= new PromptLookup(this.tokens);
    return this.#lookup.hopeless ? undefined : this.#lookup;
  }

  /** Chooses the next token and reports it. @returns The token; undefined when it ended the answer. */
  async choose(logits: Float32Array): Promise<number | undefined> {
    const { topLogprobs, maxTokens, onToken } = this.job;
    let next = await this.#chooseAllowed(logits);
    // A constraint may reject what it proposed, and then proposes less.
    while (!this.#endTokens.has(next.id) && await this.constraint?.accept(next.id) === false) {
      next = await this.#chooseAllowed(logits);
    }
    const { id, chosen } = next;
    if (this.#firstToken === 0) this.#firstToken = performance.now();
    if (this.#endTokens.has(id)) {
      this.ended = "stop";
      this.endedByToken = true;
      return undefined;
    }
    this.#history.add(id);
    this.tokens.push(id);
    this.#lookup?.add(id);
    let logprobs;
    if (chosen !== undefined && topLogprobs !== undefined) {
      const start = performance.now();
      logprobs = tokenLogprobs(logits, chosen, topLogprobs);
      this.#captureSeconds += (performance.now() - start) / 1000;
    }
    if (!onToken(id, logprobs)) this.ended = "stop";
    else if (this.generated >= maxTokens) this.ended = "length";
    return id;
  }

  async #chooseAllowed(logits: Float32Array): Promise<ReturnType<typeof chooseNext>> {
    const { sampling, seed, topLogprobs } = this.job;
    const mask = await this.constraint?.mask();
    const uniform = () => uniformAt(seed, this.generated);
    return chooseNext(logits, sampling, this.#history, uniform, mask, topLogprobs !== undefined);
  }

  /** Adds prefill time. */
  addPrefill(milliseconds: number): void {
    this.#prefillSeconds += milliseconds / 1000;
  }

  /** The result of the job. */
  result(): GenerationResult {
    const { ended = "stop" } = this;
    return {
      reason: ended,
      cachedTokens: this.cachedTokens,
      prefillSeconds: this.#prefillSeconds,
      decodeSeconds: (performance.now() - this.#firstToken) / 1000,
      firstTokenSeconds: (this.#firstToken - this.#started) / 1000,
      ...this.job.topLogprobs === undefined ? {} : { captureSeconds: this.#captureSeconds },
    };
  }
}

/** A token, with the data for log probabilities if requested. */
interface NextToken {
  readonly id: number;
  readonly chosen: ChosenToken | undefined;
}

/** Whether decoding is greedy. */
function choosesLikeliest(settings: SamplingSettings): boolean {
  return settings.temperature === 0 && changesNothing(settings);
}

/** Whether no penalty or bias changes the logits. */
function changesNothing(settings: SamplingSettings): boolean {
  return settings.presencePenalty === 0 && settings.frequencyPenalty === 0 && settings.repetitionPenalty === 1 &&
    settings.logitBias.size === 0;
}

/**
 * Chooses as {@linkcode chooseToken} does. The likeliest token is found without copying the logits where nothing
 * changes them and no log probabilities are requested.
 */
export function chooseNext(
  raw: Float32Array,
  settings: SamplingSettings,
  history: TokenHistory,
  uniform: () => number,
  mask: Int32Array | undefined,
  explained: boolean,
): NextToken {
  if (mask === undefined && !explained && choosesLikeliest(settings)) {
    const id = likeliest(raw);
    if (id >= 0) return { id, chosen: undefined };
  }
  const chosen = chooseToken(raw, settings, history, settings.temperature === 0 ? 0 : uniform(), mask);
  return { id: chosen.id, chosen };
}

/** The first of the largest logits; -1 when it is not finite, an error that {@linkcode chooseToken} reports. */
function likeliest(logits: Float32Array): number {
  let best = 0;
  let largest = -Infinity;
  for (let id = 0; id < logits.length; id++) if (logits[id] > largest) largest = logits[best = id];
  return Number.isFinite(largest) ? best : -1;
}
