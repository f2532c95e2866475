/**
 * The server's side of an engine's process.
 *
 * @module
 */
import type { ChatEngine, ChatListener, ChatOutcome, EngineProcess, OperationEngine } from "../contract/chat_engine.ts";
import { ENGINE_TIMEOUTS, type EngineChild, type EngineTimeouts } from "./engine_child.ts";
import { reviveError } from "../../errors/carried_error.ts";
import type { EngineReply } from "./engine_messages.ts";
import type { EngineModel } from "../contract/engine_entry.ts";
import type { EngineSettings } from "../contract/engine_settings.ts";
import { EngineTasks, type TaskListener } from "./engine_tasks.ts";

type ReadyReply = Extract<EngineReply, { kind: "ready" }>;

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
  let abort = () => {};
  const ready = new Promise<ReadyReply>((resolve, reject) => {
    abort = () => reject(signal.reason);
    void child.exited.then(reject);
    child.port.onMessage((reply) => {
      if (reply.kind === "loading") onProgress(reply.fraction);
      else if (reply.kind === "failed") reject(reviveError(reply.error));
      else if (reply.kind === "ready") resolve(reply);
      else tasks.hear(reply);
    });
  });
  ready.catch(() => {}); // not awaited when the signal had aborted before
  signal.addEventListener("abort", abort);
  try {
    signal.throwIfAborted();
    void child.port.send({ kind: "open", model, settings });
    const { profile, device, tried, counters } = await ready;
    const loadSeconds = (performance.now() - started) / 1000;
    const common = { ...processOf(child, tasks, timeouts), device, tried, loadSeconds };
    if (profile.kind !== "chat") return operationEngine({ ...common, kind: "operations", profile }, tasks);
    tasks.counters = counters ?? {};
    return chatEngine({ ...common, kind: "chat", profile }, tasks);
  } catch (error) {
    child.kill();
    await child.exited;
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
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
    trim: () => tasks.run<void>({ task: "trim" }, {}, new AbortController().signal),
    stop: async () => {
      void child.port.send({ kind: "stop" });
      const hangs = setTimeout(() => child.kill(), timeouts.stop);
      await child.exited;
      clearTimeout(hangs);
    },
  };
}

function chatEngine(common: Omit<ChatEngine, "chat" | "counters">, tasks: EngineTasks): ChatEngine {
  return {
    ...common,
    get counters() {
      return tasks.counters;
    },
    chat: (request, options, listener: ChatListener, signal) =>
      tasks.run<ChatOutcome>({ task: "chat", request, options }, listener, signal),
  };
}

function operationEngine(common: Omit<OperationEngine, "perform">, tasks: EngineTasks): OperationEngine {
  return {
    ...common,
    perform: ({ name }, input, { folder, ...listener }, signal) =>
      tasks.run({ task: "operation", name, input, folder }, listener as TaskListener, signal),
  };
}
