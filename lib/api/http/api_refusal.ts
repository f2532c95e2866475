/**
 * Errors of a model API server as its clients see them.
 *
 * @module
 */
import { ApiError } from "../service/mod.ts";
import { PoolError } from "../scheduler/mod.ts";
import { TextError } from "../protocol/mod.ts";
import { WorldError } from "../../world/protocol/world_error.ts";
import { HttpError, httpError } from "../../http/http_error.ts";

/** Seconds after which to try again what may be possible then. */
const RETRY_AFTER: Readonly<Partial<Record<string, string>>> = {
  queue_full: "5",
  memory_pressure: "15",
  server_stopping: "5",
};

/** An error as it goes to the client. */
export interface Refusal {
  readonly error: HttpError;
  /** Whether the log has to tell more than the client hears. */
  readonly logged: boolean;
}

/**
 * Turns whatever a request has failed with into an answer. What was not written for clients becomes a sentence that
 * says nothing of it.
 *
 * @param gone Whether the client has left, so that nobody hears the answer.
 */
export function apiRefusal(error: unknown, gone: boolean): Refusal {
  if (error instanceof HttpError) return { error, logged: false };
  if (error instanceof PoolError) {
    const { message, type, code, status } = error;
    const retry = RETRY_AFTER[code];
    const headers: Record<string, string> = retry === undefined ? {} : { "retry-after": retry };
    return { error: new HttpError(status, { message, type, code }, headers), logged: error.cause !== undefined };
  }
  // The files of clients are read by what serves worlds too.
  if (error instanceof ApiError || error instanceof TextError || error instanceof WorldError) {
    return { error: httpError(error.toObject()), logged: error.cause !== undefined };
  }
  if (gone) {
    const message = "Cannot finish the request: its client has gone";
    const body = { message, type: "invalid_request_error", code: "client_disconnected" };
    return { error: new HttpError(499, body), logged: false };
  }
  const message = "Cannot finish the request: an unexpected error happened, the server's log tells more";
  return { error: httpError({ message, type: "server_error", code: "internal_error" }), logged: true };
}
