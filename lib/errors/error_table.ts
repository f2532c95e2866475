/**
 * Every type and code of error, with its HTTP status, what it means and what to do about it. `docs/errors.md` is made
 * from it.
 *
 * @module
 */
import type { ErrorRow, ErrorType } from "./error_row.ts";
import { mediaErrors } from "./media_errors.ts";
import { requestErrors } from "./request_errors.ts";
import { serverErrors } from "./server_errors.ts";
import { stateErrors } from "./state_errors.ts";

/** All codes but those of single fields, for which see {@linkcode fieldErrorRow}. */
export const errorTable: typeof mediaErrors & typeof requestErrors & typeof stateErrors & typeof serverErrors = {
  ...requestErrors,
  ...mediaErrors,
  ...stateErrors,
  ...serverErrors,
};

/** The same rows by any word. */
export const errorRows: Readonly<Record<string, ErrorRow>> = errorTable;

/** A stable word for one reason. */
export type ErrorCode = keyof typeof errorTable;

/** The codes of a type. */
export type ErrorCodeOf<T extends ErrorType> = {
  [C in ErrorCode]: (typeof errorTable)[C]["type"] extends T ? C : never;
}[ErrorCode];

/** The code of a field with an invalid value, `invalid_` and the name of the field; made by `invalidField` alone. */
export type FieldErrorCode = `invalid_${string}` & { readonly field: true };

/** The row of all {@linkcode FieldErrorCode}s. */
export const fieldErrorRow: ErrorRow = {
  type: "invalid_request_error",
  meaning: "The value of the field breaks a rule; `param` is the path of the field.",
  remedy: "Send a value that the message describes.",
};

/** Codes that clients of the servers make themselves, without a response that carries one. */
export const clientErrorTable: Readonly<Record<string, Pick<ErrorRow, "meaning" | "remedy">>> = {
  job_cancelled: { meaning: "The job was cancelled.", remedy: "Start it again." },
  unexpected_response: {
    meaning: "The response is not one of a server of this project.",
    remedy: "Check the URL and what listens there.",
  },
  unreachable: {
    meaning: "There was no response, or it ended early.",
    remedy: "Check that the server runs and the URL is right.",
  },
};
