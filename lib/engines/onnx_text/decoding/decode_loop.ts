/**
 * Continuous batching.
 *
 * @module
 */
import type {
  EngineCounters,
  GenerationJob,
  GenerationResult,
  TokenConstraint,
} from "../../contract/language_model.ts";
import { BatchCounters, SpeculationCounters } from "./loop_counters.ts";
import type { Decoder } from "../decoder/decoder.ts";
import { KvBuffer } from "../packing/kv_buffer.ts";
import { NO_PREFIXES, type PrefixStore } from "./prefix_cache.ts";
import { SequenceBatch } from "./sequence_batch.ts";
import { Sequence } from "./sequence.ts";

/** Prompt tokens per step, which bounds the delay of an abort. Larger steps are not faster. */
const CHUNK = 128;

/** The same while other sequences decode, which it delays. */
const SHARED_CHUNK = 64;

/** Options of a {@linkcode DecodeLoop}. */
export interface DecodeLoopOptions {
  readonly endTokens: ReadonlySet<number>;
  /** Maximum number of concurrent sequences; further ones are queued. */
  readonly concurrency: number;
  /** Undefined for no cache. */
  readonly prefixCache: PrefixStore | undefined;
}

interface Pending {
  readonly sequence: Sequence;
  readonly resolve: (result: GenerationResult) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Alternates prefill and decode: a chunk of one prompt, then one token of every decoding sequence, all in one batch.
 */
export class DecodeLoop {
  readonly #decoder: Decoder;
  readonly #options: DecodeLoopOptions;
  readonly #batching = new BatchCounters();
  readonly #speculation = new SpeculationCounters();
  readonly #batch: SequenceBatch;
  readonly #waiting: Pending[] = [];
  #active: Pending[] = [];
  #isRunning = false;

  constructor(decoder: Decoder, options: DecodeLoopOptions) {
    this.#decoder = decoder;
    this.#options = options;
    this.#batch = new SequenceBatch(decoder.graph, options.concurrency);
  }

  /** Runs a job when its turn comes. */
  generate(
    job: GenerationJob,
    constraint: TokenConstraint | undefined,
    signal: AbortSignal,
  ): Promise<GenerationResult> {
    const sequence = new Sequence(job, constraint, this.#options.endTokens, signal);
    const result = new Promise<GenerationResult>((resolve, reject) =>
      this.#waiting.push({ sequence, resolve, reject })
    );
    if (!this.#isRunning) void this.#run();
    return result;
  }

  counters(): EngineCounters {
    const { prefixCache, concurrency } = this.#options;
    const deviceKVCache = this.#decoder.place.counters();
    return {
      prefixKVCache: { enabled: prefixCache !== undefined, ...prefixCache?.counters() ?? NO_PREFIXES },
      continuousBatching: this.#batching.report(concurrency > 1, this.#active.length, this.#waiting.length),
      ...deviceKVCache === undefined ? {} : { deviceKVCache },
      mtp: this.#speculation.report(this.#active.length),
    };
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      // Deferred by a turn, so that jobs submitted together start together.
      await Promise.resolve();
      while (this.#active.length + this.#waiting.length > 0) {
        await this.#dropEnded();
        while (this.#active.length < this.#options.concurrency && this.#waiting.length > 0) {
          this.#active.push(this.#waiting.shift() as Pending);
        }
        await this.#readOn();
        await this.#writeOn();
      }
    } catch (error) {
      this.#fail(error);
    }
    // Nothing may come between the last check of the lists and this: a job submitted now starts a new run.
    this.#batch.clear();
    this.#isRunning = false;
  }

  /** A failure outside a job's own step, such as a lack of memory for the cache, ends all jobs. */
  #fail(error: unknown): void {
    this.#options.prefixCache?.clear();
    const all = [...this.#active, ...this.#waiting.splice(0)];
    this.#active = [];
    this.#batch.clear();
    for (const { sequence, reject } of all) {
      sequence.buffer?.dispose();
      reject(error);
    }
  }

  async #dropEnded(): Promise<void> {
    for (const pending of this.#active.filter(({ sequence }) => sequence.ended !== undefined)) {
      await this.#finish(pending);
    }
    for (const list of [this.#waiting, this.#active]) {
      for (const pending of list.filter(({ sequence }) => sequence.signal.aborted)) {
        pending.reject(pending.sequence.signal.reason);
        await this.#remove(pending);
      }
    }
  }

  /** Prefills a chunk of the prompt with the fewest remaining tokens, or with the longest wait. */
  async #readOn(): Promise<void> {
    const reading = this.#active.filter(({ sequence }) => !sequence.isWriting);
    if (reading.length === 0) return;
    const urgency = ({ sequence }: Pending): number => sequence.missing - sequence.passedOver * CHUNK;
    const pending = reading.reduce((first, other) => urgency(other) < urgency(first) ? other : first);
    for (const other of reading) if (other !== pending) other.sequence.passedOver++;
    await this.#guard([pending], () => this.#readChunk(pending.sequence, this.#active.length > reading.length));
  }

  async #readChunk(sequence: Sequence, shared: boolean): Promise<void> {
    const start = performance.now();
    const { prompt, onPrefill, stablePrefix } = sequence.job;
    if (sequence.buffer === undefined) this.#begin(sequence);
    const buffer = sequence.buffer as KvBuffer;
    const { prefixCache } = this.#options;
    // A state is kept where prompts of the same chat part.
    const rest = prefixCache?.keepsStable ? stablePrefix - sequence.length : 0;
    const count = Math.min(sequence.missing, shared ? SHARED_CHUNK : CHUNK, rest > 0 ? rest : Infinity);
    const tokens = sequence.tokens.slice(sequence.length, sequence.length + count);
    const [[logits]] = await this.#decoder.run({ buffer, lengths: [sequence.length], tokens: [tokens], wanted: 1 });
    sequence.length += count;
    sequence.addPrefill(performance.now() - start);
    if (sequence.signal.aborted) return;
    onPrefill(sequence.length, prompt.length);
    if (rest > 0 && count === rest) await this.#store(prompt.slice(0, stablePrefix), sequence, 0);
    if (sequence.missing > 0) return;
    await sequence.choose(logits);
    await this.#store(prompt, sequence, 0);
  }

  /** Caches what a sequence has read, which is in this slot of its buffer. */
  async #store(tokens: readonly number[], { job, buffer }: Sequence, slot: number): Promise<void> {
    const { prefixCache } = this.#options;
    if (prefixCache === undefined || buffer === undefined) return;
    await buffer.settle();
    prefixCache.store(tokens, job.stablePrefix, buffer, slot);
  }

  /** Gives a sequence its buffer and restores a cached prefix. */
  #begin(sequence: Sequence): void {
    const { prompt } = sequence.job;
    const buffer = new KvBuffer(this.#decoder.graph, 1, prompt.length + 1);
    sequence.buffer = buffer;
    sequence.length = sequence.cachedTokens = this.#options.prefixCache?.reuse(prompt, buffer) ?? 0;
  }

  async #writeOn(): Promise<void> {
    await this.#dropEnded();
    const writing = this.#active.filter(({ sequence }) => sequence.isWriting);
    if (writing.length === 0) return;
    if (!this.#decoder.batches || writing.length === 1) {
      const mayGuess = this.#decoder.rewinds && this.#active.length + this.#waiting.length === 1;
      for (const pending of writing) {
        const lookup = mayGuess ? pending.sequence.lookup : undefined;
        await this.#guard([pending], () => this.#writeAlone(pending.sequence, lookup !== undefined));
      }
    } else await this.#guard(writing, () => this.#writeTogether(writing));
    await this.#dropEnded();
  }

  /** Decodes a token, and accepts drafted ones that match. */
  async #writeAlone(sequence: Sequence, speculate: boolean): Promise<void> {
    const room = sequence.job.maxTokens - sequence.written - 1;
    const draft = speculate && room > 0 ? sequence.lookup?.propose(room) ?? [] : [];
    const tokens = [...sequence.tokens.slice(sequence.length), ...draft];
    const [logits] = await this.#decoder.run({
      buffer: sequence.buffer as KvBuffer,
      lengths: [sequence.length],
      tokens: [tokens],
      wanted: tokens.length,
    });
    this.#batching.add([sequence.length]);
    let accepted = 0;
    for (const [i, found] of logits.entries()) {
      sequence.length++;
      const id = await sequence.choose(found);
      if (sequence.ended !== undefined || id !== draft[i] || sequence.signal.aborted) break;
      accepted++;
    }
    if (draft.length === 0) return;
    sequence.lookup?.judge(draft.length, accepted);
    this.#speculation.add(draft.length, accepted);
  }

  async #writeTogether(writing: readonly Pending[]): Promise<void> {
    const buffer = await this.#batch.gather(writing.map(({ sequence }) => sequence));
    const batch = [...this.#batch.sequences];
    const lengths = batch.map((sequence) => sequence.length);
    const tokens = batch.map((sequence) => sequence.tokens.slice(sequence.length));
    const logits = await this.#decoder.run({ buffer, lengths, tokens, wanted: 1 });
    this.#batching.add(lengths);
    for (const sequence of batch) sequence.length++;
    for (const pending of writing) {
      await this.#guard(
        [pending],
        async () => void await pending.sequence.choose(logits[batch.indexOf(pending.sequence)][0]),
      );
    }
  }

  async #finish(pending: Pending): Promise<void> {
    const { sequence } = pending;
    const result = sequence.result();
    await this.#store(sequence.tokens.slice(0, sequence.length), sequence, this.#batch.slotOf(sequence));
    try {
      await this.#remove(pending);
    } finally {
      pending.resolve(result);
    }
  }

  /** Removes a job from the lists. */
  async #remove(pending: Pending): Promise<void> {
    const waiting = this.#waiting.indexOf(pending);
    if (waiting >= 0) this.#waiting.splice(waiting, 1);
    this.#active = this.#active.filter((other) => other !== pending);
    await this.#batch.remove(pending.sequence);
  }

  /** Runs a step of some jobs; a failure ends these only. */
  async #guard(pendings: readonly Pending[], step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      for (const pending of pendings) {
        pending.reject(error);
        await this.#remove(pending);
      }
    }
  }
}
