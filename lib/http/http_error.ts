/**
 * Errors of requests, and the responses they become.
 *
 * @module
 */

/** The error object of a response. */
export interface HttpErrorBody {
  readonly message: string;
  /** The class of the error. */
  readonly type: string;
  /** A stable word for the one reason. */
  readonly code: string;
  /** Path of the field that is wrong. */
  readonly param?: string;
}

/** An error with its status and headers. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: number;
  readonly body: HttpErrorBody;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: HttpErrorBody, headers: Readonly<Record<string, string>> = {}) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }

  /** The response with the error object as JSON. */
  response(): Response {
    return Response.json({ error: this.body }, { status: this.status, headers: this.headers });
  }
}

const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  rate_limit_error: 429,
  server_error: 500,
  memory_pressure_error: 503,
  model_unavailable_error: 503,
};

/** The error of a class, with the status that the class has. */
export function httpError(body: HttpErrorBody): HttpError {
  return new HttpError(statuses[body.type] ?? 500, body);
}
