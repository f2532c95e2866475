/**
 * Anthropic's Messages: chats in the words and with the errors of that API.
 *
 * @module
 */
import type { ModelApi } from "../service/mod.ts";
import {
  answerMessage,
  eventFrame,
  messagesError,
  MessageStream,
  PING_FRAME,
  readMessagesRequest,
} from "../../protocol/mod.ts";
import type { SvcError } from "../../errors/svc_error.ts";
import { requestPath } from "../../http/access_policy.ts";
import type { Route } from "../../http/router.ts";
import type { ChatRoutesOptions } from "./chat_routes.ts";
import { inferenceRoute, timingHeaders, warn } from "./inference_route.ts";
import { streamReply } from "./reply_stream.ts";

const PATH = "/v1/messages";

/** The routes of messages. */
export function messagesRoutes(api: ModelApi, { limit, clock, onError }: ChatRoutesOptions): Route[] {
  const routes = [
    inferenceRoute(PATH, limit, async (body, call) => {
      const { signal } = call.request;
      const { showThinking, ...dialect } = readMessagesRequest(body, "answer");
      const chat = await api.dialectChat(dialect);
      warn(call.headers, chat.request.warnings);
      if (chat.request.reasoning.wish !== undefined && chat.profile.capabilities.reasoning === undefined) {
        warn(call.headers, ["Ignored output_config.effort: the model does not reason"]);
      }
      if (chat.request.stream) {
        const options = {
          clock,
          signal,
          keepalive: PING_FRAME,
          onError: (error: unknown, gone: boolean) => onError(error, call, gone),
          errorFrame: (error: Parameters<typeof messagesError>[0]) =>
            eventFrame("error", { ...messagesError(error), request_id: call.requestId }),
        };
        return await streamReply(chat, new MessageStream(chat.head, showThinking), options, call.headers);
      }
      const reply = await chat.run({ onText: () => {}, onDraft: () => {} }, signal);
      warn(call.headers, reply.answer.warnings ?? []);
      return Response.json(answerMessage(chat.head, reply, showThinking), { headers: timingHeaders(reply) });
    }),
    inferenceRoute(`${PATH}/count_tokens`, limit, async (body, call) => {
      const { value, warnings } = await api.prompts.count(readMessagesRequest(body, "count"), call.request.signal);
      warn(call.headers, warnings);
      return Response.json({ input_tokens: value });
    }),
  ];
  return routes.map((route) => ({ ...route, keyHeader: "x-api-key" }));
}

/** Whether a request is for these routes, whose errors have a shape of their own. */
export function isMessagesPath(request: Request): boolean {
  const path = requestPath(request);
  return path === PATH || path.startsWith(`${PATH}/`);
}

/** The response that an error becomes. */
export function messagesRefusal(error: SvcError, requestId: string): Response {
  const { status, headers } = error;
  return Response.json({ ...messagesError(error.toObject()), request_id: requestId }, { status, headers });
}
