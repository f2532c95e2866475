/**
 * Routes that run a model.
 *
 * @module
 */
import { asciiText } from "../../errors/show.ts";
import { checkJsonType, readJson } from "../../http/request_body.ts";
import { type RateLimit, takeRate } from "../../http/rate_limit.ts";
import type { Route, RouteCall } from "../../http/router.ts";

/** Largest body of an inference request, in bytes. */
export const MAX_INFERENCE_BYTES: number = 10 * 2 ** 20;

/** A POST of JSON, checked in this order: content type, rate limit, size, JSON. */
export function inferenceRoute(
  path: string,
  limit: RateLimit | undefined,
  handle: (body: unknown, call: RouteCall) => Promise<Response>,
): Route {
  return {
    method: "POST",
    path,
    handle: async (call) => {
      checkJsonType(call.request);
      takeRate(limit, call.peer, call.headers);
      return await handle(await readJson(call.request, MAX_INFERENCE_BYTES), call);
    },
  };
}

/** Most characters of a warning, and of all of one answer: clients limit the headers that they take. */
const MAX_WARNING = 500;
const MAX_WARNINGS = 6000;

/** Says in the answer what was ignored or left out. */
export function warn(headers: Headers, warnings: readonly string[]): void {
  for (const warning of warnings) {
    const text = asciiText(warning);
    if ((headers.get("x-svc-warning")?.length ?? 0) + MAX_WARNING > MAX_WARNINGS) return;
    headers.append("x-svc-warning", text.length > MAX_WARNING ? `${text.slice(0, MAX_WARNING - 3)}...` : text);
  }
}
