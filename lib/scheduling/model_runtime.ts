/**
 * Everything between a request and an engine: the queue, the loaded models, the memory guard.
 *
 * @module
 */
import type { AdmittedRequest, RequestInfo } from "./admitted_request.ts";
import type { Clock, Engine } from "./engine.ts";
import type { LaneModel } from "./lane.ts";
import { MemoryGuard, type MemoryProbe } from "./memory/memory_guard.ts";
import type { GuardSettings } from "./memory/memory_limits.ts";
import type { DeviceMemory } from "./memory/eviction_order.ts";
import { MemoryReservation } from "./memory/memory_reservation.ts";
import type { ReadSettings } from "./lane_status.ts";
import { RequestQueue } from "./request_queue.ts";
import { type RuntimeStatus, runtimeStatus } from "./runtime_status.ts";
import { type LaneOperation, LanePool } from "./lane_pool.ts";
import { type ModelStatus, type TextModel, TextPool } from "./text_pool.ts";
import { SvcError } from "../errors/svc_error.ts";

/** Options of a {@linkcode ModelRuntime}. */
export interface ModelRuntimeOptions<T extends Engine, S extends Engine> {
  readonly clock: Clock;
  /** Creates a request id. */
  readonly newId: () => string;
  readonly guard: GuardSettings;
  readonly probe: MemoryProbe;
  /** Memory of the GPU that text models may be loaded on; undefined while it is not known, or for none. */
  readonly deviceBytes?: (() => number | undefined) | undefined;
  /** Requests that may hold a slot at a time, at least 1. */
  readonly maxActiveRequests: number;
  /** Requests that may be queued, at least 1. */
  readonly maxQueuedRequests: number;
  readonly settings: ReadSettings;
  /** Id of the startup model. */
  readonly defaultModel?: string;
  /** Starts the engine of a model; aborting the signal cancels the start, which then leaves nothing behind. */
  readonly startText: (model: TextModel, signal: AbortSignal) => Promise<T>;
  /** The same for lane models. */
  readonly startLaneEngine: (model: LaneModel, signal: AbortSignal) => Promise<S>;
}

/** Work on an engine; the signal aborts when the client disconnects, the server stops or the engine exits. */
export type EngineWork<E extends Engine, R> = (engine: E, signal: AbortSignal, request: AdmittedRequest) => Promise<R>;

/**
 * Runs requests on models: each is queued, gets its model loaded if necessary, and frees its slot when its work has
 * settled. Clock, memory probe, ids, settings and engines are injected.
 */
export class ModelRuntime<T extends Engine, S extends Engine> {
  readonly #defaultModel: string | undefined;
  readonly #guard: MemoryGuard;
  readonly #deviceBytes: () => number | undefined;
  readonly #queue: RequestQueue;
  readonly #reservation: MemoryReservation;
  readonly #text: TextPool<T>;
  readonly #lanes: LanePool<S>;
  #closed: Promise<void> | undefined;

  constructor(options: ModelRuntimeOptions<T, S>) {
    const { clock, settings, defaultModel } = options;
    this.#defaultModel = defaultModel;
    this.#deviceBytes = options.deviceBytes ?? (() => undefined);
    this.#guard = new MemoryGuard(options.guard, options.probe);
    this.#queue = new RequestQueue({ ...options, pressure: () => this.#guard.pressure() });
    this.#reservation = new MemoryReservation(
      this.#guard,
      () => [...this.#text.idle(), ...this.#lanes.idle()],
      () => this.#device(),
    );
    const shared = {
      clock,
      settings,
      reservation: this.#reservation,
      wantedBy: (model: string) => this.#queue.wantedBy(model),
    };
    this.#text = new TextPool<T>({
      ...shared,
      ...(defaultModel === undefined ? {} : { defaultModel }),
      start: options.startText,
    });
    this.#lanes = new LanePool<S>({ ...shared, start: options.startLaneEngine });
  }

  /**
   * Runs `work` on a text model.
   *
   * @throws {SvcError} for every reason of the pool; each has its `code`.
   * @throws the reason of `signal` when it aborts before the work has begun, and whatever the work throws.
   */
  async text<R>(model: TextModel, info: RequestInfo, signal: AbortSignal, work: EngineWork<T, R>): Promise<R> {
    return await this.#run({ ...info, model: model.id }, signal, async (request) => {
      if (!this.#text.status(model.id).ready) request.enter("loading_model");
      return await this.#text.use(model, request.signal, (engine, abort) => {
        request.enter("prefill");
        return work(engine, abort, request);
      });
    });
  }

  /** Runs `work` on a lane model. Throws as {@linkcode text}. */
  async useLane<R>(operation: LaneOperation, signal: AbortSignal, work: EngineWork<S, R>): Promise<R> {
    return await this.#run({ model: operation.model.id }, signal, (request) => {
      if (!this.#lanes.holds(operation)) request.enter("loading_model");
      return this.#lanes.use(operation, request.signal, (engine, abort) => {
        request.enter("decode");
        return work(engine, abort, request);
      });
    });
  }

  /**
   * Runs `work` on a lane model for a request that holds a slot already, or held one. Throws as {@linkcode text}, and
   * `server_stopping`.
   */
  async useLaneBeside<R>(
    operation: LaneOperation,
    signal: AbortSignal,
    work: (engine: S, signal: AbortSignal) => Promise<R>,
  ): Promise<R> {
    if (this.#closed) throw stopping();
    return await this.#lanes.use(operation, signal, work);
  }

  /** Loads a text model, or updates the last access of a loaded one. Throws as {@linkcode text}. */
  async load(model: TextModel, signal: AbortSignal): Promise<ModelStatus> {
    return await this.#run({ model: model.id }, signal, (request) => {
      request.enter("loading_model");
      return this.#text.load(model, request.signal);
    });
  }

  /**
   * Unloads a text model, pinned or not.
   *
   * @throws {SvcError} `model_in_use`, `queue_full`, `server_stopping`.
   */
  async unload(model: string, signal: AbortSignal): Promise<ModelStatus> {
    return await this.#run({ model }, signal, () => this.#text.unload(model));
  }

  /**
   * Unloads expired models, then reports the status. Never queued.
   *
   * @param models Ids to list besides those in the scheduler, such as all installed models.
   */
  async status(models: readonly string[]): Promise<RuntimeStatus> {
    await this.#expire();
    const reading = await this.#reservation.relieve();
    const ids = [...models, ...this.#text.known(), ...(this.#defaultModel ? [this.#defaultModel] : [])];
    return runtimeStatus({
      defaultModel: this.#defaultModel,
      models: [...new Set(ids)].sort().map((id) => this.#text.status(id)),
      lanes: this.#lanes.status(),
      admission: this.#queue.status(),
      tier: this.#guard.settings.tier,
      reading,
      device: this.#device(),
    });
  }

  #device(): DeviceMemory | undefined {
    const totalBytes = this.#deviceBytes();
    return totalBytes === undefined ? undefined : { totalBytes, modelBytes: this.#text.deviceBytes() };
  }

  /**
   * Refuses new requests, lets those with a slot finish, and stops all engines.
   *
   * @param deadline Cancels the remaining work when it aborts.
   */
  close(deadline: AbortSignal): Promise<void> {
    return this.#closed ??= this.#close(deadline);
  }

  /** Memory is checked before the request, and again after its slot is free, when its model may be evicted. */
  async #run<R>(info: RequestInfo, signal: AbortSignal, work: (request: AdmittedRequest) => Promise<R>): Promise<R> {
    try {
      return await this.#queue.run(info, signal, async (request) => {
        await this.#expire();
        await this.#reservation.relieve();
        return await work(request);
      });
    } finally {
      await this.#reservation.relieve();
    }
  }

  async #expire(): Promise<void> {
    await Promise.all([this.#text.expire(), this.#lanes.expire()]);
  }

  async #close(deadline: AbortSignal): Promise<void> {
    const reason = stopping();
    const endEngines = () => Promise.all([this.#text.close(reason), this.#lanes.close(reason)]);
    const cut = () => void endEngines();
    if (deadline.aborted) cut();
    deadline.addEventListener("abort", cut);
    await this.#queue.close(deadline);
    deadline.removeEventListener("abort", cut);
    await endEngines();
  }
}

function stopping(): SvcError {
  return new SvcError("server_stopping", "Cannot finish the request: the server is stopping");
}
