/**
 * Streamed chat answers.
 *
 * @module
 */
import type { ChatReply, PreparedChat } from "../service/mod.ts";
import { ChatStream, chunkFrame, DONE_FRAME, wireUsage } from "../../protocol/mod.ts";
import { FrameStream, type FrameStreamOptions } from "./frame_stream.ts";
import { timingHeaders } from "./timing_headers.ts";

/**
 * Answers a chat as server-sent events. The status waits for the first event, so that an early failure, such as a
 * prompt that is too long or a model that does not fit into memory, has its own status; after 15 s of waiting for any
 * reason the stream starts with a keepalive instead, and errors become frames.
 */
export async function streamChat(chat: PreparedChat, options: FrameStreamOptions): Promise<Response> {
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
    const usage = wireUsage(promptTokens, cachedTokens, completionTokens);
    stream.say(chunks.end(answer, usage, diffusion).map(chunkFrame).join("") + DONE_FRAME);
    stream.end();
  };
  reply.then(finish, (error) => stream.fail(error));
  const first = await Promise.race([reply, stream.opened]);
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
