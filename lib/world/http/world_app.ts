/**
 * The HTTP interface of a world session.
 *
 * @module
 */
import type { ModelStart } from "../protocol/model_files.ts";
import type { World, Worlds } from "../session/worlds.ts";
import type { WorldHealth } from "../protocol/wire.ts";
import { abortableWait } from "../protocol/abortable_wait.ts";
import { type AccessPolicy, requestPath } from "../../http/access_policy.ts";
import { checkpointRoutes } from "./checkpoint_routes.ts";
import { eventRoutes } from "./event_routes.ts";
import { jobRoutes } from "./job_routes.ts";
import { type Family, HttpMetrics, operationRoutes } from "../../http/metrics.ts";
import { worldFamilies, worldsRoutes } from "./worlds_routes.ts";
import { packedOpenApi } from "./openapi.generated.ts";
import { unpackText } from "../../http/packed_text.ts";
import { pageRoutes, type ServedPage } from "../../http/page_routes.ts";
import type { AnswerStore } from "../session/journal/answer_file.ts";
import { idempotent, IdempotentAnswers } from "./idempotency.ts";
import { type AnswerRecord, createRouter, type Route, type RouteCall } from "../../http/router.ts";
import { sessionRoutes } from "./session_routes.ts";
import type { FindWorld } from "./world_call.ts";
import { type DescribeStart, exclusively, startRoutes } from "./start_routes.ts";
import { asSvcError, notFound } from "../../errors/svc_error.ts";

/** Where the routes of worlds are: those of the first one, and of each by its id. */
const bases = ["", "/worlds/:world"];

/** Options of {@linkcode createWorldApp}. */
export interface WorldAppOptions {
  readonly worlds: Worlds;
  readonly access: AccessPolicy;
  readonly version: string;
  readonly newId: () => string;
  /** Where answers about worlds themselves outlive the process; nowhere by default. */
  readonly answers?: AnswerStore | undefined;
  /** Reads the image that comes with the model; rejects with `start_not_found` when there is none. */
  readonly start?: () => Promise<ModelStart>;
  /** Makes a picture of a described place; without it the route is 404. */
  readonly describe?: DescribeStart;
  /** The page at `/`; none by default. */
  readonly page?: ServedPage;
  /** Waits between keepalives of event streams, in milliseconds; a timer by default. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called on every error that is not the client's, with the id sent in its response. */
  readonly onError?: (error: unknown, request: { id: string; method: string; path: string }) => void;
  /** What the server's surroundings add to its metrics. */
  readonly families?: (() => readonly Family[]) | undefined;
  /** Whether load balancers may send requests here; by default, unless the model is being prepared. */
  readonly isReady?: (() => boolean) | undefined;
  /** Called on every response. */
  readonly onAnswer?: (answer: AnswerRecord) => void;
}

/**
 * The handler of a world server: a function from request to response. `peer` is the address at the other end of the
 * socket.
 *
 * @example
 * ```ts ignore
 * const access = new AccessPolicy({});
 * const handler = createWorldApp({ worlds, access, version: "1.0.0", newId: () => crypto.randomUUID(), … });
 * const response = await handler(new Request("http://localhost/health"), "127.0.0.1");
 * ```
 */
export function createWorldApp(options: WorldAppOptions): (request: Request, peer: string) => Promise<Response> {
  const { worlds, version, wait = abortableWait } = options;
  const { session } = worlds.first;
  const find: FindWorld = (call) => {
    const id = call.part("world");
    return id === "" ? worlds.first : worlds.get(id);
  };
  const serverAnswers = new IdempotentAnswers(options.now, options.answers);
  const worldAnswers = new WeakMap<World, IdempotentAnswers>();
  const answersOf = (call: RouteCall): IdempotentAnswers => {
    const world = find(call);
    const answers = worldAnswers.get(world) ?? new IdempotentAnswers(options.now, world.answers);
    worldAnswers.set(world, answers);
    return answers;
  };
  const health = ({ session }: World): Response => {
    const { phase } = session;
    const record: WorldHealth = { object: "world.health", status: "ok", backend: session.backend, phase, version };
    return Response.json(record);
  };
  let description: Promise<string> | undefined;
  const openApi = async (): Promise<Response> =>
    new Response(await (description ??= unpackText(packedOpenApi)), {
      headers: { "content-type": "application/json" },
    });
  const describe = options.describe && exclusively(options.describe);
  const metrics = new HttpMetrics();
  const routes: Route[] = [
    { method: "GET", path: "/health", open: true, handle: () => health(worlds.first) },
    // Which worlds there are is not for everybody.
    { method: "GET", path: "/worlds/:world/health", handle: (call) => health(find(call)) },
    ...operationRoutes({
      isReady: options.isReady ?? (() => session.phase !== "preparing"),
      families: () => [...worldFamilies(worlds.list(), metrics.counts(), version), ...options.families?.() ?? []],
    }),
    { method: "GET", path: "/openapi.json", handle: openApi },
    ...idempotent(worldsRoutes(worlds), () => serverAnswers),
    ...bases.flatMap((base) =>
      idempotent([
        ...(options.page ? pageRoutes(base, options.page) : []),
        ...sessionRoutes(base, find),
        ...checkpointRoutes(base, find),
        ...startRoutes(base, find, options.start ?? noStart, describe),
      ], answersOf)
    ),
    ...idempotent(jobRoutes(bases, find, { wait }), answersOf),
    ...eventRoutes(bases, find, { wait }),
  ];
  return createRouter({
    routes,
    access: options.access,
    newId: options.newId,
    onAnswer: (answer) => {
      metrics.record(answer);
      options.onAnswer?.(answer);
    },
    asSvcError: (error, request, id) => {
      const known = asSvcError(error);
      // Without a cause there is nothing that the log could add to the response.
      if (known.status >= 500 && (known.code === "internal_error" || known.cause !== undefined)) {
        options.onError?.(error, { id, method: request.method, path: requestPath(request) });
      }
      return known;
    },
  });
}

function noStart(): Promise<ModelStart> {
  const message = "Cannot find a start image: the model has none, upload one";
  return Promise.reject(notFound("start_not_found", message));
}
