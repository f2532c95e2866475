import type { ModelApi, PreparedTexts } from "../service/mod.ts";
import { inferenceRoute, warn } from "./inference_route.ts";
import type { RateLimit } from "../../http/rate_limit.ts";
import type { Route, RouteCall } from "../../http/router.ts";

/** The routes of embeddings and rerank. */
export function textRoutes(api: ModelApi, limit: RateLimit | undefined): Route[] {
  const answer = async <T>(texts: PreparedTexts<T>, { request, headers }: RouteCall): Promise<Response> => {
    warn(headers, texts.warnings);
    return Response.json(await texts.run(request.signal));
  };
  return [
    inferenceRoute("/v1/embeddings", limit, async (body, call) => answer(await api.embeddings(body), call)),
    inferenceRoute("/v1/rerank", limit, async (body, call) => answer(await api.rerank(body), call)),
  ];
}
