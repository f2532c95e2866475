/**
 * Completions on the wire: whole, and as chunks.
 *
 * @module
 */
import type { ChatResponseHead } from "../chat/chat_response.ts";
import type { FinishReason, WireLogprobs, WireUsage } from "../chat/chat_wire.ts";

/** Log probabilities as completions have them. */
interface CompletionLogprobs {
  readonly tokens: readonly string[];
  readonly token_logprobs: readonly number[];
  readonly top_logprobs: readonly Readonly<Record<string, number>>[];
  readonly text_offset: readonly number[];
}

/** The continuation of one prompt. */
export interface CompletionChoice {
  readonly text: string;
  readonly index: number;
  readonly logprobs: CompletionLogprobs | null;
  readonly finish_reason: FinishReason | null;
}

/** A completion, or a chunk of one. */
export interface Completion {
  readonly id: string;
  readonly object: "text_completion";
  readonly created: number;
  readonly model: string;
  readonly choices: readonly CompletionChoice[];
  readonly usage?: WireUsage | null;
}

/** A completion with these choices. */
export function completion(
  { idSuffix, created, model }: ChatResponseHead,
  choices: readonly CompletionChoice[],
  usage?: WireUsage | null,
): Completion {
  const head = { id: `cmpl-${idSuffix}`, object: "text_completion", created, model } as const;
  return { ...head, choices, ...usage === undefined ? {} : { usage } };
}

/** A choice. */
export function completionChoice(
  index: number,
  text: string,
  finish: FinishReason | null = null,
  logprobs?: WireLogprobs,
): CompletionChoice {
  return { text, index, logprobs: logprobs === undefined ? null : completionLogprobs(logprobs), finish_reason: finish };
}

function completionLogprobs({ content }: WireLogprobs): CompletionLogprobs {
  const offsets: number[] = [];
  let offset = 0;
  for (const { token } of content) {
    offsets.push(offset);
    offset += token.length;
  }
  return {
    tokens: content.map(({ token }) => token),
    token_logprobs: content.map(({ logprob }) => logprob),
    top_logprobs: content.map(({ top_logprobs: top }) =>
      Object.fromEntries(top.map(({ token, logprob }) => [token, logprob]))
    ),
    text_offset: offsets,
  };
}

/** The sums of the usages of several answers. */
export function totalUsage(all: readonly WireUsage[]): WireUsage {
  const sum = (of: (usage: WireUsage) => number): number => all.reduce((total, usage) => total + of(usage), 0);
  return {
    prompt_tokens: sum((usage) => usage.prompt_tokens),
    completion_tokens: sum((usage) => usage.completion_tokens),
    total_tokens: sum((usage) => usage.total_tokens),
    prompt_tokens_details: { cached_tokens: sum((usage) => usage.prompt_tokens_details.cached_tokens) },
  };
}
