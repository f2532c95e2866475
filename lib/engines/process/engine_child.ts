/**
 * The process of an engine, as its server has it.
 *
 * @module
 */
import type { EnginePort, EngineReply, EngineRequest } from "./engine_messages.ts";

/** A process in which an engine is served. */
export interface EngineChild {
  readonly port: EnginePort<EngineRequest, EngineReply>;
  readonly processID: number;
  /** Resolves when it has ended, with how. */
  readonly exited: Promise<Error>;
  /** Ends it at once. */
  kill(): void;
}

/** How the process of an engine has ended. */
export class EngineEndedError extends Error {
  override name = "EngineEndedError";
  /** 0 when it was asked to end; none when a signal has ended it, or when it never began. */
  readonly exitCode: number | undefined;

  constructor(message: string, exitCode: number | undefined) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** How long a process may take for what it is asked, in milliseconds. */
export interface EngineTimeouts {
  /** To end a task that was cancelled: as long as the longest step of a model, after which it hangs. */
  readonly cancel: number;
  /** To end by itself. */
  readonly stop: number;
}

/** Times that suit large models on slow machines. */
export const ENGINE_TIMEOUTS: EngineTimeouts = { cancel: 30_000, stop: 5_000 };
