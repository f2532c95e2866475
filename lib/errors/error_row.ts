/**
 * What is said of a type and of a code of errors.
 *
 * @module
 */

/** The class of an error, which decides its HTTP status. */
export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "rate_limit_error"
  | "memory_pressure_error"
  | "model_unavailable_error"
  | "server_error";

/** What all codes of a type share. */
export interface ErrorTypeRow {
  /** The HTTP status where a code has none of its own. */
  readonly status: number;
  readonly meaning: string;
}

/** One reason for an error. */
export interface ErrorRow {
  readonly type: ErrorType;
  /** The HTTP status where it is not that of the type. */
  readonly status?: number;
  /** Seconds after which the same request may succeed, for the header `Retry-After`. */
  readonly retryAfter?: number;
  readonly meaning: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** All types, in the order of their statuses. */
export const errorTypes: Readonly<Record<ErrorType, ErrorTypeRow>> = {
  invalid_request_error: { status: 400, meaning: "The request itself is invalid; sending it again changes nothing." },
  authentication_error: { status: 401, meaning: "The request has no valid API key." },
  permission_error: { status: 403, meaning: "The request is understood and not allowed." },
  not_found_error: { status: 404, meaning: "What the request names does not exist." },
  conflict_error: { status: 409, meaning: "The request is valid, but not in the present state." },
  rate_limit_error: {
    status: 429,
    meaning: "There are too many requests; the header `Retry-After` says when to retry.",
  },
  server_error: { status: 500, meaning: "The server failed; its log has details under the response's `x-request-id`." },
  memory_pressure_error: { status: 503, meaning: "There is not enough free memory." },
  model_unavailable_error: { status: 503, meaning: "The model cannot be loaded or used." },
};
