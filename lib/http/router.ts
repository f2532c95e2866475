/**
 * Routes with a fixed order of checks, as a function from request to response.
 *
 * @module
 */
import { type Context, Hono } from "hono";
import { type AccessPolicy, requestPath } from "./access_policy.ts";
import { decodeRequest } from "./content_encoding.ts";
import { readTrace } from "./trace_context.ts";
import { notFound, SvcError } from "../errors/svc_error.ts";
import type { Log } from "../platform/processes/log.ts";

/** What a handler gets: the request, and the parameters of its path. */
export interface RouteCall {
  readonly request: Request;
  /** Address of the socket's peer. */
  readonly peer: string;
  /** The id that the response carries. */
  readonly requestId: string;
  /** Headers of the response, including an error response. */
  readonly headers: Headers;
  /** An id for what the request makes: the same one when it is sent again with its key after a process was killed. */
  newId(): Promise<string>;
  /** A path parameter, such as `id` for `/jobs/:id`. */
  part(name: string): string;
}

/** One method of one path. GET also answers HEAD: the handler sees the method and omits the body. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path with `:name` for its parameters. */
  readonly path: string;
  /** Whether the route needs no token. */
  readonly open?: boolean;
  /** A header that may have the key in place of a bearer token, as clients of other APIs send it. */
  readonly keyHeader?: string;
  /** What stands before the key in a list of that header. */
  readonly keyPrefix?: string;
  readonly handle: (call: RouteCall) => Response | Promise<Response>;
}

/** Options of {@linkcode createRouter}. */
interface RouterOptions {
  readonly routes: readonly Route[];
  readonly access: AccessPolicy;
  /** Creates an id for the `x-request-id` header. */
  readonly newId: () => string;
  /** Turns what a handler throws into an error for the client; an unexpected one becomes a 500 and is logged. */
  readonly asSvcError: (error: unknown, request: Request, requestId: string) => SvcError;
  /** The response that an error becomes; {@linkcode errorResponse} by default. */
  readonly asResponse?: (error: SvcError, request: Request, requestId: string) => Response;
  /** Called on every response as soon as its status is known. */
  readonly onAnswer?: (answer: AnswerRecord) => void;
}

/** A request and its answer for the log: without the query and the headers, which may hold secrets. */
export interface AnswerRecord {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** The path of its route, such as `/jobs/:id`; undefined when no route matches. */
  readonly route: string | undefined;
  readonly status: number;
  /** From the request's arrival until its status was known, in milliseconds. */
  readonly duration: number;
  /** The id of the trace that the request came with; absent where it came with none. */
  readonly traceId?: string;
}

interface Env {
  readonly Bindings: Pick<RouteCall, "peer" | "requestId" | "headers"> & { route: string | undefined };
}

// The star covers all other headers of requests without browser credentials, as all are here; old browsers do not
// support it, and it never covers authorization.
const ALLOWED_HEADERS = "accept, authorization, content-type, if-none-match, if-range, last-event-id, range, *";
const EXPOSED_HEADERS = "accept-ranges, content-length, content-range, etag, location, retry-after, x-request-id, *";

/**
 * Combines routes. Every request is checked in this order: method and path, host and origin, token; then its handler
 * runs. A preflight needs no token. Every response has an `x-request-id`, is not cached unless its handler allows it,
 * and has the CORS headers when its origin is allowed.
 */
export function createRouter(options: RouterOptions): (request: Request, peer: string) => Promise<Response> {
  const { access, asResponse = errorResponse } = options;
  const app = new Hono<Env>();
  const guarded = (route: Route) => async (c: Context<Env>): Promise<Response> => {
    const { peer, requestId, headers } = c.env;
    access.checkSource(c.req.raw, peer);
    if (!route.open) await access.checkToken(c.req.raw, peer, route.keyHeader, route.keyPrefix);
    return await route.handle({
      request: await decodeRequest(c.req.raw),
      peer,
      requestId,
      headers,
      newId: () => Promise.resolve(options.newId()),
      part: (name) => c.req.param(name) ?? "",
    });
  };
  for (const path of new Set(options.routes.map((route) => route.path))) {
    const here = options.routes.filter((route) => route.path === path);
    app.use(path, (c, next) => {
      c.env.route = path;
      return next();
    });
    for (const route of here) app.on(route.method, path, guarded(route));
    const methods = here.flatMap(({ method }) => method === "GET" ? ["GET", "HEAD"] : [method]);
    const allow = [...methods, "OPTIONS"].join(", ");
    app.options(path, (c) => {
      access.checkSource(c.req.raw, c.env.peer);
      return new Response(null, { status: 204, headers: preflight(c.req.raw, allow) });
    });
    app.all(path, (c) => {
      const message = `Cannot answer ${c.req.method} ${c.req.path}: expected one of ${allow}`;
      throw new SvcError("method_not_allowed", message, { headers: { allow } });
    });
  }
  app.notFound((c) => {
    const meant = usualPath(c.req.path);
    const isThere = meant !== c.req.path && app.router.match(c.req.method, meant)[0].length > 0;
    const hint = isThere ? `, expected ${meant}: check the base URL of the client` : "";
    throw notFound("path_not_found", `Cannot find ${c.req.path}: this server has no such path${hint}`);
  });
  app.onError((error) => {
    throw error;
  });

  return async (request, peer) => {
    const begin = performance.now();
    const requestId = options.newId();
    const call: Env["Bindings"] = { peer, requestId, headers: new Headers(), route: undefined };
    let response: Response;
    try {
      response = await app.fetch(request, call);
    } catch (error) {
      const refusal = asResponse(options.asSvcError(error, request, requestId), request, requestId);
      response = request.method === "HEAD" ? new Response(null, refusal) : refusal;
    }
    for (const [name, value] of call.headers) response.headers.append(name, value);
    response.headers.set("x-request-id", requestId);
    response.headers.append("vary", "Origin");
    response.headers.set("x-content-type-options", "nosniff");
    if (!access.allowsEveryOrigin) response.headers.set("cross-origin-resource-policy", "same-site");
    if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
    const origin = request.headers.get("origin");
    if (origin !== null && access.allowsOrigin(origin)) {
      response.headers.set("access-control-allow-origin", origin);
      response.headers.set("access-control-expose-headers", EXPOSED_HEADERS);
    }
    const { method } = request;
    const { status } = response;
    const duration = performance.now() - begin;
    const traceId = readTrace(request.headers)?.traceId;
    const path = requestPath(request);
    const trace = traceId === undefined ? {} : { traceId };
    options.onAnswer?.({ requestId, method, path, route: call.route, status, duration, ...trace });
    return response;
  };
}

/** A path without what base URLs with one slash or `/v1` too many add to it. */
function usualPath(path: string): string {
  return path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1").replace(/^(\/v1)+(?=\/v1\/)/, "");
}

function preflight(request: Request, allow: string): Headers {
  const headers = new Headers({ allow });
  if (!request.headers.has("access-control-request-method")) return headers;
  headers.set("access-control-allow-methods", allow);
  headers.set("access-control-allow-headers", ALLOWED_HEADERS);
  headers.set("access-control-max-age", "600");
  return headers;
}

/** A server without its socket. */
export interface Handler {
  /**
   * Answers one request.
   *
   * @param peer Address at the other end of the socket, which the access policy looks at; loopback by default.
   */
  fetch(request: Request, peer?: string): Promise<Response>;
  /** Cancels what runs and releases everything. */
  close(): Promise<void>;
}

/** The response that an error becomes: the error object as JSON, with its status and headers. */
export function errorResponse(error: SvcError): Response {
  return Response.json({ error: error.toObject() }, { status: error.status, headers: error.headers });
}

/** Logs a request and its answer, except for a job that is polled: a move would fill the terminal with those. */
export function logAnswer(log: Log, answer: AnswerRecord): void {
  const { requestId, method, path, status, duration, traceId } = answer;
  if (method === "GET" && status < 400 && /\/jobs\/[^/]+$/.test(path)) return;
  const ms = duration.toFixed(1);
  log("info", "request", { method, path, status, ms, request_id: requestId, trace_id: traceId });
}
