/**
 * Tasks in an engine's process.
 *
 * @module
 */
import type { ChatListener } from "../text/chat_engine.ts";
import { SvcError } from "../../errors/svc_error.ts";
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
  /** Runs while the request is prepared. */
  hangs?: ReturnType<typeof setTimeout> | undefined;
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
      clearTimeout(this.#running.get(id)?.hangs);
      this.#running.delete(id);
      signal.removeEventListener("abort", cancel);
      clearTimeout(hangs);
    }
  }

  /** Handles a message about a task; messages about ended tasks are ignored. */
  hear(reply: Extract<EngineReply, { id: number }>): void {
    if ("counters" in reply && reply.counters !== undefined) this.counters = reply.counters;
    const task = this.#running.get(reply.id);
    clearTimeout(task?.hangs);
    switch (reply.kind) {
      case "preparing":
        if (task) task.hangs = setTimeout(() => this.#endHanging(task), this.#timeouts.prepare);
        return;
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

  /** Nothing can stop a compiler or a regular expression but the end of its process. */
  #endHanging({ reject }: RunningTask): void {
    const seconds = Math.ceil(this.#timeouts.prepare / 1000);
    const message = `Cannot complete the chat: its messages, tools and schema were not prepared after ${seconds} s, ` +
      "expected simpler ones";
    reject(new SvcError("preparation_timeout", message));
    this.#child.kill();
  }
}
