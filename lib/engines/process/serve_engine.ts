/**
 * The engine's side of its process: tasks arrive as messages.
 *
 * @module
 */
import { type CarriedError, carryError } from "../../errors/carried_error.ts";
import type { EnginePort, EngineReply, EngineRequest, EngineTask, TaskResult } from "./engine_messages.ts";
import type { EngineCounters } from "../text/language_model.ts";
import type { OpenedEngine, OpenEngine } from "./opened_engine.ts";
import { TaskOutbox } from "./task_outbox.ts";

/**
 * Opens the model that the first message names and runs tasks until it is asked to stop. Resolves when all tasks have
 * ended and the model is closed, or at once when the model could not be opened.
 */
export function serveEngine(port: EnginePort<EngineReply, EngineRequest>, open: OpenEngine): Promise<void> {
  const running = new Map<number, { readonly abort: AbortController; readonly ended: Promise<void> }>();
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
        const { profile, device } = engine.model;
        await port.send({ kind: "ready", profile, device, ...countersOf(engine) });
      } catch (error) {
        await port.send({ kind: "failed", error: carryError(error) });
        resolve();
      }
    }

    function start(engine: OpenedEngine, task: { readonly id: number } & EngineTask): void {
      const abort = new AbortController();
      const ended = answer(port, engine, task, abort.signal).finally(() => running.delete(task.id));
      running.set(task.id, { abort, ended });
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
  signal: AbortSignal,
): Promise<void> {
  const { id } = task;
  const outbox = new TaskOutbox(port, id, () => countersOf(engine).counters);
  let end: { kind: "done"; result: TaskResult } | { kind: "error"; error: CarriedError };
  try {
    end = { kind: "done", result: await perform(engine, task, outbox, signal) };
  } catch (error) {
    end = { kind: "error", error: carryError(error) };
  }
  await outbox.drain();
  await port.send({ id, ...end, ...countersOf(engine) });
}

async function perform(
  engine: OpenedEngine,
  task: EngineTask,
  outbox: TaskOutbox,
  signal: AbortSignal,
): Promise<TaskResult> {
  if (task.task === "trim") {
    if (engine.kind === "chat") await engine.model.trim();
    return undefined;
  }
  if (task.task === "chat" && engine.kind === "chat") {
    return await engine.chats.chat(task.request, task.options, outbox, signal);
  }
  if (task.task === "embed" && engine.kind === "embedding") return await engine.model.embed(task.texts, signal);
  if (task.task === "rerank" && engine.kind === "rerank") {
    return await engine.model.rerank(task.query, task.texts, signal);
  }
  throw new Error(`Cannot run the task ${task.task}: the engine's kind is ${engine.kind}`);
}

function countersOf(engine: OpenedEngine): { readonly counters?: EngineCounters } {
  return engine.kind === "chat" ? { counters: engine.model.counters() } : {};
}
