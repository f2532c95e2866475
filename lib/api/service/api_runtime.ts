/**
 * The scheduler of a model API server, and its running engines.
 *
 * @module
 */
import type { ChatEngine, SidecarEngine } from "../../engines/text/chat_engine.ts";
import {
  type EngineWork,
  type LaneKind,
  ModelRuntime,
  type ModelRuntimeOptions,
  type RequestInfo,
} from "../scheduler/mod.ts";
import type { ModelStatus, RuntimeStatus } from "../scheduler/mod.ts";
import type { InstalledModel, RuntimeSettings } from "../store/installed_model.ts";
import type { ModelDirectory } from "./model_directory.ts";

/** Starts an engine in its own process; aborting the signal cancels the start, which then leaves nothing behind. */
export type StartModel<E> = (model: InstalledModel, settings: RuntimeSettings, signal: AbortSignal) => Promise<E>;

type PoolOptions = ModelRuntimeOptions<ChatEngine, SidecarEngine>;

/** Options of an {@linkcode ApiRuntime}. */
export interface ApiRuntimeOptions extends Omit<PoolOptions, "settings" | "startText" | "startSidecar"> {
  readonly directory: ModelDirectory;
  readonly startChat: StartModel<ChatEngine>;
  readonly startSidecar: StartModel<SidecarEngine>;
}

/** Runs requests on installed models. */
export class ApiRuntime {
  readonly #pool: ModelRuntime<ChatEngine, SidecarEngine>;
  /** Requested models by id: the scheduler only knows their ids. */
  readonly #models = new Map<string, InstalledModel>();
  readonly #chats = new Map<string, ChatEngine>();

  constructor(options: ApiRuntimeOptions) {
    const { directory, startChat, startSidecar, ...pool } = options;
    const start = async <E>({ id }: { readonly id: string }, how: StartModel<E>, signal: AbortSignal): Promise<E> => {
      const { settings } = await directory.look();
      return await how(this.#models.get(id)!, settings.get(id) ?? { pinned: false }, signal);
    };
    this.#pool = new ModelRuntime<ChatEngine, SidecarEngine>({
      ...pool,
      settings: (id) => directory.residency(id),
      startText: async (model, signal) => {
        const engine = await start(model, startChat, signal);
        this.#chats.set(model.id, engine);
        const forget = (): void => void (this.#chats.get(model.id) === engine && this.#chats.delete(model.id));
        engine.exited.then(forget, forget);
        return engine;
      },
      startSidecar: (model, signal) => start(model, startSidecar, signal),
    });
  }

  /** Engines of the loaded chat models, by id. */
  get chatEngines(): ReadonlyMap<string, ChatEngine> {
    return this.#chats;
  }

  /** Runs `work` on a chat model; see {@linkcode ModelRuntime.text}. */
  text<R>(
    model: InstalledModel,
    info: RequestInfo,
    signal: AbortSignal,
    work: EngineWork<ChatEngine, R>,
  ): Promise<R> {
    return this.#pool.text(this.#remember(model), info, signal, work);
  }

  /** Runs `work` on a lane model; see {@linkcode ModelRuntime.sidecar}. */
  sidecar<R>(
    lane: LaneKind,
    model: InstalledModel,
    signal: AbortSignal,
    work: EngineWork<SidecarEngine, R>,
  ): Promise<R> {
    const { id, bytes } = this.#remember(model);
    const variant = model.profile?.engine;
    const laneModel = { id, bytes, path: model.folder, ...(variant === undefined ? {} : { variant }) };
    return this.#pool.sidecar({ lane, model: laneModel, workBytes: 0 }, signal, work);
  }

  /** Loads a chat model; see {@linkcode ModelRuntime.load}. */
  load(model: InstalledModel, signal: AbortSignal): Promise<ModelStatus> {
    return this.#pool.load(this.#remember(model), signal);
  }

  /** Unloads a chat model; see {@linkcode ModelRuntime.unload}. */
  unload(id: string, signal: AbortSignal): Promise<ModelStatus> {
    return this.#pool.unload(id, signal);
  }

  /** The current status; see {@linkcode ModelRuntime.status}. */
  status(ids: readonly string[]): Promise<RuntimeStatus> {
    return this.#pool.status(ids);
  }

  /** Stops everything; see {@linkcode ModelRuntime.close}. */
  close(deadline: AbortSignal): Promise<void> {
    return this.#pool.close(deadline);
  }

  #remember(model: InstalledModel): { readonly id: string; readonly bytes: number } {
    this.#models.set(model.id, model);
    return { id: model.id, bytes: model.bytes };
  }
}
