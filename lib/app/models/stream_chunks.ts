/**
 * Answers in chunks, for loops.
 *
 * @module
 */
import type { ChatReply, PreparedChat } from "../../api/service/mod.ts";
import { type ChatChunk, type ChatCompletion, ChatStream, wireUsage } from "../../protocol/mod.ts";

/**
 * What `work` sends, as it comes; its failure ends the loop. Leaving the loop aborts the signal that `work` gets, and
 * waits until it has ended. Work begins with the first chunk that is asked for and does not wait for a slow loop.
 */
export async function* streamChunks<T>(
  work: (send: (chunk: T) => void, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  const waiting: T[] = [];
  const left = new AbortController();
  let wake = () => {};
  let ended = false;
  const send = (chunk: T): void => {
    waiting.push(chunk);
    wake();
  };
  const done = work(send, AbortSignal.any([signal, left.signal])).finally(() => {
    ended = true;
    wake();
  });
  done.catch(() => {}); // thrown below, unless the loop has been left
  try {
    while (true) {
      while (waiting.length > 0) yield waiting.shift()!;
      if (ended) return await done;
      await new Promise<void>((resolve) => wake = resolve);
    }
  } finally {
    left.abort(new Error("Cannot continue the answer: the loop over its chunks was left"));
    await done.catch(() => {});
  }
}

/** Sends the chunks of a chat. The first comes with the first text: a failure before it comes alone. */
export async function sendChat(
  { head, request, run }: PreparedChat,
  send: (chunk: ChatChunk) => void,
  signal: AbortSignal,
): Promise<ChatReply> {
  const stream = new ChatStream(head, request.includeUsage);
  let began = false;
  const sendOn = (...chunks: readonly ChatChunk[]): void => {
    if (!began) send(stream.start());
    began = true;
    chunks.forEach(send);
  };
  const reply = await run({
    onReasoning: (text) => sendOn(stream.reasoning(text)),
    onText: (text) => sendOn(stream.text(text)),
    onDraft: (draft) => sendOn(stream.draft(draft)),
  }, signal);
  sendOn(...stream.end(reply.answer, usageOf(reply), reply.diffusion));
  return reply;
}

/** Tokens of a chat as its answer has them. */
export function usageOf({ promptTokens, cachedTokens, completionTokens }: ChatReply): ChatCompletion["usage"] {
  return wireUsage(promptTokens, cachedTokens, completionTokens);
}
