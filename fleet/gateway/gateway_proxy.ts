/**
 * Forwards requests to the workers of their worlds.
 *
 * @module
 */
import type { ClusterClock, SessionOwner } from "../protocol/broker.ts";
import type { FleetView } from "../protocol/fleet_view.ts";
import { type NoAnswer, routeToOwner } from "../protocol/session_router.ts";
import { readBody } from "../../lib/http/request_body.ts";
import { readTrace, traceHeaders } from "../../lib/http/trace_context.ts";
import type { RouteCall } from "../../lib/http/router.ts";
import { MAX_IMAGE_BYTES } from "../../lib/media/images/image_format.ts";
import { notFound, SvcError } from "../../lib/errors/svc_error.ts";
import type { WorkerAddresses } from "./worker_addresses.ts";
import {
  AddressRefused,
  type ForwardedAnswer,
  type ForwardedRequest,
  forwardRequest,
} from "../../lib/platform/sockets/forward_request.ts";

/** Milliseconds that a request waits for a worker. */
const ROUTE_TIMEOUT = 60_000;

/** Request headers that workers get; the gateway keeps all others to itself. */
const PASSED = [
  "accept",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "if-range",
  "last-event-id",
  "prefer",
  "range",
  "x-forwarded-prefix",
];

/** Headers of an answer that belong to one connection, or that the gateway sets itself. */
const OWN = ["connection", "keep-alive", "transfer-encoding", "vary", "x-request-id", "x-content-type-options"];

/** Answers of at most this many bytes are read whole: cheaper than a stream, and a broken one can be requested again. */
const SMALL = 64 * 1024;

/** What a proxy works with. */
export interface GatewayProxyOptions {
  readonly view: FleetView;
  readonly clock: ClusterClock;
  /** Key of the workers. */
  readonly poolKey?: string | undefined;
  /** Called when a request was sent to a second worker. */
  readonly onRetry?: (world: string) => void;
  /** Where workers may be. */
  readonly addresses: WorkerAddresses;
  /** Called when a worker is not asked because of its address. */
  readonly onRefused?: (world: string, owner: SessionOwner, reason: string) => void;
}

/** A request for a world: the path is that of the worker. */
export interface PassedRequest {
  readonly world: string;
  readonly path: string;
  /**
   * Called with the body of a request before it is forwarded; the function it resolves with runs if the request did
   * nothing new.
   */
  readonly charge?: ((body: Uint8Array<ArrayBuffer>) => Promise<() => Promise<void>>) | undefined;
}

/** Forwards requests. */
export class GatewayProxy {
  readonly #options: GatewayProxyOptions;

  constructor(options: GatewayProxyOptions) {
    this.#options = options;
  }

  /**
   * Forwards a request to the worker that has its world, or to the next one if that worker is lost. A request that
   * changes something gets an idempotency key if it has none, so that it takes effect once: a worker that has begun it
   * waits for the first, and the next one finds in the journal what was done; what was not is fenced off.
   *
   * @throws {SvcError} `world_not_found`, `world_waiting`, `world_failed`, `fleet_unavailable`.
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
      const refusal = this.#refusal(world, owner);
      if (refusal !== undefined) throw this.#refused(world, owner, refusal);
      if (tries++ > 0) onRetry?.(world);
      return await this.#ask(
        owner,
        moved,
        world,
        { url: owner.url + path, method, headers, body },
        signal,
      );
    };
    let answer: Response | undefined;
    try {
      const routed = await routeToOwner({ view, clock, session: world, timeout: ROUTE_TIMEOUT, signal, ask });
      if (!("answer" in routed)) throw this.#noAnswer(routed.none, world);
      answer = await inClientsWords(routed.answer, path, request.url);
      return answer;
    } finally {
      // The worker may have started it although its answer was lost.
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
    request: Pick<ForwardedRequest, "url" | "method" | "headers" | "body">,
    client: AbortSignal,
  ): Promise<Response | undefined> {
    const { view } = this.#options;
    const stop = new AbortController();
    const end = (): void => stop.abort();
    moved.addEventListener("abort", end, { once: true });
    let answer: ForwardedAnswer;
    try {
      const pool = this.#poolOf(world);
      const mayConnect = (address: string): boolean => this.#options.addresses.mayBe(pool, owner.url, address);
      answer = await forwardRequest({ ...request, signal: stop.signal, whole: SMALL, mayConnect });
    } catch (error) {
      if (error instanceof AddressRefused) throw this.#refused(world, owner, error.message);
      return undefined; // it is gone, or was asked too late
    } finally {
      moved.removeEventListener("abort", end);
    }
    const { status, headers, body } = answer;
    if (status === 421) {
      end();
      return undefined;
    }
    client.addEventListener("abort", end, { once: true });
    if (headers.get("content-type")?.startsWith("text/event-stream")) {
      // A stalled worker would never end it: the client retries and reaches the next worker.
      const off = view.onChange(world, () => {
        if (view.session(world)?.value.owner?.fence === owner.fence) return;
        off();
        end();
      });
      client.addEventListener("abort", off, { once: true });
    }
    for (const name of OWN) headers.delete(name);
    return new Response(body, { status, headers });
  }

  #poolOf(world: string): string {
    return this.#options.view.session(world)?.value.pool ?? "";
  }

  #refusal(world: string, { url }: SessionOwner): string | undefined {
    return this.#options.addresses.refusal(this.#poolOf(world), url);
  }

  #refused(world: string, owner: SessionOwner, reason: string): SvcError {
    this.#options.onRefused?.(world, owner, reason);
    const message =
      "Cannot answer now: this gateway may not ask this world's worker where it is, its log has the address";
    return new SvcError("fleet_unavailable", message);
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

/** A worker's answer to an unknown path or method names the path that the client requested. */
async function inClientsWords(answer: Response, path: string, asked: string): Promise<Response> {
  if (answer.status !== 404 && answer.status !== 405) return answer;
  if (!answer.headers.get("content-type")?.startsWith("application/json")) return answer;
  if (!(Number(answer.headers.get("content-length") ?? NaN) <= SMALL)) return answer;
  const { status, headers } = answer;
  const { error } = await answer.json();
  headers.delete("content-length");
  const message = error.message.replace(path.split("?")[0], () => new URL(asked).pathname);
  return Response.json({ error: { ...error, message } }, { status, headers });
}

/** The answer for a world that does not exist or belongs to another tenant. */
export function worldNotFound(): SvcError {
  const message = "Cannot find this world: the fleet has none with this id, GET /v1/worlds for those it has";
  return notFound("world_not_found", message);
}

/** Seconds until a retry may succeed. */
export function retryAfter(place: number): number {
  return Math.min(60, 1 + place);
}
