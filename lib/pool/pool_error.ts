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

/** HTTP status and class of each reason. */
const kinds = {
  engine_crashed: { status: 500, type: "server_error" },
  load_cancelled: { status: 409, type: "conflict_error" },
  memory_pressure: { status: 503, type: "memory_pressure_error" },
  model_in_use: { status: 409, type: "conflict_error" },
  model_unavailable: { status: 503, type: "model_unavailable_error" },
  queue_full: { status: 429, type: "rate_limit_error" },
  server_stopping: { status: 503, type: "server_error" },
} as const satisfies Record<PoolErrorCode, { status: number; type: string }>;

/** The class of a {@linkcode PoolError}. */
export type PoolErrorType = (typeof kinds)[PoolErrorCode]["type"];

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

  get type(): PoolErrorType {
    return kinds[this.code].type;
  }
}
