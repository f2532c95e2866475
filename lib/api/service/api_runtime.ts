/**
 * The scheduler of a model API server, and its running engines.
 *
 * @module
 */
import type { ChatEngine, OperationEngine } from "../../engines/contract/chat_engine.ts";
import { EngineEndedError } from "../../engines/process/engine_child.ts";
import { engines } from "../../engines/table/engine_table.ts";
import { modelKinds } from "../../engines/table/model_kinds.ts";
import type { Operation, OperationListener } from "../../engines/contract/operation.ts";
import { failureReason, modelUnavailable, SvcError } from "../../errors/svc_error.ts";
import {
  type EngineWork,
  type LaneOperation,
  ModelRuntime,
  type ModelRuntimeOptions,
  type ModelStatus,
  type RequestInfo,
  type RuntimeStatus,
} from "../../scheduling/mod.ts";
import { draftModelOf } from "../../store/catalog/resolve_model.ts";
import type { InstalledModel, RuntimeSettings } from "../../store/catalog/installed_model.ts";
import type { ModelDirectory } from "./model_directory.ts";

/**
 * Starts an engine in its own process; aborting the signal cancels the start, which then leaves nothing behind.
 * `companion` is another model whose files the engine reads, such as a draft model.
 */
export type StartModel<E> = (
  model: InstalledModel,
  settings: RuntimeSettings,
  signal: AbortSignal,
  companion?: InstalledModel,
) => Promise<E>;

type PoolOptions = ModelRuntimeOptions<ChatEngine, OperationEngine>;

/** Options of an {@linkcode ApiRuntime}. */
export interface ApiRuntimeOptions extends Omit<PoolOptions, "settings" | "startText" | "startLaneEngine"> {
  readonly directory: ModelDirectory;
  readonly startChat: StartModel<ChatEngine>;
  readonly startLaneEngine: StartModel<OperationEngine>;
}

/** An operation on an installed model of a lane. */
export interface ModelOperation<Input, Event, Output> extends Omit<OperationListener<Event>, "onProgress"> {
  readonly model: InstalledModel;
  readonly operation: Operation<Input, Event, Output>;
  readonly input: Input;
}

/** Runs requests on installed models. */
export class ApiRuntime {
  readonly #pool: ModelRuntime<ChatEngine, OperationEngine>;
  readonly #directory: ModelDirectory;
  /** Requested models by id: the scheduler only has their ids. */
  readonly #models = new Map<string, InstalledModel>();
  readonly #chats = new Map<string, ChatEngine>();

  constructor(options: ApiRuntimeOptions) {
    const { directory, startChat, startLaneEngine, ...pool } = options;
    this.#directory = directory;
    const start = async <E>({ id }: { readonly id: string }, how: StartModel<E>, signal: AbortSignal): Promise<E> => {
      const { settings, models } = await directory.look();
      const model = this.#models.get(id)!;
      const own = settings.get(id) ?? { pinned: false };
      const companion = draftModelOf(model, own, models) ?? companionOf(model, models);
      try {
        return await how(model, own, signal, companion);
      } catch (error) {
        if (error instanceof SvcError || signal.aborted) throw error;
        throw loadFailed(model, companion, error);
      }
    };
    this.#pool = new ModelRuntime<ChatEngine, OperationEngine>({
      ...pool,
      settings: (id) => directory.residency(id),
      startText: async (model, signal) => {
        const engine = await start(model, startChat, signal);
        this.#chats.set(model.id, engine);
        const forget = (): void => void (this.#chats.get(model.id) === engine && this.#chats.delete(model.id));
        engine.exited.then(forget, forget);
        return engine;
      },
      startLaneEngine: (model, signal) => start(model, startLaneEngine, signal),
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

  /**
   * Runs `work` on a chat model, which is loaded first, without taking a slot; once more where the model was unloaded
   * meanwhile.
   *
   * @throws {SvcError} as {@linkcode ModelRuntime.load}, and `engine_crashed`.
   */
  async aside<R>(model: InstalledModel, signal: AbortSignal, work: (engine: ChatEngine) => Promise<R>): Promise<R> {
    let cause: unknown;
    for (let attempt = 0; attempt < 2; attempt++) {
      if (!this.#chats.has(model.id)) await this.load(model, signal);
      try {
        const engine = this.#chats.get(model.id);
        if (engine !== undefined) return await work(engine);
      } catch (error) {
        if (!(error instanceof EngineEndedError)) throw error;
        cause = error;
      }
    }
    const message = `Cannot finish the request: the engine of model ${model.id} has ended, retry to load it again`;
    throw new SvcError("engine_crashed", message, { cause });
  }

  /**
   * Performs an operation on a model of a lane: reserves the memory of both, loads the model if necessary, reports
   * progress in the status, and cancels it when the client disconnects. Throws as {@linkcode ModelRuntime.text}, and
   * what the operation and `onEvent` throw.
   */
  perform<Input, Event, Output>(
    operation: ModelOperation<Input, Event, Output>,
    signal: AbortSignal,
  ): Promise<Output> {
    return this.#pool.useLane(this.#operationOf(operation), signal, (engine, abort, admitted) => {
      const onProgress = (fraction: number, stage: string) => admitted.progress(fraction, stage);
      return performOn(engine, operation, onProgress, abort);
    });
  }

  /**
   * The same as a part of a request that holds a slot, such as the voice of a chat, which must not wait for another
   * one: the lane admits it by itself.
   */
  performBeside<Input, Event, Output>(
    operation: ModelOperation<Input, Event, Output>,
    signal: AbortSignal,
  ): Promise<Output> {
    return this.#pool.useLaneBeside(
      this.#operationOf(operation),
      signal,
      (engine, abort) => performOn(engine, operation, () => {}, abort),
    );
  }

  #operationOf<Input, Event, Output>(operation: ModelOperation<Input, Event, Output>): LaneOperation {
    const { model, operation: { name }, input } = operation;
    return this.#laneOperation(model, workBytes(model, name, input));
  }

  /** Loads the model of a lane before it is needed. */
  async preload(model: InstalledModel, signal: AbortSignal): Promise<void> {
    await this.#pool.useLane(this.#laneOperation(model, 0), signal, () => Promise.resolve());
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

  #laneOperation(model: InstalledModel, bytesOfWork: number): LaneOperation {
    const { id, bytes } = this.#remember(model);
    const { profile, folder: path } = model;
    const lane = profile === undefined ? "text" : modelKinds[profile.kind].lane;
    if (profile === undefined || lane === "text") throw new Error(`Cannot use ${id}: it is not a model of a lane`);
    return { lane, model: { id, bytes, path, variant: profile.engine }, workBytes: bytesOfWork };
  }

  #remember(model: InstalledModel): { readonly id: string; readonly bytes: number } {
    this.#models.set(model.id, model);
    const draft = this.#directory.draftOf(model.id);
    return { id: model.id, bytes: loadBytes(model) + (draft === undefined ? 0 : loadBytes(draft)) };
  }
}

function performOn<Input, Event, Output>(
  engine: OperationEngine,
  { model, operation, input, onEvent, folder }: ModelOperation<Input, Event, Output>,
  onProgress: (fraction: number, stage: string) => void,
  signal: AbortSignal,
): Promise<Output> {
  if (engine.profile.kind !== model.profile?.kind) throw changedFiles();
  return engine.perform(operation, input, { onEvent, onProgress, folder }, signal);
}

/** Bytes that a model keeps while it is loaded. */
function loadBytes({ profile, bytes }: InstalledModel): number {
  return (profile && engines[profile.engine].loadBytes)?.(profile as never) ?? bytes;
}

/** Bytes that an operation takes beside its model. */
function workBytes({ profile }: InstalledModel, name: string, input: unknown): number {
  const memory = profile && engines[profile.engine].memory;
  return memory !== undefined && Object.hasOwn(memory, name) ? memory[name](input as never, profile as never) : 0;
}

/** The model whose files another one reads. */
function companionOf(
  { id, profile, files }: InstalledModel,
  models: readonly InstalledModel[],
): InstalledModel | undefined {
  const companion = profile && engines[profile.engine].companion;
  if (companion === undefined) return undefined;
  const found = models.find((model) => model.profile?.engine === companion.engine);
  if (found !== undefined || companion.optional(files.map(({ path }) => path))) return found;
  throw modelUnavailable("model_unavailable", `Cannot load model ${id}: ${companion.missing}`);
}

/** The reason in the answer: what is wrong with a file, or what a device lacks; the log has all of it. */
function loadFailed({ id, folder }: InstalledModel, companion: InstalledModel | undefined, cause: unknown): SvcError {
  const reason = failureReason(cause, companion === undefined ? [folder] : [folder, companion.folder]);
  return modelUnavailable("model_unavailable", `Cannot load model ${id}: ${reason}; the server's log has more`, cause);
}

function changedFiles(): Error {
  const message = "Cannot finish the request: the files of the model have changed since it was installed";
  return modelUnavailable("model_unavailable", message);
}
