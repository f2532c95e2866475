/**
 * Routes that run a model.
 *
 * @module
 */
import { asciiText } from "../../errors/show.ts";
import { checkJsonType, readJson } from "../../http/request_body.ts";
import { type RateLimit, takeRate } from "../../http/rate_limit.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { type ChatReply, lastRequest, type ModelApi, type PreparedTexts } from "../service/mod.ts";
import { diffusionHeaders } from "../../protocol/mod.ts";

/** Largest body of an inference request, in bytes. */
const MAX_INFERENCE_BYTES: number = 10 * 2 ** 20;

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

/** Says in the answer what was ignored or left out, as much as fits into a header. */
export function warn(headers: Headers, warnings: readonly string[]): void {
  for (const [i, warning] of warnings.entries()) {
    const text = asciiText(warning);
    if ((headers.get("x-svc-warning")?.length ?? 0) + MAX_WARNING > MAX_WARNINGS) {
      headers.append("x-svc-warning", `${warnings.length - i} more warnings do not fit`);
      return;
    }
    headers.append("x-svc-warning", text.length > MAX_WARNING ? `${text.slice(0, MAX_WARNING - 3)}...` : text);
  }
}

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

/** Times in milliseconds, tokens and speeds of a completed chat. */
export function timingHeaders(reply: ChatReply): Record<string, string> {
  const times = lastRequest(reply, reply.loadSeconds);
  const duration = (name: string, seconds: number): string => `${name};dur=${(seconds * 1000).toFixed(3)}`;
  const speed = (name: string, value: number | undefined): Record<string, string> =>
    value === undefined ? {} : { [name]: value.toFixed(3) };
  return {
    "server-timing": [
      duration("model_load", times.loadSeconds),
      duration("prefill", times.prefillSeconds),
      duration("decode", times.decodeSeconds),
      duration("ttft", times.timeToFirstTokenSeconds),
    ].join(", "),
    "x-svc-prompt-tokens": String(times.promptTokens),
    "x-svc-cached-tokens": String(times.cachedTokens),
    "x-svc-generated-tokens": String(times.generatedTokens),
    ...speed("x-svc-prefill-tokens-per-second", times.prefillTokensPerSecond),
    ...speed("x-svc-decode-tokens-per-second", times.decodeTokensPerSecond),
    ...reply.diffusion ? diffusionHeaders(reply.diffusion) : {},
  };
}
