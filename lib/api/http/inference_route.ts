/**
 * Routes that run a model.
 *
 * @module
 */
import { checkJsonType, readJson } from "../../http/json_body.ts";
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

/** Reports ignored fields in the answer. */
export function warn(headers: Headers, warnings: readonly string[]): void {
  for (const warning of warnings) headers.append("x-svc-warning", warning);
}
