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
import { KvBuffer } from "../kv_places/kv_buffer.ts";
import { NO_PREFIXES, type PrefixStore } from "./prefix_cache.ts";
import { SequenceBatch } from "./sequence_batch.ts";
import { Sequence } from "./sequence.ts";

/** Prompt tokens of a prefill step, which bounds the delay of an abort. Larger steps are not faster. */
const PREFILL_CHUNK = 128;

/** The same while other sequences decode, which it delays. */
const SHARED_PREFILL_CHUNK = 64;

/** Options of a {@linkcode DecodeLoop}. */
interface DecodeLoopOptions {
  readonly endTokens: ReadonlySet<number>;
  /** Maximum number of concurrent sequences; further ones are queued. */
  readonly concurrency: number;
  /** Undefined for no cache. */
  readonly prefixCache: PrefixStore | undefined;
}

/** A sequence in the loop, queued or active, and its caller. */
interface LoopEntry {
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
  readonly #queued: LoopEntry[] = [];
  #active: LoopEntry[] = [];
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
    const result = new Promise<GenerationResult>((resolve, reject) => this.#queued.push({ sequence, resolve, reject }));
    if (!this.#isRunning) void this.#run();
    return result;
  }

  counters(): EngineCounters {
    const { prefixCache, concurrency } = this.#options;
    const deviceKVCache = this.#decoder.place.counters();
    return {
      prefixKVCache: { enabled: prefixCache !== undefined, ...prefixCache?.counters() ?? NO_PREFIXES },
      continuousBatching: this.#batching.report(concurrency > 1, this.#active.length, this.#queued.length),
      ...deviceKVCache === undefined ? {} : { deviceKVCache },
      mtp: this.#speculation.report(this.#active.length),
    };
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      // Deferred by a turn, so that jobs submitted together start together.
      await Promise.resolve();
      while (this.#active.length + this.#queued.length > 0) {
        await this.#dropEnded();
        while (this.#active.length < this.#options.concurrency && this.#queued.length > 0) {
          this.#active.push(this.#queued.shift() as LoopEntry);
        }
        await this.#prefill();
        await this.#decode();
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
    const all = [...this.#active, ...this.#queued.splice(0)];
    this.#active = [];
    this.#batch.clear();
    for (const { sequence, reject } of all) {
      sequence.buffer?.dispose();
      reject(error);
    }
  }

  async #dropEnded(): Promise<void> {
    for (const entry of this.#active.filter(({ sequence }) => sequence.ended !== undefined)) {
      await this.#finish(entry);
    }
    for (const list of [this.#queued, this.#active]) {
      for (const entry of list.filter(({ sequence }) => sequence.signal.aborted)) {
        entry.reject(entry.sequence.signal.reason);
        await this.#remove(entry);
      }
    }
  }

  /** Prefills a chunk of the prompt with the fewest remaining tokens, or with the longest wait. */
  async #prefill(): Promise<void> {
    const prefilling = this.#active.filter(({ sequence }) => !sequence.isDecoding);
    if (prefilling.length === 0) return;
    const urgency = ({ sequence }: LoopEntry): number => sequence.missing - sequence.passedOver * PREFILL_CHUNK;
    const entry = prefilling.reduce((first, other) => urgency(other) < urgency(first) ? other : first);
    for (const other of prefilling) if (other !== entry) other.sequence.passedOver++;
    await this.#guard([entry], () => this.#prefillChunk(entry.sequence, this.#active.length > prefilling.length));
  }

  async #prefillChunk(sequence: Sequence, shared: boolean): Promise<void> {
    const start = performance.now();
    const { prompt, onPrefill, stablePrefix } = sequence.job;
    if (sequence.buffer === undefined) this.#begin(sequence);
    const buffer = sequence.buffer as KvBuffer;
    const { prefixCache } = this.#options;
    // A state is kept where prompts of the same chat part.
    const rest = prefixCache?.keepsStable ? stablePrefix - sequence.length : 0;
    const count = Math.min(sequence.missing, shared ? SHARED_PREFILL_CHUNK : PREFILL_CHUNK, rest > 0 ? rest : Infinity);
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

  /** Caches the keys and values of tokens of a sequence, which are in this slot of its buffer. */
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

  /** Decodes a token of every sequence whose prefill is complete. */
  async #decode(): Promise<void> {
    await this.#dropEnded();
    const decoding = this.#active.filter(({ sequence }) => sequence.isDecoding);
    if (decoding.length === 0) return;
    if (!this.#decoder.batches || decoding.length === 1) {
      const speculates = this.#decoder.rewinds && this.#active.length + this.#queued.length === 1;
      for (const entry of decoding) {
        const lookup = speculates ? entry.sequence.lookup : undefined;
        await this.#guard([entry], () => this.#decodeAlone(entry.sequence, lookup !== undefined));
      }
    } else await this.#guard(decoding, () => this.#decodeTogether(decoding));
    await this.#dropEnded();
  }

  /** Decodes a token, and accepts drafted ones that match. */
  async #decodeAlone(sequence: Sequence, speculate: boolean): Promise<void> {
    const room = sequence.job.maxTokens - sequence.generated - 1;
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

  /** Decodes a token of each of several sequences in one batch. */
  async #decodeTogether(decoding: readonly LoopEntry[]): Promise<void> {
    const buffer = await this.#batch.gather(decoding.map(({ sequence }) => sequence));
    const batch = [...this.#batch.sequences];
    const lengths = batch.map((sequence) => sequence.length);
    const tokens = batch.map((sequence) => sequence.tokens.slice(sequence.length));
    const logits = await this.#decoder.run({ buffer, lengths, tokens, wanted: 1 });
    this.#batching.add(lengths);
    for (const sequence of batch) sequence.length++;
    for (const entry of decoding) {
      await this.#guard(
        [entry],
        async () => void await entry.sequence.choose(logits[batch.indexOf(entry.sequence)][0]),
      );
    }
  }

  async #finish(entry: LoopEntry): Promise<void> {
    const { sequence } = entry;
    const result = sequence.result();
    await this.#store(sequence.tokens.slice(0, sequence.length), sequence, this.#batch.slotOf(sequence));
    try {
      await this.#remove(entry);
    } finally {
      entry.resolve(result);
    }
  }

  /** Removes a job from the lists. */
  async #remove(entry: LoopEntry): Promise<void> {
    const queued = this.#queued.indexOf(entry);
    if (queued >= 0) this.#queued.splice(queued, 1);
    this.#active = this.#active.filter((other) => other !== entry);
    await this.#batch.remove(entry.sequence);
  }

  /** Runs a step of some jobs; a failure ends these only. */
  async #guard(entries: readonly LoopEntry[], step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      for (const entry of entries) {
        entry.reject(error);
        await this.#remove(entry);
      }
    }
  }
}
