import type { SvcError } from "../errors/svc_error.ts";

/** The response that an error becomes: the error object as JSON, with its status and headers. */
export function errorResponse(error: SvcError): Response {
  return Response.json({ error: error.toObject() }, { status: error.status, headers: error.headers });
}
