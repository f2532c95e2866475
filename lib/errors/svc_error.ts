/**
 * The errors that users meet.
 *
 * @module
 */
import { type ErrorCode, type ErrorCodeOf, errorRows, type FieldErrorCode, fieldErrorRow } from "./error_table.ts";
import { type ErrorRow, type ErrorType, errorTypes } from "./error_row.ts";

/** A violation as an error object. */
export interface RequestIssue {
  readonly kind: "missing" | "type" | "rule";
  readonly message: string;
  /** Path of the field, such as `messages[0].content`. */
  readonly param: string;
}

/** The error object of the wire. */
export interface ErrorObject {
  /** One sentence for people. */
  readonly message: string;
  /** The class of the error. */
  readonly type: string;
  /** A stable code for the reason. */
  readonly code: string;
  /** Path of the field that is invalid. */
  readonly param?: string;
}

/** Characters of a message and of a path that an answer has at most. */
const MAX_MESSAGE = 4000;
const MAX_PARAM = 200;

/**
 * An error whose message is written for users. Its code is in the one table of errors, from which type, status and
 * remedy follow; everything else that is thrown is unexpected and stays inside the process.
 *
 * @example
 * ```ts ignore
 * const error = new SvcError("session_cold", "Cannot move: the session is cold, prepare it first");
 * console.assert(error.type === "conflict_error" && error.status === 409);
 * ```
 */
export class SvcError extends Error {
  /** Name of the class. */
  override name = "SvcError";
  /** The class of the error. */
  readonly type: ErrorType;
  /** A stable code for the reason. */
  readonly code: ErrorCode | FieldErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** What to do about it, in general; the message says it for this case. */
  readonly remedy: string;
  /** Path of the request's field that is invalid. */
  readonly param: string | undefined;
  /** Headers of the response that it becomes. */
  readonly headers: Readonly<Record<string, string>>;
  /** One sentence each, when several things are invalid at once. */
  readonly problems: readonly string[];

  /**
   * An error of a code in the table.
   *
   * @param code From the table, or made by `invalidField`.
   * @param message `Cannot <verb> <thing>: <found>, expected <what>`, then how to continue.
   * @param options What it may have besides.
   */
  constructor(
    code: ErrorCode | FieldErrorCode,
    message: string,
    options: {
      /** Path of the request's field that is invalid, such as `messages[0].content`. */
      readonly param?: string | undefined;
      /** What led to it, for the log; clients never see it. */
      readonly cause?: unknown;
      /** Headers of the response that it becomes. */
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** One sentence each, when several things are invalid at once. */
      readonly problems?: readonly string[] | undefined;
      /** The type where a field's code, such as `invalid_output`, is also that of another reason. */
      readonly type?: ErrorType | undefined;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const { type, remedy, status, retryAfter } = rowOf(code, options.type);
    this.type = type;
    this.code = code;
    this.status = status ?? errorTypes[type].status;
    this.remedy = remedy;
    this.param = options.param;
    this.problems = options.problems ?? [];
    this.headers = retryAfter === undefined
      ? { ...options.headers }
      : { "retry-after": String(retryAfter), ...options.headers };
  }

  /** The error as it goes over the wire, where the message and the path of a field may quote what a client has sent. */
  toObject(): ErrorObject {
    const { type, code, param } = this;
    const message = shortened(this.message, MAX_MESSAGE);
    return { message, type, code, ...(param === undefined ? {} : { param: shortened(param, MAX_PARAM) }) };
  }
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 3)}...` : text;
}

function rowOf(code: string, type: ErrorType | undefined): ErrorRow {
  const row = Object.hasOwn(errorRows, code) ? errorRows[code] : fieldErrorRow;
  return type === undefined || row.type === type ? row : fieldErrorRow;
}

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

/**
 * What is wrong with an uploaded picture or video is wrong with its field: an error about one that names no field becomes
 * one that does. Anything else is returned as it is.
 *
 * @param place Which of several uploads it is, for the message.
 */
export function aboutUpload(error: unknown, field: string, place?: string): unknown {
  if (!(error instanceof SvcError) || error.param !== undefined || !/^(?:image|video|object)_/.test(error.code)) {
    return error;
  }
  const message = place === undefined ? error.message : `${error.message} (${place})`;
  return new SvcError(error.code, message, { param: field, cause: error.cause });
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

/** Longer ones are cut. */
const MAX = 600;

/** The folders of a path, on any system: what is left is the name of the file. */
const FOLDERS = /(?<![\w.])(?:file:\/\/)?(?:[A-Za-z]:)?[\\/](?:[^\\/"'<>|:;,()\n]*[\\/])*/g;

/**
 * What an error says, in one line without the folders of this machine, for an answer to a client.
 *
 * @param folders Those that may occur in it, which may have any characters in their names.
 */
export function failureReason(error: unknown, folders: readonly string[]): string {
  const given = error instanceof Error ? error.message : String(error);
  const without = folders.reduce((text, folder) => text.replaceAll(folder, ""), given);
  const line = without.replace(FOLDERS, "").replace(/\s+/g, " ").trim();
  return line.length > MAX ? `${line.slice(0, MAX)}…` : line;
}
