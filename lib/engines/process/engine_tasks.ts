/**
 * Tasks in an engine's process.
 *
 * @module
 */
import type { ChatListener } from "../contract/chat_engine.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { reviveError } from "../../errors/carried_error.ts";
import type { EngineChild, EngineTimeouts } from "./engine_child.ts";
import type { EngineReply, EngineTask } from "./engine_messages.ts";
import type { EngineCounters } from "../contract/language_model.ts";
import type { OperationListener } from "../contract/operation.ts";

/** Reports to the caller of a task. */
export type TaskListener = Partial<ChatListener> & Omit<OperationListener<never>, "folder">;

interface RunningTask {
  readonly task: EngineTask;
  readonly listener: TaskListener;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Cancels the task, which fails with this. */
  readonly cancel: (failure: unknown) => void;
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
   * @throws what `listener.onEvent` throws, which cancels the task likewise.
   */
  async run<Result>(task: EngineTask, listener: TaskListener, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    if (this.#exited !== undefined) throw this.#exited;
    const id = ++this.#lastId;
    let hangs: ReturnType<typeof setTimeout> | undefined;
    const failures: unknown[] = [];
    const cancel = (failure?: unknown) => {
      if (failure !== undefined) failures.push(failure);
      if (hangs !== undefined) return;
      void this.#child.port.send({ kind: "cancel", id });
      hangs = setTimeout(() => this.#child.kill(), this.#timeouts.cancel);
    };
    const abort = () => cancel();
    signal.addEventListener("abort", abort);
    try {
      const result = await new Promise<unknown>((resolve, reject) => {
        this.#running.set(id, { task, listener, resolve, reject, cancel });
        this.#child.port.send({ kind: "task", id, ...task }).catch(reject);
      }) as Result;
      if (failures.length > 0) throw failures[0];
      return result;
    } catch (error) {
      throw failures.length > 0 ? failures[0] : signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(this.#running.get(id)?.hangs);
      this.#running.delete(id);
      signal.removeEventListener("abort", abort);
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
      case "prepared":
        return;
      case "prefill":
        return task?.listener.onPrefill?.(reply.done, reply.total);
      case "draft":
        return task?.listener.onDraft?.(reply.draft);
      case "text":
        if (reply.tokens > 0) task?.listener.onTokens?.(reply.tokens);
        if (reply.reasoning !== undefined) task?.listener.onReasoning?.(reply.reasoning);
        if (reply.text !== "") task?.listener.onText?.(reply.text);
        return;
      case "progress":
        return task?.listener.onProgress?.(reply.fraction, reply.stage);
      case "event":
        if (task) void this.#take(reply.id, task, reply.event as never);
        return;
      case "done":
        return task?.resolve(reply.result);
      case "error":
        return task && this.#fail(reply.id, task, reviveError(reply.error));
    }
  }

  /** A process cannot recover a lost device, so it ends; the next request starts a new one. */
  #fail(id: number, { reject }: RunningTask, error: unknown): void {
    if (!(error instanceof SvcError) || error.code !== "device_lost") return reject(error);
    this.#running.delete(id);
    this.#child.kill();
    void this.#child.exited.then(() => reject(error));
  }

  /** The engine waits until an event was taken. */
  async #take(id: number, { listener, cancel }: RunningTask, event: never): Promise<void> {
    try {
      await listener.onEvent?.(event);
    } catch (error) {
      cancel(error);
    }
    await this.#child.port.send({ kind: "taken", id });
  }

  /** Nothing can stop a compiler or a regular expression but the end of its process. */
  #endHanging({ task, reject }: RunningTask): void {
    const seconds = Math.ceil(this.#timeouts.prepare / 1000);
    const message = task.task === "operation"
      ? `Cannot ${task.name} the texts: they were not turned into tokens after ${seconds} s, expected fewer or simpler ones`
      : `Cannot complete the chat: its messages, tools and schema were not prepared after ${seconds} s, expected ` +
        "simpler ones";
    reject(new SvcError("preparation_timeout", message));
    this.#child.kill();
  }
}
