import type { ChatReply, ModelApi, PreparedChat } from "../service/mod.ts";
import type { Clock } from "../../scheduling/mod.ts";
import { chatCompletion, ChatStream, chunkFrame, commentFrame, DONE_FRAME, wireUsage } from "../../protocol/mod.ts";
import { inferenceRoute, timingHeaders, warn } from "./inference_route.ts";
import type { RateLimit } from "../../http/rate_limit.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";
import { FrameStream, type FrameStreamOptions } from "./frame_stream.ts";

/** Options of {@linkcode chatRoutes}. */
interface ChatRoutesOptions {
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
      return await streamChat(chat, options, call.headers);
    }
    const reply = await chat.run({ onText: () => {}, onDraft: () => {} }, signal);
    warn(call.headers, reply.answer.warnings ?? []);
    const usage = wireUsage(reply.promptTokens, reply.cachedTokens, reply.completionTokens);
    return Response.json(chatCompletion(chat.head, reply.answer, usage, reply), { headers: timingHeaders(reply) });
  })];
}

/**
 * Answers a chat as server-sent events. The status waits for the first event, so that an early failure, such as a
 * prompt that is too long or a model that does not fit into memory, has its own status; after 15 s of waiting for any
 * reason the stream starts with a keepalive instead, and errors become frames. What was left out of the answer is a header
 * as long as there can be one, and a comment from then on.
 */
async function streamChat(chat: PreparedChat, options: FrameStreamOptions, headers: Headers): Promise<Response> {
  const stream = new FrameStream(options);
  const { request, head, profile } = chat;
  const chunks = new ChatStream(head, request.includeUsage);
  // A diffusion model reports its statistics in headers: without drafts nothing can be sent before they are known.
  const atOnce = !profile.capabilities.features.has("drafts") || request.showUnmasking;
  const start = once(() => stream.say(chunkFrame(chunks.start())));
  const send = (frame: string): void => {
    start();
    stream.say(frame);
    if (atOnce) stream.open();
  };
  const reply = chat.run({
    onReasoning: (text) => send(chunkFrame(chunks.reasoning(text))),
    onText: (text) => text !== "" && send(chunkFrame(chunks.text(text))),
    onDraft: (draft) => send(chunkFrame(chunks.draft(draft))),
  }, stream.signal);
  const finish = ({ answer, promptTokens, cachedTokens, completionTokens, diffusion }: ChatReply): void => {
    start();
    if (stream.isOpen) { for (const warning of answer.warnings ?? []) stream.say(commentFrame(warning)); }
    const usage = wireUsage(promptTokens, cachedTokens, completionTokens);
    stream.say(chunks.end(answer, usage, diffusion).map(chunkFrame).join("") + DONE_FRAME);
    stream.end();
  };
  reply.then(finish, (error) => stream.fail(error));
  const first = await Promise.race([reply, stream.opened]);
  warn(headers, first?.answer.warnings ?? []);
  return new Response(stream.body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no", // proxies that buffer answers would delay the chunks
      ...first ? timingHeaders(first) : {},
    },
  });
}

/** A function that runs once. */
function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}
