/**
 * Short ways to make the most frequent errors.
 *
 * @module
 */
import type { ErrorCodeOf, FieldErrorCode } from "./error_table.ts";
import type { RequestIssue } from "./request_issue.ts";
import { SvcError } from "./svc_error.ts";

/** A 400: the request itself is invalid. */
export function invalidRequest(code: ErrorCodeOf<"invalid_request_error">, message: string, param?: string): SvcError {
  return new SvcError(code, message, { param });
}

/**
 * A 400 for the value of one field, with the code `invalid_<field>`.
 *
 * @param param Path of the field, such as `messages[0].content`, whose code is `invalid_messages`.
 */
export function invalidField(param: string, message: string): SvcError {
  const code = `invalid_${param.split(/[.[]/)[0]}` as FieldErrorCode;
  return new SvcError(code, message, { param, type: "invalid_request_error" });
}

/** A 400 for a rule that a request breaks. */
export function invalidIssue({ kind, message, param }: RequestIssue): SvcError {
  if (kind === "rule") return invalidField(param, message);
  return invalidRequest(kind === "missing" ? "missing_field" : "wrong_type", message, param);
}

/** A 400: the field would change the output, and this server or model does not support it. */
export function unsupportedParameter(message: string, param: string): SvcError {
  return invalidRequest("unsupported_parameter", message, param);
}

/** A 400: the session's backend does not support this. */
export function unsupportedForBackend(action: string, remedy: string, param?: string): SvcError {
  return invalidRequest("unsupported_for_backend", `Cannot ${action}: ${remedy}`, param);
}

/** A 404: what the request names does not exist. */
export function notFound(code: ErrorCodeOf<"not_found_error">, message: string, param?: string): SvcError {
  return new SvcError(code, message, { param });
}

/** A 409: the request is valid, but not in the present state. */
export function conflict(code: ErrorCodeOf<"conflict_error">, message: string, param?: string): SvcError {
  return new SvcError(code, message, { param });
}

/** A 503: the model cannot be loaded or used. */
export function modelUnavailable(
  code: ErrorCodeOf<"model_unavailable_error">,
  message: string,
  cause?: unknown,
): SvcError {
  return new SvcError(code, message, { cause });
}

/** The error that clients see in place of an unexpected one, which the log has. */
export function internalError(cause: unknown): SvcError {
  const message = "Cannot finish the request: an unexpected error occurred, the server's log has the details";
  return new SvcError("internal_error", message, { cause });
}

/** The error itself when it was written for users, else {@linkcode internalError}. */
export function asSvcError(error: unknown): SvcError {
  return error instanceof SvcError ? error : internalError(error);
}
