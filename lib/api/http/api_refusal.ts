/**
 * Errors of a model API server as clients see them.
 *
 * @module
 */
import { internalError, invalidRequest, SvcError } from "../../errors/svc_error.ts";

/** An error as sent to the client. */
export interface Refusal {
  readonly error: SvcError;
  /** Whether the log has details that the client does not get. */
  readonly logged: boolean;
}

/**
 * Turns whatever a request has failed with into an error for its client. An unexpected one becomes a sentence that says
 * nothing of it.
 *
 * @param disconnected Whether the client has disconnected, so that no one reads the response.
 */
export function apiRefusal(error: unknown, disconnected: boolean): Refusal {
  if (error instanceof SvcError) return { error, logged: error.cause !== undefined };
  if (disconnected) {
    const message = "Cannot finish the request: its client has disconnected";
    return { error: invalidRequest("client_disconnected", message), logged: false };
  }
  return { error: internalError(error), logged: true };
}
