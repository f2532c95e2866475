/**
 * The sequences of a context, each with its cached tokens.
 *
 * @module
 */
import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp";
import { WaitQueue } from "../../scheduling/wait_queue.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { EngineCounters } from "../contract/language_model.ts";

/** Options of a {@linkcode SequencePool}. */
export interface SequencePoolSettings {
  /**
   * Creates a context of sequences with `tokens` tokens each, and allocates all of its memory: one for each prompt that
   * runs, and more that keep what was said in other chats.
   */
  readonly open: (tokens: number) => Promise<LlamaContext>;
  /** Number of prompts that run at the same time. */
  readonly size: number;
  /** Maximum number of tokens of a sequence. */
  readonly max: number;
  /** Whether prompts reuse the tokens of earlier ones. */
  readonly reuse: boolean;
}

/**
 * Initial number of tokens of a sequence: room for an answer of the default length. The memory is allocated and cleared
 * at once, 0.5 GB for a model of 8 GB.
 */
const FIRST = 4096;

/** Contexts are a whole number of steps long. */
const STEP = 256;

/**
 * The sequences of a context. A prompt gets the idle one with the best matching prefix, truncated to what both have in
 * common. When all are busy prompts are queued, first come, first served. For the first prompt that needs longer
 * sequences the context is recreated, twice as large.
 */
export class SequencePool {
  readonly #settings: SequencePoolSettings;
  readonly #queue = new WaitQueue<number>(() => this.#admit());
  #tokens: number;
  #context: Promise<LlamaContext> | undefined;
  #closed: Promise<void> = Promise.resolve();
  /** Least recently used first. */
  #idle: LlamaContextSequence[] = [];
  #busy = 0;
  /** Sequences of the open context. */
  #count = 0;
  #hits = 0;
  #misses = 0;
  #stored = 0;
  #reused = 0;

  constructor(settings: SequencePoolSettings) {
    this.#settings = settings;
    this.#tokens = Math.min(FIRST, settings.max);
  }

  /** Number of prompts that can have a sequence at the same time. */
  get size(): number {
    return this.#settings.size;
  }

  /** Number of queued prompts. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Whether what an open, idle sequence holds cannot be truncated to any token. */
  get needsCheckpoints(): boolean {
    return this.#idle.some((sequence) => sequence.needsCheckpoints);
  }

  /** Opens the context now, rather than for the first prompt, and takes its free sequences. */
  async open(): Promise<void> {
    const opening = this.#context ??= this.#closed.then(() => this.#settings.open(this.#tokens));
    try {
      const context = await opening;
      for (; this.#context === opening && context.sequencesLeft > 0; this.#count++) {
        this.#idle.push(context.getSequence());
      }
    } catch (error) {
      if (this.#context === opening) this.#drop();
      throw error;
    }
  }

  /**
   * Runs `work` on a sequence that holds a prefix of the prompt, at most all but one token.
   *
   * @param tokens Of prompt and answer together.
   * @throws {RangeError} for more tokens than a sequence can have.
   * @throws the reason of `signal` when it aborts before a sequence is free.
   */
  async use<T>(
    prompt: readonly number[],
    tokens: number,
    signal: AbortSignal,
    work: (sequence: LlamaContextSequence) => Promise<T>,
  ): Promise<T> {
    const { max } = this.#settings;
    if (tokens > max) {
      throw new RangeError(`Cannot generate: prompt and answer have ${tokens} tokens, expected at most ${max}`);
    }
    const turn = this.#queue.wait(tokens, signal);
    this.#admit();
    await turn;
    let sequence: LlamaContextSequence | undefined;
    try {
      await this.#openFor(tokens);
      const held = heldTokens(prompt);
      sequence = this.#choose(held);
      await this.#cut(sequence, held);
      return await work(sequence);
    } catch (error) {
      // An abort between two steps leaves the sequence valid; after any other failure its content is unknown.
      if (sequence !== undefined && !signal.aborted) {
        await sequence.dispose();
        sequence = undefined;
        this.#count--;
      }
      throw error;
    } finally {
      this.#busy--;
      if (sequence !== undefined) this.#idle.push(sequence);
      this.#admit();
    }
  }

  counters(): NonNullable<EngineCounters["prefixKVCache"]> {
    const { reuse } = this.#settings;
    const held = reuse ? this.#idle.map((sequence) => sequence.nextTokenIndex).filter((count) => count > 0) : [];
    return {
      enabled: reuse,
      entries: held.length,
      maxEntries: reuse ? this.#count : 0,
      hits: this.#hits,
      misses: this.#misses,
      storedPrefixes: this.#stored,
      reusedTokens: this.#reused,
      storedTokens: held.reduce((sum, count) => sum + count, 0),
    };
  }

  /** Frees the context when it is idle; the next prompt creates another one. */
  async trim(): Promise<void> {
    if (this.#busy > 0) return;
    this.#drop();
    await this.#closed;
  }

  /** Opens the context for a prompt: where twice as much does not fit into memory, as much as the prompt needs. */
  async #openFor(tokens: number): Promise<void> {
    const grown = this.#tokens;
    const exact = Math.min(Math.ceil(tokens / STEP) * STEP, this.#settings.max);
    try {
      await this.open();
    } catch (error) {
      if (tokens <= FIRST) throw error;
      try {
        // Another prompt may have opened one meanwhile.
        if (this.#context === undefined) {
          if (exact >= grown) throw error;
          this.#tokens = exact;
        }
        await this.open();
      } catch (cause) {
        throw shortOfMemory(tokens, cause);
      }
    }
    // Another prompt that was let in with this one may have needed less.
    if (tokens > this.#tokens) throw shortOfMemory(tokens, undefined);
  }

  #admit(): void {
    for (let needed = this.#queue.head; needed !== undefined; needed = this.#queue.head) {
      if (this.#busy === this.#settings.size) return;
      if (needed > this.#tokens) {
        if (this.#busy > 0) return;
        this.#drop();
        while (this.#tokens < needed) this.#tokens = Math.min(2 * this.#tokens, this.#settings.max);
      }
      this.#busy++;
      this.#queue.admitNext();
    }
  }

  /** Closes the context; the next one starts small again. */
  #drop(): void {
    const context = this.#context;
    this.#context = undefined;
    this.#idle = [];
    this.#count = 0;
    this.#tokens = Math.min(FIRST, this.#settings.max);
    this.#closed = Promise.allSettled([this.#closed, context?.then((open) => open.dispose())]).then(() => {});
  }

  /** The sequence with the lowest cost: tokens to evaluate plus tokens to discard. */
  #choose(prompt: readonly Token[]): LlamaContextSequence {
    const costs = this.#idle.map((sequence) => {
      const shared = sequence.compareContextTokens(prompt as Token[]).firstDifferentIndex;
      return prompt.length - shared + sequence.nextTokenIndex - shared;
    });
    return this.#idle.splice(costs.indexOf(Math.min(...costs)), 1)[0];
  }

  async #cut(sequence: LlamaContextSequence, prompt: readonly Token[]): Promise<void> {
    if (!this.#settings.reuse) return await sequence.clearHistory();
    await sequence.adaptStateToTokens(prompt.slice(0, -1), false);
    const reused = sequence.nextTokenIndex;
    this.#reused += reused;
    this.#stored++;
    if (reused > 0) this.#hits++;
    else this.#misses++;
  }
}

/** As sequences hold them: negative ids, those of images, without their sign. */
function heldTokens(prompt: readonly number[]): Token[] {
  return prompt.map((id) => (id >>> 0) as Token);
}

function shortOfMemory(tokens: number, cause: unknown): SvcError {
  const why = cause instanceof Error ? `llama.cpp says "${cause.message}"` : "memory suffices for fewer";
  return new SvcError(
    "memory_pressure",
    `Cannot generate: prompt and answer have ${tokens} tokens, and ${why}, expected enough memory for them; ` +
      "shorten the chat, lower max_tokens, set a smaller kvCacheMode, or unload other models",
    { cause },
  );
}
