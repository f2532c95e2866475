/**
 * Local models without a server.
 *
 * @module
 */
import { type ChatChunk, type ChatCompletion, chatCompletion, ChatStream, wireUsage } from "../../protocol/mod.ts";
import type { EmbeddingList, RerankList } from "../../api/service/text/text_services.ts";
import type { OpenedModelApi } from "./open_model_api.ts";
import type { PreparedChat } from "../../api/service/chat_service.ts";

/** The fields of a request as `POST /v1/chat/completions` takes them; without `model`, the opened one answers. */
export interface ChatBody {
  /** Id or alias of an installed model. */
  readonly model?: string;
  /** The conversation, as in the OpenAI interface. */
  readonly messages: readonly object[];
  /** Further fields of the request. */
  readonly [field: string]: unknown;
}

/** The fields of a request as `POST /v1/embeddings` takes them. */
export interface EmbeddingBody {
  /** Id or alias of an installed model, or the path of its folder. */
  readonly model: string;
  /** The texts. */
  readonly input: string | readonly string[];
  /** Further fields of the request. */
  readonly [field: string]: unknown;
}

/** The fields of a request as `POST /v1/rerank` takes them. */
export interface RerankBody {
  /** Id or alias of an installed model, or the path of its folder. */
  readonly model: string;
  /** The query. */
  readonly query: string;
  /** The documents to rank. */
  readonly documents: readonly string[];
  /** Further fields of the request. */
  readonly [field: string]: unknown;
}

/** An installed model, or an alias of one. */
export interface LocalModel {
  /** The name that requests give. */
  readonly id: string;
  /** What it is for: `chat.completions`, `embeddings`, `rerank`, ... */
  readonly task: string;
  /** Tokens of a prompt with its answer, at most; chat models only. */
  readonly context?: number;
}

/** Options of a request. */
export interface ModelCallOptions {
  /** Cancels the request, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Installed models in this process, each in a child process of its own; made by `openModels`. */
export class Models implements AsyncDisposable {
  readonly #opened: OpenedModelApi;

  /** Takes over what is open; closing this closes it. */
  constructor(opened: OpenedModelApi) {
    this.#opened = opened;
  }

  /** The installed models. */
  async list(): Promise<readonly LocalModel[]> {
    const models = await this.#opened.api.models(true);
    return models.map(({ id, task, limit }) => ({ id, task, ...limit && { context: limit.context } }));
  }

  /**
   * Completes a chat in one piece.
   *
   * @throws {SvcError} for a field that is invalid or that the model cannot honour, with `code` and `param`.
   */
  async chat(body: ChatBody, { signal = never() }: ModelCallOptions = {}): Promise<ChatCompletion> {
    const chat = await this.#opened.api.chat({ model: "", ...body, stream: false });
    const reply = await chat.run({ onText: () => {}, onDraft: () => {} }, signal);
    const usage = wireUsage(reply.promptTokens, reply.cachedTokens, reply.completionTokens);
    return chatCompletion(chat.head, reply.answer, usage, reply);
  }

  /**
   * Completes a chat in chunks, as they are generated. Leaving the loop cancels the rest.
   *
   * @throws {SvcError} as {@linkcode chat}, at the first chunk.
   */
  async *stream(body: ChatBody, { signal = never() }: ModelCallOptions = {}): AsyncGenerator<ChatChunk, void, void> {
    yield* chatChunks(await this.#opened.api.chat({ model: "", ...body, stream: true }), signal);
  }

  /** Embeds texts: one vector for each, in their order. */
  async embed(body: EmbeddingBody, { signal = never() }: ModelCallOptions = {}): Promise<EmbeddingList> {
    return await (await this.#opened.api.embeddings(body)).run(signal);
  }

  /** Ranks documents by how well they answer a query, best first. */
  async rerank(body: RerankBody, { signal = never() }: ModelCallOptions = {}): Promise<RerankList> {
    return await (await this.#opened.api.rerank(body)).run(signal);
  }

  /** Loads a chat model before it is needed. */
  async load(model: string, { signal = never() }: ModelCallOptions = {}): Promise<void> {
    await this.#opened.api.load(model, signal);
  }

  /** Unloads a chat model and frees its memory. */
  async unload(model: string, { signal = never() }: ModelCallOptions = {}): Promise<void> {
    await this.#opened.api.unload(model, signal);
  }

  /** Cancels what runs, ends every engine and frees its memory. */
  close(): Promise<void> {
    return this.#opened.close(AbortSignal.abort());
  }

  /** The same as {@linkcode close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function never(): AbortSignal {
  return new AbortController().signal;
}

/** Answers a chat in chunks, as they are generated; leaving the loop cancels the rest. */
async function* chatChunks(chat: PreparedChat, signal: AbortSignal): AsyncGenerator<ChatChunk, void, void> {
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
    // A failure before the first text fails at once, and not after an empty chunk.
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
