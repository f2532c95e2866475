import type { ModelApi } from "../service/mod.ts";
import type { Clock } from "../../scheduling/mod.ts";
import { chatCompletion, wireUsage } from "../../protocol/mod.ts";
import { streamChat } from "./chat_stream.ts";
import { inferenceRoute, warn } from "./inference_route.ts";
import type { RateLimit } from "../../http/rate_limit.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { timingHeaders } from "./timing_headers.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";

/** Options of {@linkcode chatRoutes}. */
export interface ChatRoutesOptions {
  readonly limit: RateLimit | undefined;
  readonly clock: Clock;
  /** Makes the error object of a failure after the start of a stream, and logs unexpected ones. */
  readonly onError: (error: unknown, call: RouteCall, gone: boolean) => ErrorObject;
}

/** The route of chat completions. */
export function chatRoutes(api: ModelApi, { limit, clock, onError }: ChatRoutesOptions): Route[] {
  return [inferenceRoute("/v1/chat/completions", limit, async (body, call) => {
    const { signal } = call.request;
    const chat = await api.chat(body);
    warn(call.headers, chat.request.warnings);
    if (chat.request.stream) {
      return await streamChat(chat, { clock, signal, onError: (error, gone) => onError(error, call, gone) });
    }
    const reply = await chat.run({ onText: () => {}, onDraft: () => {} }, signal);
    const usage = wireUsage(reply.promptTokens, reply.cachedTokens, reply.completionTokens);
    return Response.json(chatCompletion(chat.head, reply.answer, usage, reply), { headers: timingHeaders(reply) });
  })];
}
