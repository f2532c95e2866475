/**
 * Passes requests on to the workers of their worlds.
 *
 * @module
 */
import type { ClusterClock } from "../../cluster/protocol/engine.ts";
import type { FleetView } from "../../cluster/protocol/fleet_view.ts";
import type { SessionOwner } from "../../cluster/protocol/records.ts";
import { type NoAnswer, routeToOwner } from "../../cluster/protocol/session_router.ts";
import { readBody } from "../../http/request_body.ts";
import { readTrace, traceHeaders } from "../../http/trace_context.ts";
import type { RouteCall } from "../../http/router.ts";
import { MAX_IMAGE_BYTES } from "../../media/images/image_limits.ts";
import { notFound } from "../../errors/make_error.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** Milliseconds that a request waits for a worker. */
const ROUTE_TIMEOUT = 60_000;

/** Headers of a request that workers get; all others are the gateway's business. */
const PASSED = [
  "accept",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "if-range",
  "last-event-id",
  "range",
  "x-forwarded-prefix",
];

/** Headers of an answer that belong to one connection, or that the gateway sets itself. */
const OWN = ["connection", "keep-alive", "transfer-encoding", "vary", "x-request-id", "x-content-type-options"];

/** Bytes of an answer that is not streamed. */
const SMALL = 64 * 1024;

/** What a proxy works with. */
export interface GatewayProxyOptions {
  readonly view: FleetView;
  readonly clock: ClusterClock;
  /** Key of the workers. */
  readonly poolKey?: string | undefined;
  /** Called when a request was sent to a second worker. */
  readonly onRetry?: (world: string) => void;
}

/** A request for a world: the path is that of the worker. */
export interface PassedRequest {
  readonly world: string;
  readonly path: string;
  /**
   * Called with the body of a request that is about to be passed on; what it resolves with is called when the request
   * did nothing new.
   */
  readonly charge?: ((body: Uint8Array) => Promise<() => Promise<void>>) | undefined;
}

/** Passes requests on. */
export class GatewayProxy {
  readonly #options: GatewayProxyOptions;

  constructor(options: GatewayProxyOptions) {
    this.#options = options;
  }

  /**
   * Passes a request on to the worker that has its world, and to the next one when that is lost. A request that changes
   * something gets a key if it has none, so that it changes it once.
   *
   * @throws {SvcError} `world_not_found`, `world_waiting`, `world_failed`.
   */
  async pass({ request }: RouteCall, { world, path, charge }: PassedRequest): Promise<Response> {
    const { view, clock, onRetry } = this.#options;
    const { method, signal } = request;
    const hasBody = method !== "GET" && method !== "HEAD" && request.body !== null;
    const body = hasBody ? await readBody(request, MAX_IMAGE_BYTES) : undefined;
    const headers = this.#headers(request);
    if (method !== "GET" && method !== "HEAD" && !headers.has("idempotency-key")) {
      headers.set("idempotency-key", crypto.randomUUID());
    }
    const giveBack = await charge?.(body ?? new Uint8Array());
    let tries = 0;
    const ask = async (owner: SessionOwner, moved: AbortSignal): Promise<Response | undefined> => {
      if (tries++ > 0) onRetry?.(world);
      return await this.#ask(
        owner,
        moved,
        world,
        owner.url + path,
        { method, headers, redirect: "manual", ...(body && { body }) },
        signal,
      );
    };
    let answer: Response | undefined;
    try {
      const routed = await routeToOwner({ view, clock, session: world, timeout: ROUTE_TIMEOUT, signal, ask });
      if (!("answer" in routed)) throw this.#noAnswer(routed.none, world);
      answer = routed.answer;
      return answer;
    } finally {
      // A worker that was asked and whose answer is lost may have begun it.
      const isOld = answer ? !answer.ok || answer.headers.has("idempotency-replayed") : tries === 0;
      if (isOld) await giveBack?.().catch(() => {}); // else it comes back by itself within a minute
    }
  }

  #headers(request: Request): Headers {
    const headers = new Headers({ "accept-encoding": "identity", ...traceHeaders(readTrace(request.headers)) });
    for (const name of PASSED) {
      const value = request.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const { poolKey } = this.#options;
    if (poolKey !== undefined) headers.set("authorization", `Bearer ${poolKey}`);
    return headers;
  }

  async #ask(
    owner: SessionOwner,
    moved: AbortSignal,
    world: string,
    url: string,
    request: RequestInit,
    client: AbortSignal,
  ): Promise<Response | undefined> {
    const { view } = this.#options;
    const stop = new AbortController();
    const end = (): void => stop.abort();
    moved.addEventListener("abort", end, { once: true });
    let response: Response;
    let small: ArrayBuffer | undefined;
    try {
      response = await fetch(url, { ...request, signal: stop.signal });
      if (isSmall(response)) small = await response.arrayBuffer();
    } catch {
      return undefined; // it is gone, or was asked too late
    } finally {
      moved.removeEventListener("abort", end);
    }
    if (response.status === 421) {
      if (!small) await response.body?.cancel();
      return undefined;
    }
    client.addEventListener("abort", end, { once: true });
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      // A worker that stands still would never end it: the client asks again, and is sent to the next one.
      const off = view.onChange(world, () => {
        if (view.session(world)?.value.owner?.fence === owner.fence) return;
        off();
        end();
      });
      client.addEventListener("abort", off, { once: true });
    }
    const headers = new Headers(response.headers);
    for (const name of OWN) headers.delete(name);
    return new Response(small ?? response.body, { status: response.status, headers });
  }

  #noAnswer(reason: NoAnswer, world: string): SvcError {
    if (reason === "unknown") return worldNotFound();
    const record = this.#options.view.session(world)?.value;
    if (reason === "failed") {
      const message = `Cannot open this world: ${
        record?.reason ?? "no worker could"
      }, its workers' logs have the reason`;
      return new SvcError("world_failed", message);
    }
    const place = this.#options.view.ahead(world) + 1;
    const message = `Cannot answer yet: this world waits for a worker, at place ${place}, try again later`;
    return new SvcError("world_waiting", message, { headers: { "retry-after": String(retryAfter(place)) } });
  }
}

/** The answer for a world that is not there, or that is another tenant's. */
export function worldNotFound(): SvcError {
  const message = "Cannot find this world: the fleet has none with this id, GET /v1/worlds for those it has";
  return notFound("world_not_found", message);
}

/** Whether an answer is read whole: that is cheaper than a stream, and one that breaks off is asked for again. */
function isSmall({ body, headers }: Response): boolean {
  const size = Number(headers.get("content-length") ?? Infinity);
  return body !== null && size <= SMALL && !headers.get("content-type")?.startsWith("text/event-stream");
}

/** Seconds after which it is worth asking again. */
export function retryAfter(place: number): number {
  return Math.min(60, 1 + place);
}
