/**
 * Everything between a request and an engine: the line, the models in memory, the memory guard.
 *
 * @module
 */
import type { AdmittedRequest, RequestInfo } from "./admitted_request.ts";
import type { Clock } from "./clock.ts";
import type { Engine } from "./engine.ts";
import type { LaneModel } from "./lane.ts";
import { MemoryGuard, type MemoryProbe } from "./memory_guard.ts";
import type { GuardSettings } from "./memory_limits.ts";
import { MemoryReservation } from "./memory_reservation.ts";
import type { ReadSettings } from "./model_settings.ts";
import { RequestQueue } from "./request_queue.ts";
import { type RuntimeStatus, runtimeStatus } from "./runtime_status.ts";
import { type LaneOperation, SidecarPool } from "./sidecar_pool.ts";
import { type ModelStatus, type TextModel, TextPool } from "./text_pool.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** What a {@linkcode ModelRuntime} is made with. */
export interface ModelRuntimeOptions<T extends Engine, S extends Engine> {
  readonly clock: Clock;
  /** Makes the id of a request. */
  readonly newId: () => string;
  readonly guard: GuardSettings;
  readonly probe: MemoryProbe;
  /** Requests with a slot at a time, 1 or more. */
  readonly maxActiveRequests: number;
  /** Requests that may wait, 1 or more. */
  readonly maxQueuedRequests: number;
  readonly settings: ReadSettings;
  /** Id of the model that the server was started with. */
  readonly defaultModel?: string;
  /** Starts the engine of a model; an abort of the signal ends the start, which then leaves nothing behind. */
  readonly startText: (model: TextModel, signal: AbortSignal) => Promise<T>;
  /** The same for models of lanes. */
  readonly startSidecar: (model: LaneModel, signal: AbortSignal) => Promise<S>;
}

/** Works with an engine; the signal aborts when the client has gone, the server stops or the engine ends. */
export type EngineWork<E extends Engine, R> = (engine: E, signal: AbortSignal, request: AdmittedRequest) => Promise<R>;

/**
 * Runs requests on models: each waits in the one line, gets its model loaded where it is not, and frees its slot when
 * its work has settled. Everything from outside (clock, memory probe, ids, settings, engines) is given to it.
 */
export class ModelRuntime<T extends Engine, S extends Engine> {
  readonly #defaultModel: string | undefined;
  readonly #guard: MemoryGuard;
  readonly #queue: RequestQueue;
  readonly #reservation: MemoryReservation;
  readonly #text: TextPool<T>;
  readonly #sidecars: SidecarPool<S>;
  #closed: Promise<void> | undefined;

  constructor(options: ModelRuntimeOptions<T, S>) {
    const { clock, settings, defaultModel } = options;
    this.#defaultModel = defaultModel;
    this.#guard = new MemoryGuard(options.guard, options.probe);
    this.#queue = new RequestQueue({ ...options, pressure: () => this.#guard.pressure() });
    this.#reservation = new MemoryReservation(this.#guard, () => [...this.#text.idle(), ...this.#sidecars.idle()]);
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
    this.#sidecars = new SidecarPool<S>({ ...shared, start: options.startSidecar });
  }

  /**
   * Works with a model that chats.
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

  /** Works with the model of a lane. Throws as {@linkcode text}. */
  async sidecar<R>(operation: LaneOperation, signal: AbortSignal, work: EngineWork<S, R>): Promise<R> {
    return await this.#run({ model: operation.model.id }, signal, (request) => {
      return this.#sidecars.use(operation, request.signal, (engine, abort) => work(engine, abort, request));
    });
  }

  /** Loads a model that chats; one that is loaded is only touched. Throws as {@linkcode text}. */
  async load(model: TextModel, signal: AbortSignal): Promise<ModelStatus> {
    return await this.#run({ model: model.id }, signal, (request) => {
      request.enter("loading_model");
      return this.#text.load(model, request.signal);
    });
  }

  /**
   * Unloads a model that chats, pinned or not.
   *
   * @throws {SvcError} `model_in_use`, `queue_full`, `server_stopping`.
   */
  async unload(model: string, signal: AbortSignal): Promise<ModelStatus> {
    return await this.#run({ model }, signal, () => this.#text.unload(model));
  }

  /**
   * Unloads what is due, then tells how things stand. Never waits in the line.
   *
   * @param models Ids to be listed besides those that the pool knows, such as all that are installed.
   */
  async status(models: readonly string[]): Promise<RuntimeStatus> {
    await this.#expire();
    const reading = await this.#reservation.relieve();
    const ids = [...models, ...this.#text.known(), ...(this.#defaultModel ? [this.#defaultModel] : [])];
    return runtimeStatus({
      defaultModel: this.#defaultModel,
      models: [...new Set(ids)].sort().map((id) => this.#text.status(id)),
      lanes: this.#sidecars.status(),
      admission: this.#queue.status(),
      tier: this.#guard.settings.tier,
      reading,
    });
  }

  /**
   * Takes no more requests, lets those with a slot end, and ends all engines.
   *
   * @param deadline Cancels what is still at work when it aborts.
   */
  close(deadline: AbortSignal): Promise<void> {
    return this.#closed ??= this.#close(deadline);
  }

  /** Memory is looked at before the request and after its slot is free, when its model may go. */
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
    await Promise.all([this.#text.expire(), this.#sidecars.expire()]);
  }

  async #close(deadline: AbortSignal): Promise<void> {
    const reason = new SvcError("server_stopping", "Cannot finish the request: the server is stopping");
    const endEngines = () => Promise.all([this.#text.close(reason), this.#sidecars.close(reason)]);
    const cut = () => void endEngines();
    if (deadline.aborted) cut();
    deadline.addEventListener("abort", cut);
    await this.#queue.close(deadline);
    deadline.removeEventListener("abort", cut);
    await endEngines();
  }
}
