/**
 * The pool of a model API server, and the engines that are in it.
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

/** Starts an engine in a process of its own; an abort of the signal ends the start, which then leaves nothing behind. */
export type StartModel<E> = (model: InstalledModel, settings: RuntimeSettings, signal: AbortSignal) => Promise<E>;

type PoolOptions = ModelRuntimeOptions<ChatEngine, SidecarEngine>;

/** What an {@linkcode ApiRuntime} is made with. */
export interface ApiRuntimeOptions extends Omit<PoolOptions, "settings" | "startText" | "startSidecar"> {
  readonly directory: ModelDirectory;
  readonly startChat: StartModel<ChatEngine>;
  readonly startSidecar: StartModel<SidecarEngine>;
}

/** Lets requests work with installed models. */
export class ApiRuntime {
  readonly #pool: ModelRuntime<ChatEngine, SidecarEngine>;
  /** Models that somebody asked for, by id: the pool knows no more of them than that. */
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

  /** Engines of the chat models that are loaded, by id. */
  get chatEngines(): ReadonlyMap<string, ChatEngine> {
    return this.#chats;
  }

  /** Works with a model that chats; see {@linkcode ModelRuntime.text}. */
  text<R>(
    model: InstalledModel,
    info: RequestInfo,
    signal: AbortSignal,
    work: EngineWork<ChatEngine, R>,
  ): Promise<R> {
    return this.#pool.text(this.#remember(model), info, signal, work);
  }

  /** Works with the model of a lane; see {@linkcode ModelRuntime.sidecar}. */
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

  /** Loads a model that chats; see {@linkcode ModelRuntime.load}. */
  load(model: InstalledModel, signal: AbortSignal): Promise<ModelStatus> {
    return this.#pool.load(this.#remember(model), signal);
  }

  /** Unloads a model that chats; see {@linkcode ModelRuntime.unload}. */
  unload(id: string, signal: AbortSignal): Promise<ModelStatus> {
    return this.#pool.unload(id, signal);
  }

  /** How things stand; see {@linkcode ModelRuntime.status}. */
  status(ids: readonly string[]): Promise<RuntimeStatus> {
    return this.#pool.status(ids);
  }

  /** Ends everything; see {@linkcode ModelRuntime.close}. */
  close(deadline: AbortSignal): Promise<void> {
    return this.#pool.close(deadline);
  }

  #remember(model: InstalledModel): { readonly id: string; readonly bytes: number } {
    this.#models.set(model.id, model);
    return { id: model.id, bytes: model.bytes };
  }
}
