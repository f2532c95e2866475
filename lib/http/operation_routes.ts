/**
 * The routes by which a server is operated: whether it takes requests, and its metrics.
 *
 * @module
 */
import { familiesText, type Family, METRICS_TYPE } from "./prometheus_text.ts";
import type { Route } from "./router.ts";

/** What a server says of itself. */
export interface OperationSources {
  /** Whether load balancers may send requests here now. */
  readonly isReady: () => boolean;
  readonly families: () => readonly Family[] | Promise<readonly Family[]>;
}

/**
 * `GET /ready`, which needs no key and answers 200 or 503, and `GET /metrics`, which is behind the key as everything
 * else is.
 */
export function operationRoutes({ isReady, families }: OperationSources): Route[] {
  const ready = (): Response => {
    const now = isReady();
    return Response.json({ object: "readiness", ready: now }, { status: now ? 200 : 503 });
  };
  const metrics = async (): Promise<Response> =>
    new Response(familiesText(await families()), { headers: { "content-type": METRICS_TYPE } });
  return [
    { method: "GET", path: "/ready", open: true, handle: ready },
    { method: "GET", path: "/metrics", handle: metrics },
  ];
}
