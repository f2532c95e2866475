/**
 * Chats as streams of server-sent events.
 *
 * @module
 */
import type { ChatReply, PreparedChat } from "../service/mod.ts";
import { commentFrame, type WireDraft } from "../../protocol/mod.ts";
import { timingHeaders, warn } from "./inference_route.ts";
import { FrameStream, type FrameStreamOptions } from "./frame_stream.ts";

/** The frames of a chat in the words of an API. */
export interface ReplyFrames {
  /** The first frames; the tokens of the prompt are 0 while they are not known. */
  start(promptTokens: number): string;
  reasoning(text: string): string;
  text(text: string): string;
  draft?(draft: WireDraft): string;
  /** The last frames. */
  end(reply: ChatReply): string;
}

/**
 * Answers a chat as server-sent events. The status waits for the first event, so that an early failure, such as a
 * prompt that is too long or a model that does not fit into memory, has its own status; after 15 s of waiting for any
 * reason the stream starts with a keepalive instead, and errors become frames. What was left out of the answer is a header
 * as long as there can be one, and a comment from then on.
 */
export async function streamReply(
  { profile, request, run }: PreparedChat,
  frames: ReplyFrames,
  options: FrameStreamOptions,
  headers: Headers,
): Promise<Response> {
  const stream = new FrameStream(options);
  // A diffusion model reports its statistics in headers: without drafts nothing can be sent before they are known.
  const atOnce = !profile.capabilities.features.has("drafts") || request.showUnmasking;
  let promptTokens = 0;
  let hasStarted = false;
  const start = (): void => {
    if (!hasStarted) stream.say(frames.start(promptTokens));
    hasStarted = true;
  };
  const send = (frame: () => string): void => {
    start();
    stream.say(frame());
    if (atOnce) stream.open();
  };
  const reply = run({
    onPrompt: (tokens) => promptTokens = tokens,
    onReasoning: (text) => send(() => frames.reasoning(text)),
    onText: (text) => text !== "" && send(() => frames.text(text)),
    onDraft: (draft) => send(() => frames.draft?.(draft) ?? ""),
  }, stream.signal);
  const finish = (reply: ChatReply): void => {
    promptTokens = reply.promptTokens;
    start();
    if (stream.isOpen) { for (const warning of reply.answer.warnings ?? []) stream.say(commentFrame(warning)); }
    stream.say(frames.end(reply));
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
