/**
 * A chat as a loop over its chunks.
 *
 * @module
 */
import { type ChatChunk, ChatStream, wireUsage } from "../../protocol/mod.ts";
import type { PreparedChat } from "../../api/service/chat_service.ts";

/** Answers a chat in chunks, as they are generated; leaving the loop cancels the rest. */
export async function* chatChunks(chat: PreparedChat, signal: AbortSignal): AsyncGenerator<ChatChunk, void, void> {
  const stream = new ChatStream(chat.head, chat.request.includeUsage);
  const waiting: ChatChunk[] = [stream.start()];
  let wake = () => {};
  const send = (...chunks: readonly ChatChunk[]) => {
    waiting.push(...chunks);
    wake();
  };
  const left = new AbortController();
  let ended = false;
  const answer = chat.run({
    onReasoning: (text) => send(stream.reasoning(text)),
    onText: (text) => send(stream.text(text)),
    onDraft: (draft) => send(stream.draft(draft)),
  }, AbortSignal.any([signal, left.signal]))
    .then(({ answer, promptTokens, cachedTokens, completionTokens, diffusion }) =>
      send(...stream.end(answer, wireUsage(promptTokens, cachedTokens, completionTokens), diffusion))
    )
    .finally(() => {
      ended = true;
      wake();
    });
  answer.catch(() => {}); // thrown below, unless the loop has been left
  try {
    // A failure before the first text fails at once, and not behind an empty chunk.
    while (!ended && waiting.length === 1) await new Promise<void>((resolve) => wake = resolve);
    if (ended) await answer;
    while (true) {
      while (waiting.length > 0) yield waiting.shift()!;
      if (ended) return await answer;
      await new Promise<void>((resolve) => wake = resolve);
    }
  } finally {
    left.abort(new Error("Cannot continue the answer: the stream was closed unread"));
  }
}
