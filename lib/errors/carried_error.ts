/**
 * Errors on their way out of a worker or a process.
 *
 * @module
 */
import type { ErrorCode } from "./error_table.ts";
import type { ErrorType } from "./error_row.ts";
import { markedOptions, withOptions } from "./option_error.ts";
import { SvcError } from "./svc_error.ts";

/** An error as data: structured clones and JSON lose its class and its own properties. */
export interface CarriedError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** Its message with the options that it names marked. */
  readonly options?: string;
  /** What a {@linkcode SvcError} has besides. */
  readonly known?: {
    readonly type: ErrorType;
    readonly code: string;
    readonly param?: string;
    readonly problems?: readonly string[];
  };
}

/** Serializes an error. */
export function carryError(error: unknown): CarriedError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message, stack } = error;
  const options = markedOptions(error);
  const carried = { name, message, ...(stack !== undefined && { stack }), ...(options !== undefined && { options }) };
  if (!(error instanceof SvcError)) return carried;
  const { type, code, param, problems } = error;
  return {
    ...carried,
    known: { type, code, ...(param !== undefined && { param }), ...(problems.length > 0 && { problems }) },
  };
}

/** Puts an error together again, as a {@linkcode SvcError} where it was one; its stack is the one from where it arose. */
export function reviveError({ name, message, stack, options, known }: CarriedError): Error {
  const error = known === undefined ? new Error(message) : new SvcError(known.code as ErrorCode, message, known);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return options === undefined ? error : withOptions(error, options);
}
