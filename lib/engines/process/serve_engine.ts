/**
 * The engine's side of its process: tasks arrive as messages.
 *
 * @module
 */
import { type CarriedError, carryError } from "../../errors/carried_error.ts";
import type { EnginePort, EngineReply, EngineRequest, EngineTask } from "./engine_messages.ts";
import type { EngineCounters } from "../contract/language_model.ts";
import type { OpenedEngine, OpenEngine } from "../contract/engine_entry.ts";
import { RunningOperation } from "./running_operation.ts";
import { TaskOutbox } from "./task_outbox.ts";

/** A task that runs. */
interface RunningTask {
  readonly abort: AbortController;
  readonly operation: RunningOperation | undefined;
  readonly ended: Promise<void>;
}

/**
 * Opens the model that the first message names and runs tasks until it is asked to stop. Resolves when all tasks have
 * ended and the model is closed, or at once when the model could not be opened.
 */
export function serveEngine(port: EnginePort<EngineReply, EngineRequest>, open: OpenEngine): Promise<void> {
  const running = new Map<number, RunningTask>();
  let engine: OpenedEngine | undefined;
  return new Promise((resolve) => {
    port.onMessage((message) => {
      switch (message.kind) {
        case "open":
          void load(message);
          break;
        case "task":
          if (engine) start(engine, message);
          break;
        case "taken":
          running.get(message.id)?.operation?.taken();
          break;
        case "cancel":
          running.get(message.id)?.abort.abort();
          break;
        case "stop":
          void stop();
          break;
      }
    });

    async function load({ model, settings }: Extract<EngineRequest, { kind: "open" }>): Promise<void> {
      try {
        engine = await open(model, settings, (fraction) => void port.send({ kind: "loading", fraction }));
        const { profile, device, tried } = engine.model;
        await port.send({ kind: "ready", profile, device, ...tried?.length ? { tried } : {}, ...countersOf(engine) });
      } catch (error) {
        await port.send({ kind: "failed", error: carryError(error) });
        resolve();
      }
    }

    function start(engine: OpenedEngine, task: { readonly id: number } & EngineTask): void {
      const abort = new AbortController();
      const operation = task.task === "operation"
        ? new RunningOperation(port, task.id, task.folder, abort.signal)
        : undefined;
      const ended = answer(port, engine, task, operation, abort.signal).finally(() => running.delete(task.id));
      running.set(task.id, { abort, operation, ended });
    }

    async function stop(): Promise<void> {
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
      await engine?.model.close().catch(() => {}); // the process exits anyway
      resolve();
    }
  });
}

async function answer(
  port: EnginePort<EngineReply, EngineRequest>,
  engine: OpenedEngine,
  task: { readonly id: number } & EngineTask,
  operation: RunningOperation | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { id } = task;
  const outbox = new TaskOutbox(port, id, () => countersOf(engine).counters);
  let end: { kind: "done"; result: unknown } | { kind: "error"; error: CarriedError };
  try {
    end = { kind: "done", result: await perform(engine, task, outbox, operation, signal) };
  } catch (error) {
    end = { kind: "error", error: carryError(error) };
  }
  await outbox.drain();
  await operation?.drain();
  await port.send({ id, ...end, ...countersOf(engine) });
}

async function perform(
  engine: OpenedEngine,
  task: EngineTask,
  outbox: TaskOutbox,
  operation: RunningOperation | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  if (task.task === "trim") {
    if (engine.kind === "chat") await engine.model.trim();
    return undefined;
  }
  if (task.task === "chat" && engine.kind === "chat") {
    return await engine.chats.chat(task.request, task.options, outbox, signal);
  }
  if (task.task === "operation" && engine.kind === "operations" && operation !== undefined) {
    const handler = Object.hasOwn(engine.operations, task.name) ? engine.operations[task.name] : undefined;
    if (handler) return await handler(task.input as never, operation);
  }
  const what = task.task === "operation" ? task.name : task.task;
  throw new Error(`Cannot run the task ${what}: the engine is ${engine.model.profile.engine}, which has no such task`);
}

function countersOf(engine: OpenedEngine): { readonly counters?: EngineCounters } {
  return engine.kind === "chat" ? { counters: engine.model.counters() } : {};
}
