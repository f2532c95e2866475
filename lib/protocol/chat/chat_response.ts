/**
 * Responses of chats: whole, as chunks, and as frames and headers on their way out.
 *
 * @module
 */
import type { FinishedAnswer } from "./chat_answer.ts";
import type {
  ChatChunk,
  ChatCompletion,
  WireDelta,
  WireDiffusion,
  WireDraft,
  WireLogprobs,
  WireUsage,
} from "./chat_wire.ts";
import { asciiText } from "../../errors/show.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";

/** What all chunks of a response share. */
export interface ChatResponseHead {
  /** Eight random letters or digits, after `chatcmpl-` in the id. */
  readonly idSuffix: string;
  /** Unix time in seconds. */
  readonly created: number;
  /** Id of the answering model, aliases resolved. */
  readonly model: string;
}

/** Tokens of a request and its answer, as sent over the wire. */
export function wireUsage(prompt: number, cached: number, completion: number): WireUsage {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

/** A response without streaming. */
export function chatCompletion(
  { idSuffix, created, model }: ChatResponseHead,
  { message, finishReason }: FinishedAnswer,
  usage: WireUsage,
  { logprobs, diffusion }: { readonly logprobs?: WireLogprobs; readonly diffusion?: WireDiffusion } = {},
): ChatCompletion {
  return {
    id: `chatcmpl-${idSuffix}`,
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message, finish_reason: finishReason, logprobs: logprobs ?? null }],
    usage,
    ...diffusion === undefined ? {} : { svc_diffusion: diffusion },
  };
}

/**
 * The chunks of a streamed response: {@linkcode start}, then text and drafts, then those of {@linkcode end}.
 *
 * @example
 * ```ts
 * import { ChatStream } from "./chat_response.ts";
 * const stream = new ChatStream({ idSuffix: "0a1b2c3d", created: 0, model: "m" }, false);
 * console.assert(stream.start().choices[0]?.delta.role === "assistant");
 * console.assert(stream.text("Hello").choices[0]?.delta.content === "Hello");
 * ```
 */
export class ChatStream {
  readonly #head: Pick<ChatChunk, "id" | "object" | "created" | "model">;
  readonly #includeUsage: boolean;

  /** @param includeUsage Whether a chunk with the usage ends the stream. */
  constructor({ idSuffix, created, model }: ChatResponseHead, includeUsage: boolean) {
    this.#head = { id: `chatcmpl-${idSuffix}`, object: "chat.completion.chunk", created, model };
    this.#includeUsage = includeUsage;
  }

  /** The first chunk, with the role. */
  start(): ChatChunk {
    return this.#chunk({ role: "assistant", content: "" });
  }

  /** A chunk with text of the answer. */
  text(content: string): ChatChunk {
    return this.#chunk({ content });
  }

  /** A chunk with reasoning, for requests that include it. */
  reasoning(reasoning_content: string): ChatChunk {
    return this.#chunk({ reasoning_content });
  }

  /** A chunk with a draft of a diffusion model. */
  draft(draft: WireDraft): ChatChunk {
    return this.#chunk({ svc_diffusion_draft: draft });
  }

  /**
   * The last chunks: pending text, or the calls and the reasoning before them; the finish reason; and the usage if
   * requested.
   */
  end(answer: FinishedAnswer, usage: WireUsage, diffusion?: WireDiffusion): ChatChunk[] {
    const { rest, restReasoning, message, finishReason } = answer;
    const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
    const delta: WireDelta = {
      ...restReasoning === undefined ? {} : { reasoning_content: restReasoning },
      ...rest === "" ? {} : { content: rest },
      ...calls === undefined ? {} : { tool_calls: calls },
    };
    return [
      ...Object.keys(delta).length === 0 ? [] : [this.#chunk(delta)],
      { ...this.#chunk({}, finishReason), ...diffusion === undefined ? {} : { svc_diffusion: diffusion } },
      ...this.#includeUsage ? [{ ...this.#head, choices: [] as const, usage }] : [],
    ];
  }

  #chunk(delta: WireDelta, finish: FinishedAnswer["finishReason"] | null = null): ChatChunk {
    const chunk: ChatChunk = { ...this.#head, choices: [{ index: 0, delta, finish_reason: finish }] };
    return this.#includeUsage ? { ...chunk, usage: null } : chunk;
  }
}

/** Marks the successful end of a stream. */
export const DONE_FRAME = "data: [DONE]\n\n";

/** Keeps the connection of an idle stream alive; clients ignore it. */
export const KEEPALIVE_FRAME = ": keepalive\n\n";

/** A chunk as a frame. */
export function chunkFrame(chunk: ChatChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** A comment, which clients ignore and people read. */
export function commentFrame(text: string): string {
  return `: ${asciiText(text)}\n\n`;
}

/** An error after the start of a stream, which is its last frame: no {@linkcode DONE_FRAME} follows. */
export function errorFrame(error: ErrorObject): string {
  return `data: ${JSON.stringify({ error })}\n\n`;
}

/** The statistics as response headers; the time of the first draft only if there was one. */
export function diffusionHeaders(diffusion: WireDiffusion): Record<string, string> {
  const { seed, canvasTokens, denoisingSteps, workTokens, workTokensPerSecond, firstDraftSeconds } = diffusion;
  return {
    "x-svc-diffusion-seed": String(seed),
    "x-svc-diffusion-canvas-tokens": String(canvasTokens),
    "x-svc-diffusion-denoising-steps": String(denoisingSteps),
    "x-svc-diffusion-work-tokens": String(workTokens),
    "x-svc-diffusion-work-tokens-per-second": workTokensPerSecond.toFixed(3),
    ...firstDraftSeconds === undefined ? {} : { "x-svc-diffusion-first-draft-seconds": firstDraftSeconds.toFixed(3) },
  };
}
