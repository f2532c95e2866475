/**
 * Chats that are answered piece by piece.
 *
 * @module
 */
import type { ChatReply, PreparedChat } from "../service/mod.ts";
import { ChatStream, chunkFrame, DONE_FRAME, wireUsage } from "../protocol/mod.ts";
import { FrameStream, type FrameStreamOptions } from "./frame_stream.ts";
import { timingHeaders } from "./timing_headers.ts";

/**
 * Answers a chat as server-sent events. The status waits for the first thing to tell, so that what fails before, such
 * as a prompt that is too long or a model that does not fit into memory, fails with its own status; after 15 s of
 * waiting, whatever for, the stream starts with a keepalive instead, and errors are frames.
 */
export async function streamChat(chat: PreparedChat, options: FrameStreamOptions): Promise<Response> {
  const stream = new FrameStream(options);
  const { request, head, profile } = chat;
  const chunks = new ChatStream(head, request.includeUsage);
  // A diffusion-style model tells in headers how it went: without drafts there is nothing to tell before that.
  const atOnce = !profile.capabilities.features.has("drafts") || request.showUnmasking;
  const start = once(() => stream.say(chunkFrame(chunks.start())));
  const tell = (frame: string): void => {
    start();
    stream.say(frame);
    if (atOnce) stream.open();
  };
  const reply = chat.run({
    onText: (text) => text !== "" && tell(chunkFrame(chunks.text(text))),
    onDraft: (draft) => tell(chunkFrame(chunks.draft(draft))),
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
      "x-accel-buffering": "no", // proxies that buffer answers would hold pieces back
      ...first ? timingHeaders(first) : {},
    },
  });
}

/** A function that does its work at its first call only. */
function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}
