/**
 * The line that every server logs of a request.
 *
 * @module
 */
import type { AnswerRecord } from "../http/router.ts";
import type { Log } from "../platform/processes/log.ts";

/** Logs a request and its answer. */
export function logAnswer(log: Log, { requestId, method, path, status, duration, traceId }: AnswerRecord): void {
  const ms = duration.toFixed(1);
  log("info", "request", { method, path, status, ms, request_id: requestId, trace_id: traceId });
}
