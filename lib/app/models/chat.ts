/**
 * A model that is chatted with without a server.
 *
 * @module
 */
import { checkChatImages, type ReadImage, withoutImageData } from "../../api/service/chat_images.ts";
import type { ChatEngine, ChatListener, ChatOptions, ChatOutcome } from "../../engines/text/chat_engine.ts";
import {
  type ChatChunk,
  type ChatCompletion,
  chatCompletion,
  type ChatRequest,
  type ChatResponseHead,
  ChatStream,
  readChatRequest,
  wireUsage,
} from "../../api/protocol/mod.ts";

/** What a {@linkcode Chat} is made of. */
export interface ChatParts {
  readonly engine: ChatEngine;
  /** Id of the model. */
  readonly id: string;
  readonly limits: Pick<ChatOptions, "context" | "presetMaxTokens" | "defaults">;
  readonly readImage: ReadImage;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Eight letters or digits at random. */
  readonly newId: () => string;
}

/** The fields of a request as `POST /v1/chat/completions` takes them; `model` and `stream` may be left out. */
export interface ChatBody {
  readonly messages: readonly object[];
  readonly [field: string]: unknown;
}

/** Options of a chat. */
export interface ChatCallOptions {
  /** Ends the answer; what was asked then rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** A loaded model; made by `openChat`. */
export class Chat implements AsyncDisposable {
  readonly #parts: ChatParts;

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  /** What was loaded and where it runs. */
  get model(): { readonly id: string; readonly device: string; readonly context: number } {
    const { id, engine, limits } = this.#parts;
    return { id, device: engine.device, context: limits.context };
  }

  /**
   * Answers in one piece.
   *
   * @throws {SvcError} for a field that is wrong or that the model cannot honour, with `code` and `param`.
   */
  async complete(body: ChatBody, { signal }: ChatCallOptions = {}): Promise<ChatCompletion> {
    const request = readChatRequest({ model: "", ...body, stream: false });
    const head = this.#head();
    const outcome = await this.#answer(request, silent, signal ?? new AbortController().signal);
    return chatCompletion(head, outcome.answer, usageOf(outcome), outcome);
  }

  /**
   * Answers in pieces, as they come. Leaving the loop ends the answer.
   *
   * @throws {SvcError} as {@linkcode complete}, at the first piece.
   */
  async *stream(body: ChatBody, { signal }: ChatCallOptions = {}): AsyncGenerator<ChatChunk, void, void> {
    const request = readChatRequest({ model: "", ...body, stream: true });
    const chunks = new ChatStream(this.#head(), request.includeUsage);
    const waiting: ChatChunk[] = [chunks.start()];
    let wake = () => {};
    const tell = (...news: readonly ChatChunk[]) => {
      waiting.push(...news);
      wake();
    };
    const abort = new AbortController();
    const leave = () => abort.abort(signal?.reason);
    signal?.addEventListener("abort", leave);
    if (signal?.aborted) leave();
    let ended = false;
    const events = {
      onText: (text: string) => tell(chunks.text(text)),
      onDraft: (draft: Parameters<ChatListener["onDraft"]>[0]) => tell(chunks.draft(draft)),
    };
    const answer = this.#answer(request, { ...silent, ...events }, abort.signal)
      .then((outcome) => tell(...chunks.end(outcome.answer, usageOf(outcome), outcome.diffusion)))
      .finally(() => {
        ended = true;
        wake();
      });
    answer.catch(() => {}); // told below, unless the loop has been left
    try {
      // What fails before anything is said fails at once, and not behind an empty piece.
      while (!ended && waiting.length === 1) await new Promise<void>((resolve) => wake = resolve);
      if (ended) await answer;
      while (true) {
        while (waiting.length > 0) yield waiting.shift()!;
        if (ended) return await answer;
        await new Promise<void>((resolve) => wake = resolve);
      }
    } finally {
      signal?.removeEventListener("abort", leave);
      abort.abort(new Error("Cannot go on with the answer: nobody reads it"));
    }
  }

  /** Ends the process of the model and frees its memory; chats that are under way reject. */
  async close(): Promise<void> {
    await this.#parts.engine.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #head(): ChatResponseHead {
    const { id, now, newId } = this.#parts;
    return { idSuffix: newId(), created: Math.floor(now() / 1000), model: id };
  }

  async #answer(request: ChatRequest, listener: ChatListener, signal: AbortSignal): Promise<ChatOutcome> {
    const { engine, limits, readImage, now } = this.#parts;
    const sources = await checkChatImages(request, readImage);
    const images = await Promise.all(sources.map((source) => source()));
    const forEngine = images.length === 0 ? request : withoutImageData(request);
    return await engine.chat(forEngine, { ...limits, images, now: now() }, listener, signal);
  }
}

const silent: ChatListener = { onPrefill: () => {}, onText: () => {}, onDraft: () => {}, onTokens: () => {} };

function usageOf({ promptTokens, cachedTokens, completionTokens }: ChatOutcome): ReturnType<typeof wireUsage> {
  return wireUsage(promptTokens, cachedTokens, completionTokens);
}
