/**
 * The text models: any number may be loaded, each once.
 *
 * @module
 */
import { type Clock, type Engine, isoTime } from "./engine.ts";
import type { IdleModel } from "./memory/eviction_order.ts";
import { orAbort } from "./linked_signal.ts";
import type { MemoryReservation } from "./memory/memory_reservation.ts";
import { isExpired, type ReadSettings } from "./lane_status.ts";
import { Resident } from "./resident.ts";
import { SvcError } from "../errors/svc_error.ts";

/** A text model. */
export interface TextModel {
  readonly id: string;
  /** Bytes that it takes when loaded. */
  readonly bytes: number;
}

/** Options of a {@linkcode TextPool}. */
export interface TextPoolOptions<E extends Engine> {
  readonly clock: Clock;
  readonly settings: ReadSettings;
  readonly reservation: MemoryReservation;
  /** Number of requests for a model that are queued or about to use it. */
  readonly wantedBy: (model: string) => number;
  /** Id of the startup model. */
  readonly defaultModel?: string;
  /** Starts the engine of a model; aborting the signal cancels the start, which then leaves nothing behind. */
  readonly start: (model: TextModel, signal: AbortSignal) => Promise<E>;
}

/** The status of a model, which is also the answer to its load and unload; times are ISO-8601. */
export interface ModelStatus {
  readonly id: string;
  /** Whether it is loaded or loading. */
  readonly loaded: boolean;
  /** Whether loading has finished; absent unless loaded. */
  readonly ready?: boolean;
  readonly activeRequests: number;
  readonly lastAccess?: string;
  /** Why the last load failed or the engine crashed. */
  readonly lastError?: string;
  readonly pinned: boolean;
  readonly ttlSeconds?: number;
}

interface History {
  lastAccess: number;
  lastError: string | undefined;
}

/** Loads models on demand, shares them, and unloads them after their idle time. */
export class TextPool<E extends Engine> {
  readonly #options: TextPoolOptions<E>;
  readonly #residents = new Map<string, Resident<E>>();
  readonly #history = new Map<string, History>();
  /** Of the models that were last loaded. */
  readonly #bytes = new Map<string, number>();
  #closed = false;

  constructor(options: TextPoolOptions<E>) {
    this.#options = options;
  }

  /**
   * Runs `work` on a model, which is loaded first if necessary.
   *
   * @throws {SvcError} `memory_pressure`, `model_unavailable`, `load_cancelled`, `engine_crashed`, `server_stopping`.
   * @throws the reason of `signal` when it aborts while the model loads.
   */
  async use<T>(
    model: TextModel,
    signal: AbortSignal,
    work: (engine: E, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return await this.#with(model, signal, (resident) => resident.use(signal, work));
  }

  /** Loads a model, or updates the last access of a loaded one. Throws as {@linkcode use}. */
  async load(model: TextModel, signal: AbortSignal): Promise<ModelStatus> {
    await this.#with(model, signal, (resident) => resident.load(signal));
    return this.status(model.id);
  }

  /**
   * Unloads a model, pinned or not, and cancels a load in progress. Does nothing if it is not loaded.
   *
   * @throws {SvcError} `model_in_use`.
   */
  async unload(id: string): Promise<ModelStatus> {
    const resident = this.#residents.get(id);
    if (resident?.ready && !resident.idle) {
      const active = resident.activeRequests;
      const requests = `${active} active request${active === 1 ? "" : "s"}`;
      const message = `Cannot unload model ${id}: it is in use by ${requests}, wait until they have finished`;
      throw new SvcError("model_in_use", message);
    }
    const message = `Cannot load model ${id}: it was unloaded while it was loading, retry`;
    await resident?.stop(new SvcError("load_cancelled", message));
    return this.status(id);
  }

  /** Unloads models whose idle time has passed. */
  async expire(): Promise<void> {
    const { clock, settings } = this.#options;
    const expired = this.idle().filter(({ id, pinned, queued, lastAccess }) =>
      !pinned && !queued && isExpired(lastAccess, clock.now(), settings(id).ttlSeconds)
    );
    await Promise.all(expired.map((model) => model.evict()));
  }

  /** The models that are loaded and idle. */
  idle(): IdleModel[] {
    const { settings, wantedBy, defaultModel } = this.#options;
    return [...this.#residents.values()].filter((resident) => resident.idle).map((resident) => ({
      id: resident.id,
      kind: "text",
      queued: wantedBy(resident.id) > 0,
      pinned: settings(resident.id).pinned,
      startupDefault: resident.id === defaultModel,
      onDevice: resident.onDevice,
      lastAccess: resident.lastAccess,
      trim: () => resident.trim(),
      evict: () => resident.stop(new SvcError("load_cancelled", `Cannot use model ${resident.id}: it was unloaded`)),
    }));
  }

  /** Bytes of the models that are loaded on a GPU. */
  deviceBytes(): number {
    return [...this.#residents.values()].filter(({ onDevice }) => onDevice)
      .reduce((sum, { id }) => sum + (this.#bytes.get(id) ?? 0), 0);
  }

  /** Ids of all models that are or were loaded, or failed to load. */
  known(): string[] {
    return [...new Set([...this.#residents.keys(), ...this.#history.keys()])].sort();
  }

  status(id: string): ModelStatus {
    const resident = this.#residents.get(id);
    const history = this.#history.get(id);
    const lastAccess = resident?.lastAccess ?? history?.lastAccess;
    const { pinned, ttlSeconds } = this.#options.settings(id);
    return {
      id,
      loaded: resident !== undefined,
      ...(resident ? { ready: resident.ready } : {}),
      activeRequests: resident?.activeRequests ?? 0,
      ...(lastAccess === undefined ? {} : { lastAccess: isoTime(lastAccess) }),
      ...(history?.lastError === undefined || resident?.ready ? {} : { lastError: history.lastError }),
      pinned,
      ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    };
  }

  /** Stops all engines and refuses further loads; users get `server_stopping`. */
  async close(reason: SvcError): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#residents.values()].map((resident) => resident.stop(reason)));
  }

  /**
   * Acts on the resident of a model synchronously, so that nothing can end it in between. A former resident must have
   * ended before a new one is created.
   */
  async #with<T>(model: TextModel, signal: AbortSignal, act: (resident: Resident<E>) => Promise<T>): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#closed) throw new SvcError("server_stopping", `Cannot load model ${model.id}: the server is stopping`);
      const found = this.#residents.get(model.id);
      if (!found) return await act(this.#begin(model));
      if (found.open) return await act(found);
      await orAbort(found.ended, signal);
    }
  }

  #begin(model: TextModel): Resident<E> {
    const { clock, reservation, start } = this.#options;
    this.#bytes.set(model.id, model.bytes);
    const resident = new Resident<E>({
      id: model.id,
      clock,
      start: (signal) =>
        reservation.during({ model: model.id, kind: "text", bytes: model.bytes }, signal, () => start(model, signal)),
      onEnd: (reason) => {
        const failed = reason.code !== "load_cancelled" && reason.code !== "server_stopping";
        const lastError = failed ? reason.message : undefined;
        this.#history.set(model.id, { lastAccess: resident.lastAccess, lastError });
        this.#residents.delete(model.id);
      },
    });
    this.#residents.set(model.id, resident);
    return resident;
  }
}
