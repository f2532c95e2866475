/** What is known about a request that a world server refused or that never reached one. */
export interface WorldApiErrorDetails {
  /** The HTTP status; 0 when there was no response. */
  readonly status: number;
  /** The stable code of the reason, such as `session_busy`; `unreachable` when there was no response. */
  readonly code: string;
  /** The class of the error, such as `invalid_request_error`. */
  readonly type?: string;
  /** The path of the invalid request field. */
  readonly param?: string;
  /** The id of the request in the server's log. */
  readonly requestId?: string;
}

/**
 * A request to a world server that failed: refused with a status, answered by something other than a world server
 * (`code` is `unexpected_response`), or not answered at all (`status` 0, `code` `unreachable`). A job that ended
 * without a result is reported with its own error's code, or with `job_cancelled`.
 */
export class WorldApiError extends Error {
  /** Name of the class. */
  override readonly name = "WorldApiError";
  /** See {@linkcode WorldApiErrorDetails.status}. */
  readonly status: number;
  /** See {@linkcode WorldApiErrorDetails.code}. */
  readonly code: string;
  /** See {@linkcode WorldApiErrorDetails.type}. */
  readonly type?: string;
  /** See {@linkcode WorldApiErrorDetails.param}. */
  readonly param?: string;
  /** See {@linkcode WorldApiErrorDetails.requestId}. */
  readonly requestId?: string;

  /** An error with its sentence. */
  constructor(message: string, details: WorldApiErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.status = details.status;
    this.code = details.code;
    if (details.type !== undefined) this.type = details.type;
    if (details.param !== undefined) this.param = details.param;
    if (details.requestId !== undefined) this.requestId = details.requestId;
  }
}

/** Reads the error object of an unsuccessful response. */
export async function readWorldApiError(response: Response, what: string): Promise<WorldApiError> {
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const text = await response.text().catch(() => "");
  const error = errorObject(text);
  if (error === undefined) {
    return new WorldApiError(
      `Cannot ${what}: the answer was ${response.status} without an error object, expected a world server`,
      { status: response.status, code: "unexpected_response", ...(requestId === undefined ? {} : { requestId }) },
    );
  }
  return new WorldApiError(error.message, {
    status: response.status,
    code: error.code,
    ...(error.type === undefined ? {} : { type: error.type }),
    ...(error.param === undefined ? {} : { param: error.param }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

function errorObject(text: string): { message: string; code: string; type?: string; param?: string } | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const error = (body as { error?: Record<string, unknown> } | null)?.error;
  if (typeof error?.["message"] !== "string" || typeof error["code"] !== "string") return undefined;
  return {
    message: error["message"],
    code: error["code"],
    ...(typeof error["type"] === "string" ? { type: error["type"] } : {}),
    ...(typeof error["param"] === "string" ? { param: error["param"] } : {}),
  };
}
