/**
 * The process of an engine, as its server sees it.
 *
 * @module
 */
import type { RpcPort } from "../../platform/rpc/rpc_port.ts";

/** A process that runs an engine. */
export interface EngineChild {
  readonly port: RpcPort;
  readonly processID: number;
  /** Resolves when it has exited, with the cause. */
  readonly exited: Promise<Error>;
  /** Kills it. */
  kill(): void;
}

/** How an engine's process exited. */
export class EngineEndedError extends Error {
  override name = "EngineEndedError";
  /** 0 when it was asked to exit; undefined when a signal killed it, or it never started. */
  readonly exitCode: number | undefined;

  constructor(message: string, exitCode: number | undefined) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Timeouts of a process, in milliseconds. */
export interface EngineTimeouts {
  /** For ending a cancelled task: as long as the longest step of a model; then it counts as hanging. */
  readonly cancel: number;
  /** For turning a request into a prompt and a grammar, before the model runs. */
  readonly prepare: number;
  /** For exiting when asked to. */
  readonly stop: number;
}

/** Timeouts for large models on slow machines. */
export const ENGINE_TIMEOUTS: EngineTimeouts = { cancel: 30_000, prepare: 30_000, stop: 5_000 };
