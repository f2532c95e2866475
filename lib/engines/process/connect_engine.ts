/**
 * The server's side of an engine's process.
 *
 * @module
 */
import { RpcClient } from "../../platform/rpc/rpc_client.ts";
import { type CarriedError, reviveError } from "../../errors/carried_error.ts";
import type { ChatEngine, ChatListener, EngineProcess, OperationEngine } from "../contract/chat_engine.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { EngineSettings } from "../contract/engine_settings.ts";
import type { EngineCounters } from "../contract/language_model.ts";
import type { EngineModel } from "../contract/engine_entry.ts";
import type { OperationListener } from "../contract/operation.ts";
import { ENGINE_TIMEOUTS, type EngineChild, type EngineTimeouts } from "./engine_child.ts";
import type { EngineService, EngineTask, TaskEvent } from "./engine_service.ts";

/** Options of {@linkcode connectEngine}. */
export interface ConnectOptions {
  readonly model: EngineModel;
  readonly settings: EngineSettings;
  /** Called on the progress of the load, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  readonly timeouts?: EngineTimeouts;
}

/**
 * Opens a model in a process, and resolves when it is ready.
 *
 * @throws {SvcError} what the engine says about the model.
 * @throws {Error} when the model cannot be opened or the process ends.
 * @throws the reason of `signal` when it aborts; the process has ended by then, as it has after any other error.
 */
export async function connectEngine(
  child: EngineChild,
  { model, settings, onProgress, timeouts = ENGINE_TIMEOUTS }: ConnectOptions,
  signal: AbortSignal,
): Promise<ChatEngine | OperationEngine> {
  const started = performance.now();
  const tasks = new EngineTasks(child, timeouts);
  try {
    const { profile, device, tried, counters } = await tasks.open(model, settings, onProgress, signal);
    const loadSeconds = (performance.now() - started) / 1000;
    const common = { ...processOf(child, tasks, timeouts), device, tried, loadSeconds };
    if (profile.kind !== "chat") return operationEngine({ ...common, kind: "operations", profile }, tasks);
    tasks.counters = counters ?? {};
    return chatEngine({ ...common, kind: "chat", profile }, tasks);
  } catch (error) {
    child.kill();
    await child.exited;
    throw error;
  }
}

function processOf(
  child: EngineChild,
  tasks: EngineTasks,
  timeouts: EngineTimeouts,
): Omit<EngineProcess, "device" | "tried" | "loadSeconds"> {
  return {
    processID: child.processID,
    exited: child.exited,
    trim: () => tasks.run("trim", [], {}, new AbortController().signal),
    stop: async () => {
      tasks.stop();
      const hangs = setTimeout(() => child.kill(), timeouts.stop);
      await child.exited;
      clearTimeout(hangs);
    },
  };
}

function chatEngine(
  common: Omit<ChatEngine, "chat" | "prepare" | "look" | "counters">,
  tasks: EngineTasks,
): ChatEngine {
  return {
    ...common,
    get counters() {
      return tasks.counters;
    },
    chat: (request, options, listener: ChatListener, signal) => tasks.run("chat", [request, options], listener, signal),
    prepare: (request, now, _listener, signal) => tasks.run("prepare", [request, now], {}, signal),
    look: (look, _listener, signal) => tasks.run("look", [look], {}, signal),
  };
}

function operationEngine(common: Omit<OperationEngine, "perform">, tasks: EngineTasks): OperationEngine {
  return {
    ...common,
    perform: ({ name }, input, { folder, ...listener }, signal) =>
      tasks.run("operation", [name, input, folder], listener as TaskListener, signal) as Promise<never>,
  };
}

/** Reports to the caller of a task. */
type TaskListener = Partial<ChatListener> & Omit<OperationListener<never>, "folder">;

/** Runs tasks, and ends a process that hangs or has lost its device. */
class EngineTasks {
  /** As last reported. */
  counters: EngineCounters = {};
  readonly #child: EngineChild;
  readonly #timeouts: EngineTimeouts;
  readonly #client: RpcClient<EngineService>;
  #lost = false;

  constructor(child: EngineChild, timeouts: EngineTimeouts) {
    this.#child = child;
    this.#timeouts = timeouts;
    this.#client = new RpcClient(child.port, {
      ended: child.exited,
      hangs: { after: timeouts.cancel, kill: () => child.kill() },
      revive: (error) => this.#revive(error),
    });
  }

  open(
    model: EngineModel,
    settings: EngineSettings,
    onEvent: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<EngineService["open"]["answer"]> {
    return this.#client.call("open", [model, settings], { signal, leaves: true, onEvent });
  }

  /** The end of the process is the answer. */
  stop(): void {
    this.#client.call("stop", []).catch(() => {});
  }

  /**
   * Runs a task to its end.
   *
   * @throws the reason of `signal` when it aborts, once the task has ended: a process that does not end it is killed.
   * @throws what `listener.onEvent` throws, which cancels the task likewise.
   */
  async run<T extends EngineTask>(
    task: T,
    args: EngineService[T]["args"],
    listener: TaskListener,
    signal: AbortSignal,
  ): Promise<EngineService[T]["answer"]> {
    let hangs: ReturnType<typeof setTimeout> | undefined;
    let hung: SvcError | undefined;
    const onEvent = (event: TaskEvent): void | Promise<void> => {
      clearTimeout(hangs);
      if (event.kind !== "preparing") return this.#hear(event, listener);
      // Nothing can stop a compiler or a regular expression but the end of its process.
      hangs = setTimeout(() => {
        hung = this.#hung(task === "operation" ? args[0] as string : undefined);
        this.#child.kill();
      }, this.#timeouts.prepare);
    };
    try {
      return await this.#client.call(task, args, { signal, onEvent });
    } catch (error) {
      if (this.#lost) await this.#child.exited;
      throw signal.aborted ? signal.reason : hung ?? error;
    } finally {
      clearTimeout(hangs);
    }
  }

  #hear(event: Exclude<TaskEvent, { kind: "preparing" }>, listener: TaskListener): void | Promise<void> {
    if ("counters" in event && event.counters !== undefined) this.counters = event.counters;
    switch (event.kind) {
      case "prefill":
        return listener.onPrefill?.(event.done, event.total);
      case "draft":
        return listener.onDraft?.(event.draft);
      case "text":
        if (event.tokens > 0) listener.onTokens?.(event.tokens);
        if (event.reasoning !== undefined) listener.onReasoning?.(event.reasoning);
        if (event.text !== "") listener.onText?.(event.text);
        return;
      case "progress":
        return listener.onProgress?.(event.fraction, event.stage);
      case "part":
        return listener.onEvent?.(event.part as never);
    }
  }

  /** A process cannot recover a lost device, so it ends; the next request starts a new one. */
  #revive(carried: CarriedError): Error {
    const error = reviveError(carried);
    if (error instanceof SvcError && error.code === "device_lost") {
      this.#lost = true;
      this.#child.kill();
    }
    return error;
  }

  #hung(operation: string | undefined): SvcError {
    const seconds = Math.ceil(this.#timeouts.prepare / 1000);
    const message = operation === undefined
      ? `Cannot complete the chat: its messages, tools and schema were not prepared after ${seconds} s, expected ` +
        "simpler ones"
      : `Cannot ${operation} the texts: they were not turned into tokens after ${seconds} s, expected fewer or simpler ones`;
    return new SvcError("preparation_timeout", message);
  }
}
