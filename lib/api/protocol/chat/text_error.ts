/**
 * Errors that a client of a text model shall see.
 *
 * @module
 */

/** The class of an error; a server derives the HTTP status from it. */
export type TextErrorType = "invalid_request_error" | "model_unavailable_error" | "server_error";

/** The error object of the wire: `type` is the class, `code` a stable word for the one reason. */
export interface TextErrorObject {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  /** Path of the field that is wrong. */
  readonly param?: string;
}

/** An error whose sentence is written for clients. */
export class TextError extends Error {
  override name = "TextError";
  readonly type: TextErrorType;
  readonly code: string;
  readonly param: string | undefined;

  constructor(type: TextErrorType, code: string, message: string, param?: string) {
    super(message);
    this.type = type;
    this.code = code;
    this.param = param;
  }

  /** The error as it goes over the wire. */
  toObject(): TextErrorObject {
    const { message, type, code, param } = this;
    return param === undefined ? { message, type, code } : { message, type, code, param };
  }
}

/** A 400: the request itself is wrong. */
export function invalidChat(code: string, message: string, param?: string): TextError {
  return new TextError("invalid_request_error", code, message, param);
}

/** A 400: the field would change the output, and this server or model cannot honour it. */
export function unsupportedParameter(message: string, param: string): TextError {
  return invalidChat("unsupported_parameter", message, param);
}
