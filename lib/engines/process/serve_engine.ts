/**
 * The engine's side of its process.
 *
 * @module
 */
import type { RpcPort } from "../../platform/rpc/rpc_port.ts";
import { serveCalls } from "../../platform/rpc/serve_calls.ts";
import type { EngineCounters } from "../contract/language_model.ts";
import type { OpenedEngine, OpenEngine } from "../contract/engine_entry.ts";
import type { EngineService } from "./engine_service.ts";
import { ChatOutbox, OperationOutbox } from "./task_outbox.ts";

/**
 * Opens the model that the first call names and runs tasks until it is asked to stop. Resolves when all tasks have ended
 * and the model is closed, or at once when the model could not be opened.
 */
export function serveEngine(port: RpcPort, open: OpenEngine): Promise<void> {
  let engine: OpenedEngine | undefined;
  return new Promise((resolve) => {
    const server = serveCalls<EngineService>(port, {
      open: async (call, model, settings) => {
        try {
          engine = await open(model, settings, (fraction) => void call.tell(fraction));
        } catch (error) {
          void server.close().then(resolve); // once the error has been sent to the caller
          throw error;
        }
        const { profile, device, tried } = engine.model;
        return { profile, device, ...tried?.length ? { tried } : {}, ...countersOf(engine) };
      },
      chat: async (call, request, options) => {
        if (engine?.kind !== "chat") throw hasNo("chat", engine);
        const { chats, model } = engine;
        const outbox = new ChatOutbox(call, () => model.counters());
        try {
          return await chats.chat(request, options, outbox, call.signal);
        } finally {
          await outbox.drain();
        }
      },
      prepare: async (call, request, now) => {
        if (engine?.kind !== "chat") throw hasNo("prepare", engine);
        const tell = (kind: "preparing" | "prepared") => () => call.tell({ kind });
        const listener = { onPreparing: tell("preparing"), onPrepared: tell("prepared") };
        await engine.chats.prepare?.(request, now, listener, call.signal);
      },
      look: async (call, look) => {
        if (engine?.kind !== "chat") throw hasNo("look", engine);
        const tell = (kind: "preparing" | "prepared") => () => call.tell({ kind });
        const listener = { onPreparing: tell("preparing"), onPrepared: tell("prepared") };
        return await engine.chats.look(look, listener, call.signal);
      },
      operation: async (call, name, input, folder) => {
        const handlers = engine?.kind === "operations" ? engine.operations : {};
        const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
        if (!handler) throw hasNo(name, engine);
        const outbox = new OperationOutbox(call, folder);
        try {
          return await handler(input as never, outbox as never);
        } finally {
          await outbox.drain();
        }
      },
      trim: async (call) => {
        if (engine?.kind !== "chat") return;
        await engine.model.trim();
        await call.tell({ kind: "counters", counters: engine.model.counters() });
      },
      stop: () => {
        // It ends with the process.
        void server.close()
          .then(() => engine?.model.close())
          .catch(() => {})
          .then(resolve);
      },
    });
  });
}

function hasNo(task: string, engine: OpenedEngine | undefined): Error {
  const found = engine ? `the engine is ${engine.model.profile.engine}, which has no such task` : "no model is open";
  return new Error(`Cannot run the task ${task}: ${found}`);
}

function countersOf(engine: OpenedEngine): { readonly counters?: EngineCounters } {
  return engine.kind === "chat" ? { counters: engine.model.counters() } : {};
}
