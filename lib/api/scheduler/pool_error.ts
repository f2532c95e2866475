/**
 * Errors that a client of local models shall see.
 *
 * @module
 */

/** A stable word for the one reason. */
export type PoolErrorCode =
  | "engine_crashed"
  | "load_cancelled"
  | "memory_pressure"
  | "model_in_use"
  | "model_unavailable"
  | "queue_full"
  | "server_stopping";

/** The class of an error. */
export type PoolErrorType =
  | "conflict_error"
  | "memory_pressure_error"
  | "model_unavailable_error"
  | "rate_limit_error"
  | "server_error";

/** HTTP status and class of each reason. */
const kinds: Record<PoolErrorCode, { readonly status: number; readonly type: PoolErrorType }> = {
  engine_crashed: { status: 500, type: "server_error" },
  load_cancelled: { status: 409, type: "conflict_error" },
  memory_pressure: { status: 503, type: "memory_pressure_error" },
  model_in_use: { status: 409, type: "conflict_error" },
  model_unavailable: { status: 503, type: "model_unavailable_error" },
  queue_full: { status: 429, type: "rate_limit_error" },
  server_stopping: { status: 503, type: "server_error" },
};

/** An error whose sentence is written for clients; what an engine said stands in `cause`, for the log. */
export class PoolError extends Error {
  override name = "PoolError";
  readonly code: PoolErrorCode;

  constructor(code: PoolErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }

  /** The HTTP status. */
  get status(): number {
    return kinds[this.code].status;
  }

  /** The class, which stands in the error object beside the code. */
  get type(): PoolErrorType {
    return kinds[this.code].type;
  }
}
