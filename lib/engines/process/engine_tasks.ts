/**
 * Tasks in an engine's process.
 *
 * @module
 */
import type { ChatListener } from "../text/chat_engine.ts";
import { reviveError } from "../../errors/carried_error.ts";
import type { EngineChild, EngineTimeouts } from "./engine_child.ts";
import type { EngineReply, EngineTask, TaskResult } from "./engine_messages.ts";
import type { EngineCounters } from "../text/language_model.ts";

/** For tasks without events. */
export const NO_LISTENER: ChatListener = {
  onPrefill: () => {},
  onText: () => {},
  onDraft: () => {},
  onTokens: () => {},
};

interface RunningTask {
  readonly listener: ChatListener;
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends tasks, and dispatches replies to their callers. */
export class EngineTasks {
  /** As last reported. */
  counters: EngineCounters = {};
  readonly #child: EngineChild;
  readonly #timeouts: EngineTimeouts;
  readonly #running = new Map<number, RunningTask>();
  #lastId = 0;
  #exited: Error | undefined;

  constructor(child: EngineChild, timeouts: EngineTimeouts) {
    this.#child = child;
    this.#timeouts = timeouts;
    void child.exited.then((cause) => {
      this.#exited = cause;
      for (const { reject } of this.#running.values()) reject(cause);
      this.#running.clear();
    });
  }

  /**
   * Runs a task to its end.
   *
   * @throws the reason of `signal` when it aborts, once the task has ended: a process that does not end it is killed.
   */
  async run<Result extends TaskResult | void>(
    task: EngineTask,
    listener: ChatListener,
    signal: AbortSignal,
  ): Promise<Result> {
    signal.throwIfAborted();
    if (this.#exited !== undefined) throw this.#exited;
    const id = ++this.#lastId;
    let hangs: ReturnType<typeof setTimeout> | undefined;
    const cancel = () => {
      void this.#child.port.send({ kind: "cancel", id });
      hangs = setTimeout(() => this.#child.kill(), this.#timeouts.cancel);
    };
    signal.addEventListener("abort", cancel);
    try {
      return await new Promise<TaskResult>((resolve, reject) => {
        this.#running.set(id, { listener, resolve, reject });
        this.#child.port.send({ kind: "task", id, ...task }).catch(reject);
      }) as Result;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      this.#running.delete(id);
      signal.removeEventListener("abort", cancel);
      clearTimeout(hangs);
    }
  }

  /** Handles a message about a task; messages about ended tasks are ignored. */
  hear(reply: Extract<EngineReply, { id: number }>): void {
    if ("counters" in reply && reply.counters !== undefined) this.counters = reply.counters;
    const task = this.#running.get(reply.id);
    switch (reply.kind) {
      case "prefill":
        return task?.listener.onPrefill(reply.done, reply.total);
      case "draft":
        return task?.listener.onDraft(reply.draft);
      case "text":
        if (reply.tokens > 0) task?.listener.onTokens(reply.tokens);
        if (reply.text !== "") task?.listener.onText(reply.text);
        return;
      case "done":
        return task?.resolve(reply.result);
      case "error":
        return task?.reject(reviveError(reply.error));
    }
  }
}
