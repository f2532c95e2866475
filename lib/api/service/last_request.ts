/**
 * How fast and how long one chat was.
 *
 * @module
 */
import type { ChatOutcome } from "../../engines/text/chat_engine.ts";

/** The cost of a chat. */
export interface LastRequest {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly generatedTokens: number;
  readonly loadSeconds: number;
  readonly prefillSeconds: number;
  readonly decodeSeconds: number;
  /** From its admission, the loading included. */
  readonly timeToFirstTokenSeconds: number;
  /** Tokens of the prompt that were computed, those from a cache not counted. */
  readonly prefillTokensPerSecond?: number;
  readonly decodeTokensPerSecond?: number;
}

/** What an answer has cost, and what its model took to load before. */
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
