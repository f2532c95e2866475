/**
 * Errors that a client of the model API shall see, besides those of its parts.
 *
 * @module
 */

/** The class of an error; a server derives the HTTP status from it. */
export type ApiErrorType =
  | "invalid_request_error"
  | "not_found_error"
  | "conflict_error"
  | "model_unavailable_error"
  | "server_error";

/** The error object of the wire: `type` is the class, `code` a stable word for the one reason. */
export interface ApiErrorObject {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  /** Path of the field that is wrong. */
  readonly param?: string;
}

/** An error whose sentence is written for clients; what led to it stands in `cause`, for the log. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly type: ApiErrorType;
  readonly code: string;
  readonly param: string | undefined;

  constructor(
    type: ApiErrorType,
    code: string,
    message: string,
    { param, cause }: { readonly param?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.type = type;
    this.code = code;
    this.param = param;
  }

  /** The error as it goes over the wire. */
  toObject(): ApiErrorObject {
    const { message, type, code, param } = this;
    return param === undefined ? { message, type, code } : { message, type, code, param };
  }
}

/** A 400: the request itself is wrong. */
export function invalidRequest(code: string, message: string, param?: string): ApiError {
  return new ApiError("invalid_request_error", code, message, { param });
}
