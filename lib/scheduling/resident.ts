/**
 * One model in memory: its load, its users, its end.
 *
 * @module
 */
import type { Clock, Engine, StartEngine } from "./engine.ts";
import { Ending, linkSignals, orAbort } from "./linked_signal.ts";
import { modelUnavailable, SvcError } from "../errors/svc_error.ts";

/** Options of a {@linkcode Resident}. */
interface ResidentOptions<E extends Engine> {
  readonly id: string;
  readonly start: StartEngine<E>;
  readonly clock: Clock;
  /** Called once, when everything has been released. */
  readonly onEnd: (reason: SvcError) => void;
}

/**
 * A model from the start of its load to the exit of its engine. Loading begins at once; concurrent requests share the
 * load, which is cancelled when the last of them leaves. An ended resident is never reused, so that late events of one
 * engine cannot disturb the next.
 */
export class Resident<E extends Engine> {
  readonly id: string;
  /** Resolves when everything has been released. */
  readonly ended: Promise<void>;
  readonly #options: ResidentOptions<E>;
  /** The reason is what its users get. */
  readonly #end = new Ending();
  readonly #loaded: Promise<E>;
  #engine: E | undefined;
  #waiting = 0;
  #users = 0;
  #lastAccess: number;
  #loadedAt: number | undefined;

  constructor(options: ResidentOptions<E>) {
    this.id = options.id;
    this.#options = options;
    this.#lastAccess = options.clock.now();
    this.#loaded = this.#load();
    this.ended = this.#live();
  }

  /** Whether it is loading or loaded, and nothing has ended it. */
  get open(): boolean {
    return !this.#end.signal.aborted;
  }

  /** Whether it is loaded and usable. */
  get ready(): boolean {
    return this.#engine !== undefined && this.open;
  }

  /** Requests that use it, or are about to once it is loaded. */
  get activeRequests(): number {
    return this.ready ? this.#users + this.#waiting : 0;
  }

  /** Whether it is loaded, and not on the CPU. */
  get onDevice(): boolean {
    return this.ready && (this.#engine?.device ?? "cpu") !== "cpu";
  }

  /** Whether it is usable and no request uses it or is about to. */
  get idle(): boolean {
    return this.ready && this.activeRequests === 0;
  }

  /** Milliseconds since 1970. */
  get lastAccess(): number {
    return this.#lastAccess;
  }

  /** Milliseconds since 1970; undefined until it is loaded. */
  get loadedAt(): number | undefined {
    return this.#loadedAt;
  }

  /**
   * Waits until it is loaded, and counts as an access.
   *
   * @throws {SvcError} when the load fails, or with the reason of {@linkcode stop}.
   * @throws the reason of `signal` when it aborts first; the load is given up if nobody else waits for it.
   */
  async load(signal: AbortSignal): Promise<void> {
    await this.#enter(signal);
    this.#leave();
  }

  /**
   * Runs `work` on the engine.
   *
   * @param work Gets a signal that aborts when the client's does and when the engine ends.
   * @throws {SvcError} as {@linkcode load}, and at once when the engine ends, whatever the work makes of that.
   */
  async use<T>(signal: AbortSignal, work: (engine: E, signal: AbortSignal) => Promise<T>): Promise<T> {
    const engine = await this.#enter(signal);
    const link = linkSignals(signal, this.#end);
    let keep = () => {};
    try {
      this.#end.signal.throwIfAborted();
      const lost = new Promise<never>((_, reject) => keep = this.#end.onEnd(() => reject(this.#end.signal.reason)));
      return await Promise.race([work(engine, link.signal), lost]);
    } catch (error) {
      // An exiting engine rejects its work in the same turn, with an error of its own.
      if (signal.aborted || !await hasSettled(engine.exited)) throw error;
      this.#end.end(crashed(this.id, error)); // no effect if it was asked to stop
      throw this.#end.signal.reason;
    } finally {
      keep();
      link.unlink();
      this.#leave();
    }
  }

  /** Frees what the engine can rebuild. */
  async trim(): Promise<void> {
    await this.#engine?.trim().catch(() => {}); // nothing has been freed then, as the next sample shows
  }

  /** Stops it; its users get `reason`. Resolves when everything has been released. */
  stop(reason: SvcError): Promise<void> {
    this.#end.end(reason);
    return this.ended;
  }

  async #load(): Promise<E> {
    try {
      const engine = await this.#options.start(this.#end.signal);
      if (!this.open) await engine.stop();
      this.#end.signal.throwIfAborted();
      this.#engine = engine;
      this.#loadedAt = this.#options.clock.now();
      return engine;
    } catch (error) {
      this.#end.end(isPoolReason(error) ? error : loadFailed(this.id, error));
      throw this.#end.signal.reason;
    }
  }

  async #live(): Promise<void> {
    const engine = await this.#loaded.catch(() => undefined);
    if (engine) {
      const cause = await orAbort(engine.exited, this.#end.signal).catch((error) => error);
      this.#end.end(crashed(this.id, cause)); // no effect if it was asked to stop
      await engine.stop().catch(() => {}); // there is nothing left to do
    }
    this.#options.onEnd(this.#end.signal.reason);
  }

  async #enter(signal: AbortSignal): Promise<E> {
    this.#waiting++;
    const link = linkSignals(signal, this.#end);
    try {
      const engine = await orAbort(this.#loaded, link.signal);
      this.#users++;
      this.#lastAccess = this.#options.clock.now();
      return engine;
    } finally {
      link.unlink();
      this.#waiting--;
      if (!this.ready && this.#waiting === 0) await this.stop(unwanted(this.id));
    }
  }

  #leave(): void {
    this.#users--;
    this.#lastAccess = this.#options.clock.now();
  }
}

/** Whether a promise has settled. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  const yes = () => true;
  const no = Promise.resolve().then(() => {}).then(() => false); // runs after the callbacks of a settled promise
  return await Promise.race([promise.then(yes, yes), no]);
}

function loadFailed(id: string, cause: unknown): SvcError {
  const message = `Cannot load model ${id}: its engine failed to start, see the server's log`;
  return modelUnavailable("model_unavailable", message, cause);
}

function crashed(id: string, cause: unknown): SvcError {
  const message = `Cannot finish the request: the engine of model ${id} has crashed, retry to load it again`;
  return new SvcError("engine_crashed", message, { cause });
}

function unwanted(id: string): SvcError {
  return new SvcError("load_cancelled", `Cannot load model ${id}: all requests for it were cancelled`);
}

const reasons: readonly SvcError["code"][] = [
  "engine_crashed",
  "load_cancelled",
  "memory_pressure",
  "model_in_use",
  "model_unavailable",
  "queue_full",
  "server_stopping",
];

/** Whether an error is the pool's own, and not what an engine has failed with. */
function isPoolReason(error: unknown): error is SvcError {
  return error instanceof SvcError && reasons.includes(error.code);
}
