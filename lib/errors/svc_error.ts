/**
 * The errors that users meet.
 *
 * @module
 */
import {
  type ErrorCode,
  type ErrorRow,
  errorRows,
  type ErrorType,
  errorTypes,
  type FieldErrorCode,
  fieldErrorRow,
} from "./error_table.ts";

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

/** What a {@linkcode SvcError} may have besides its code and message. */
export interface SvcErrorOptions {
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
}

/**
 * An error whose message is written for users. Its code stands in the one table of errors, from which type, status and
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
  /** How to go on, in general; the message says it for this case. */
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
   * @param message `Cannot <verb> <thing>: <found>, expected <what>`, then how to go on.
   */
  constructor(code: ErrorCode | FieldErrorCode, message: string, options: SvcErrorOptions = {}) {
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
