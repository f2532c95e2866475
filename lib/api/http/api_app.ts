/**
 * The HTTP interface of the model API.
 *
 * @module
 */
import type { ModelApi } from "../service/mod.ts";
import type { Clock } from "../../scheduling/mod.ts";
import { type AccessPolicy, requestPath } from "../../http/access_policy.ts";
import { packedApiOpenApi } from "./api_openapi.generated.ts";
import { apiRefusal } from "./api_refusal.ts";
import { chatRoutes } from "./chat_routes.ts";
import { completionRoutes, promptRoutes } from "./completion_routes.ts";
import { HttpMetrics, operationRoutes } from "../../http/metrics.ts";
import { imageRoutes } from "./image_routes.ts";
import { apiFamilies } from "./metrics_text.ts";
import { unpackText } from "../../http/packed_text.ts";
import { pageRoutes, type ServedPage } from "../../http/page_routes.ts";
import { modelRoutes, runtimeRoutes } from "./runtime_routes.ts";
import { RateLimit } from "../../http/rate_limit.ts";
import { realtimeRoutes } from "./realtime_routes.ts";
import { responsesRoutes } from "./responses_routes.ts";
import { isMessagesPath, messagesRefusal, messagesRoutes } from "./messages_routes.ts";
import { type AnswerRecord, createRouter, errorResponse, type Route, type RouteCall } from "../../http/router.ts";
import { textRoutes } from "./inference_route.ts";
import { transcriptionRoutes } from "./transcription_route.ts";
import { type OpenSpool, type UploadOptions, uploadOptions } from "./upload_route.ts";
import { type OpenServedFile, visionRoutes } from "./vision_routes.ts";
import { speechRoutes } from "./speech_routes.ts";
import type { ErrorObject, SvcError } from "../../errors/svc_error.ts";

/** Options of {@linkcode createApiApp}. */
export interface ApiAppOptions {
  readonly api: ModelApi;
  readonly access: AccessPolicy;
  readonly version: string;
  /** The page at `/`; none by default. */
  readonly page?: ServedPage | undefined;
  /** Whether load balancers may send requests here; always by default. */
  readonly isReady?: (() => boolean) | undefined;
  readonly newId: () => string;
  readonly clock: Clock;
  /** Inference requests per client and minute, at least 1. */
  readonly rateLimitPerMinute: number | undefined;
  /** Milliseconds that only ever grow: setting the clock changes no limit. */
  readonly monotonic: () => number;
  /** Makes a private folder for the files of one request. */
  readonly makeUploadFolder: UploadOptions["makeFolder"];
  /** Opens files of results. */
  readonly openFile: OpenServedFile;
  /** Opens a private file for an answer that its client may read slowly. */
  readonly openSpool: OpenSpool;
  /** Called on every error that is not the client's, with the id sent in its response. */
  readonly onError?: (error: unknown, request: { id: string; method: string; path: string }) => void;
  /** Called on every response as soon as its status is known. */
  readonly onAnswer?: (answer: AnswerRecord) => void;
}

/**
 * The handler of a model API server: a function from request to response. `peer` is the address at the other end of the
 * socket.
 *
 * @example
 * ```ts ignore
 * const access = new AccessPolicy({ apiKey: "secret" });
 * const handler = createApiApp({ api, access, version: "1.0.0", rateLimitPerMinute: 60, … });
 * const response = await handler(new Request("http://localhost/health"), "127.0.0.1");
 * ```
 */
export function createApiApp(options: ApiAppOptions): (request: Request, peer: string) => Promise<Response> {
  const { api, clock, version } = options;
  const { rateLimitPerMinute, monotonic } = options;
  const limit = rateLimitPerMinute === undefined ? undefined : new RateLimit(rateLimitPerMinute, monotonic);
  const metrics = new HttpMetrics();
  const uploads = uploadOptions(limit, options.makeUploadFolder);
  const refuse = (error: unknown, request: Request, id: string, gone: boolean): SvcError => {
    const refusal = apiRefusal(error, gone);
    if (refusal.logged) options.onError?.(error, { id, method: request.method, path: requestPath(request) });
    return refusal.error;
  };
  const refuseLate = (error: unknown, { request, requestId }: RouteCall, gone: boolean): ErrorObject =>
    refuse(error, request, requestId, gone).toObject();
  let description: Promise<string> | undefined;
  const routes: Route[] = [
    { method: "GET", path: "/health", open: true, handle: () => Response.json({ status: "ok" }) },
    {
      method: "GET",
      path: "/openapi.json",
      handle: async () =>
        new Response(await (description ??= unpackText(packedApiOpenApi)), {
          headers: { "content-type": "application/json" },
        }),
    },
    ...operationRoutes({
      isReady: options.isReady ?? (() => true),
      families: async () => {
        const report = await api.status();
        const realtime = api.realtime.counts;
        return apiFamilies({ report, totals: api.totals(), answers: metrics.counts(), realtime, version });
      },
    }),
    ...options.page ? pageRoutes("", options.page) : [],
    ...modelRoutes(api),
    ...chatRoutes(api, { limit, clock, onError: refuseLate }),
    ...responsesRoutes(api, { limit, clock, onError: refuseLate }),
    ...messagesRoutes(api, { limit, clock, onError: refuseLate }),
    ...completionRoutes(api, { limit, clock, onError: refuseLate }),
    ...promptRoutes(api, limit),
    ...imageRoutes(api, { limit, uploads, clock, onError: refuseLate }),
    ...textRoutes(api, limit),
    ...visionRoutes(api, uploads, options.openFile),
    ...speechRoutes(api, { limit, clock, openSpool: options.openSpool, onError: refuseLate }),
    ...transcriptionRoutes(api, { uploads, clock, onError: refuseLate }),
    ...realtimeRoutes(api, { limit, clock, makeFolder: options.makeUploadFolder, onError: refuseLate }),
    ...runtimeRoutes(api),
  ];
  return createRouter({
    routes,
    access: options.access,
    newId: options.newId,
    onAnswer: (answer) => {
      metrics.record(answer);
      options.onAnswer?.(answer);
    },
    asSvcError: (error, request, id) => refuse(error, request, id, request.signal.aborted),
    asResponse: (error, request, id) => isMessagesPath(request) ? messagesRefusal(error, id) : errorResponse(error),
  });
}
