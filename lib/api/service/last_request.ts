/**
 * Speed and size of one chat.
 *
 * @module
 */
import type { ChatOutcome } from "../../engines/contract/chat_engine.ts";

/** The statistics of a chat. */
export interface LastRequest {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly generatedTokens: number;
  readonly loadSeconds: number;
  readonly prefillSeconds: number;
  readonly decodeSeconds: number;
  /** From admission, including the load. */
  readonly timeToFirstTokenSeconds: number;
  /** Computed prompt tokens, not counting cached ones. */
  readonly prefillTokensPerSecond?: number;
  readonly decodeTokensPerSecond?: number;
}

/** Statistics of an answer, including its model's load time. */
export function lastRequest(outcome: ChatOutcome, loadSeconds: number): LastRequest {
  const { promptTokens, cachedTokens, completionTokens, prefillSeconds, decodeSeconds, firstTokenSeconds } = outcome;
  const prefill = tokensPerSecond(promptTokens - cachedTokens, prefillSeconds);
  const decode = tokensPerSecond(completionTokens, decodeSeconds);
  return {
    promptTokens,
    cachedTokens,
    generatedTokens: completionTokens,
    loadSeconds,
    prefillSeconds,
    decodeSeconds,
    timeToFirstTokenSeconds: loadSeconds + firstTokenSeconds,
    ...(prefill === undefined ? {} : { prefillTokensPerSecond: prefill }),
    ...(decode === undefined ? {} : { decodeTokensPerSecond: decode }),
  };
}

/** Undefined when it took no time. */
export function tokensPerSecond(tokens: number, seconds: number): number | undefined {
  return seconds > 0 ? tokens / seconds : undefined;
}
