/**
 * Errors that a client of a world session shall see.
 *
 * @module
 */

/** The class of an error; a server derives the HTTP status from it. */
export type WorldErrorType =
  | "invalid_request_error"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "model_unavailable_error"
  | "server_error";

/** The error object of the wire: `type` is the class, `code` a stable word for the one reason. */
export interface ErrorObject {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  /** Path of the field that is wrong. */
  readonly param?: string;
}

/** An error whose sentence is written for clients. */
export class WorldError extends Error {
  override name = "WorldError";
  readonly type: WorldErrorType;
  readonly code: string;
  readonly param: string | undefined;

  constructor(type: WorldErrorType, code: string, message: string, options: { param?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.type = type;
    this.code = code;
    this.param = options.param;
  }

  /** The error as it goes over the wire. */
  toObject(): ErrorObject {
    const { message, type, code, param } = this;
    return param === undefined ? { message, type, code } : { message, type, code, param };
  }
}

/** A 400: the request itself is wrong. */
export function invalidRequest(code: string, message: string, param?: string): WorldError {
  return new WorldError("invalid_request_error", code, message, param === undefined ? {} : { param });
}

/** A 400: the kind of world model behind the session cannot do this. */
export function unsupportedForBackend(action: string, remedy: string): WorldError {
  return invalidRequest("unsupported_for_backend", `Cannot ${action}: ${remedy}`);
}

/** The sentence for clients behind everything that was not foreseen; the log has the rest. */
export function internalError(cause: unknown): WorldError {
  const message = "Cannot finish the request: an unexpected error happened, the server's log tells more";
  return new WorldError("server_error", "internal_error", message, { cause });
}

/**
 * Errors with a `code` in lower-case words are written for clients, all others become {@linkcode internalError}. The
 * first word tells whose fault it is: `image_…` and `prompt_…` the request's, `model_…` the model files'.
 */
export function asWorldError(error: unknown): WorldError {
  if (error instanceof WorldError) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code !== "string" || !/^[a-z][a-z_]*$/.test(code)) return internalError(error);
  const type = code === "model_worker_died"
    ? "server_error"
    : code.startsWith("model_")
    ? "model_unavailable_error"
    : code.startsWith("image_") || code.startsWith("prompt_")
    ? "invalid_request_error"
    : "server_error";
  return new WorldError(type, code, (error as Error).message, { cause: error });
}
