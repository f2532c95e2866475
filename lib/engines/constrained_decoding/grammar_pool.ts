/**
 * Threads that compile grammars and match answers against them.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";
import type { WorkerHandle } from "../../platform/rpc/rpc_port.ts";
import type { Constrainer, OutputConstraint, TokenConstraint, TokenVocabulary } from "../contract/language_model.ts";
import { type PackedVocabulary, packVocabulary } from "./grammar_service.ts";
import { GrammarThread, ThreadMatch } from "./grammar_thread.ts";

/** Limits of a {@linkcode GrammarPool}. */
export interface GrammarPoolLimits {
  /** Threads at a time. */
  readonly threads: number;
  /** Threads that stay when they have nothing to do. */
  readonly idle: number;
  /** Milliseconds for compiling one grammar. */
  readonly compile: number;
}

const LIMITS: GrammarPoolLimits = { threads: 4, idle: 2, compile: 10_000 };

/** Grammars that may wait to be compiled. */
const MAX_WAITING = 64;

interface Compilation {
  readonly done: Promise<void>;
  readonly abort: AbortController;
  waiting: number;
}

/**
 * Creates constraints in threads. A grammar is compiled in a thread that matches no answer, so that it holds up none; when
 * it takes too long, or all waiting requests have been cancelled, the thread is ended.
 */
export class GrammarPool implements Constrainer {
  readonly #vocabulary: TokenVocabulary;
  readonly #spawn: () => Promise<WorkerHandle>;
  readonly #limits: GrammarPoolLimits;
  readonly #threads = new Set<GrammarThread>();
  readonly #compiling = new Map<string, Compilation>();
  #waiting: (() => void)[] = [];
  #packed: PackedVocabulary | undefined;
  #closed = false;

  /** @param spawn Starts a thread that runs `serveGrammars`; called for the first constraint, not before. */
  constructor(vocabulary: TokenVocabulary, spawn: () => Promise<WorkerHandle>, limits: GrammarPoolLimits = LIMITS) {
    this.#vocabulary = vocabulary;
    this.#spawn = spawn;
    this.#limits = limits;
  }

  /** Threads that run. */
  get threads(): number {
    return this.#threads.size;
  }

  async prepare(constraint: OutputConstraint, signal: AbortSignal): Promise<void> {
    await this.#ready(await keyOf(constraint), constraint, signal);
  }

  async constrain(constraint: OutputConstraint, signal: AbortSignal): Promise<TokenConstraint> {
    const key = await keyOf(constraint);
    for (;;) {
      const thread = await this.#ready(key, constraint, signal);
      if (thread.isCompiling) continue;
      thread.matches++;
      const released = (): void => {
        thread.matches--;
        this.#release();
      };
      try {
        const id = await thread.client.call("begin", [constraint], { signal });
        return new ThreadMatch(thread.client, id, released);
      } catch (error) {
        released();
        throw error;
      }
    }
  }

  close(): void {
    this.#closed = true;
    for (const thread of this.#threads) this.#end(thread);
  }

  /** A thread that has the grammar. */
  async #ready(key: string, constraint: OutputConstraint, signal: AbortSignal): Promise<GrammarThread> {
    for (;;) {
      signal.throwIfAborted();
      const found = [...this.#threads].find((thread) => !thread.isCompiling && thread.knows(key));
      if (found !== undefined) return found;
      await this.#compiled(key, constraint, signal);
    }
  }

  /** Waits for a compilation, which all requests for the same grammar share. */
  async #compiled(key: string, constraint: OutputConstraint, signal: AbortSignal): Promise<void> {
    let compilation = this.#compiling.get(key);
    if (compilation === undefined) {
      const abort = new AbortController();
      compilation = { abort, waiting: 0, done: this.#compile(key, constraint, abort.signal) };
      this.#compiling.set(key, compilation);
    }
    const one = compilation;
    const forget = (): void => void (this.#compiling.get(key) === one && this.#compiling.delete(key));
    one.waiting++;
    try {
      await orAborted(one.done.finally(forget), signal);
    } finally {
      if (--one.waiting === 0) {
        forget();
        one.abort.abort();
      }
    }
  }

  async #compile(key: string, constraint: OutputConstraint, signal: AbortSignal): Promise<void> {
    const thread = await this.#free(signal);
    let timeout: AbortSignal | undefined;
    try {
      await orAborted(thread.opened, signal);
      timeout = AbortSignal.timeout(this.#limits.compile);
      await thread.compile(constraint, AbortSignal.any([signal, timeout]));
      thread.learn(key);
    } catch (error) {
      if (error instanceof SvcError) throw error;
      this.#end(thread);
      if (signal.aborted || this.#closed || timeout === undefined) throw error;
      if (timeout.aborted) throw tooSlow(this.#limits.compile);
      throw isOutOfMemory(error) ? tooLarge(error) : error;
    } finally {
      thread.isCompiling = false;
      this.#release();
    }
  }

  /** A thread that does nothing else, which is compiling from then on. */
  async #free(signal: AbortSignal): Promise<GrammarThread> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#closed) throw new Error("Cannot compile a grammar: the model is closed");
      const idle = [...this.#threads].filter((thread) => thread.isIdle).sort((a, b) => a.known - b.known)[0];
      if (idle !== undefined) {
        idle.isCompiling = true;
        return idle;
      }
      if (this.#threads.size < this.#limits.threads) return this.#start();
      if (this.#waiting.length >= MAX_WAITING) throw tooMany();
      await orAborted(new Promise<void>((resolve) => this.#waiting.push(resolve)), signal);
    }
  }

  #start(): GrammarThread {
    this.#packed ??= packVocabulary(this.#vocabulary);
    const thread = new GrammarThread(this.#spawn(), this.#packed);
    this.#threads.add(thread);
    const gone = (): void => void this.#threads.delete(thread);
    thread.ended.then(gone, gone);
    return thread;
  }

  #end(thread: GrammarThread): void {
    this.#threads.delete(thread);
    thread.terminate();
  }

  /** A thread has less to do: waiting requests look again, and there are not more idle ones than stay. */
  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
    if (waiting.length > 0) return;
    const idle = [...this.#threads].filter((thread) => thread.isIdle).sort((a, b) => b.known - a.known);
    for (const thread of idle.slice(this.#limits.idle)) this.#end(thread);
  }
}

/** The hash of a constraint. */
async function keyOf(constraint: OutputConstraint): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(constraint));
  return String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let leave = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
    work.catch(() => {});
  }
}

function tooSlow(milliseconds: number): SvcError {
  const message = `Cannot complete the chat: its schema was not compiled after ${Math.ceil(milliseconds / 1000)} s, ` +
    "expected a simpler one";
  return new SvcError("preparation_timeout", message);
}

function tooMany(): SvcError {
  const message = `Cannot accept the request: ${MAX_WAITING} schemas wait to be compiled, which is the maximum; ` +
    "try again later";
  return new SvcError("queue_full", message);
}

/** Whether the compiler, whose memory is at most 4 GiB, or its thread had too little memory or stack. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /memory|OOM|call stack/.test(`${error.name} ${error.message}`);
}

function tooLarge(cause: unknown): SvcError {
  const message = "Cannot complete the chat: its schema is too large for the grammar compiler, expected a simpler one";
  return new SvcError("preparation_timeout", message, { cause });
}
