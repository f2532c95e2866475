import type { ModelApi, PreparedChat } from "../service/mod.ts";
import type { Clock } from "../../scheduling/mod.ts";
import { chatCompletion, ChatStream, chunkFrame, DONE_FRAME, wireUsage } from "../../protocol/mod.ts";
import { inferenceRoute, timingHeaders, warn } from "./inference_route.ts";
import type { RateLimit } from "../../http/rate_limit.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";
import { type ReplyFrames, streamReply } from "./reply_stream.ts";

/** Options of routes that stream chats. */
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
      const options = { clock, signal, onError: (error: unknown, gone: boolean) => onError(error, call, gone) };
      return await streamReply(chat, chatFrames(chat), options, call.headers);
    }
    const reply = await chat.run({ onText: () => {}, onDraft: () => {} }, signal);
    warn(call.headers, reply.answer.warnings ?? []);
    const usage = wireUsage(reply.promptTokens, reply.cachedTokens, reply.completionTokens);
    return Response.json(chatCompletion(chat.head, reply.answer, usage, reply), { headers: timingHeaders(reply) });
  })];
}

/** The frames of a chat: chunks, at last `[DONE]`. */
function chatFrames({ head, request }: PreparedChat): ReplyFrames {
  const chunks = new ChatStream(head, request.includeUsage);
  return {
    start: () => chunkFrame(chunks.start()),
    reasoning: (text) => chunkFrame(chunks.reasoning(text)),
    text: (text) => chunkFrame(chunks.text(text)),
    draft: (draft) => chunkFrame(chunks.draft(draft)),
    end: ({ answer, promptTokens, cachedTokens, completionTokens, diffusion }) => {
      const usage = wireUsage(promptTokens, cachedTokens, completionTokens);
      return chunks.end(answer, usage, diffusion).map(chunkFrame).join("") + DONE_FRAME;
    },
  };
}
