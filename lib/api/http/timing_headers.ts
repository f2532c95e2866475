/**
 * Timing headers.
 *
 * @module
 */
import { type ChatReply, lastRequest } from "../service/mod.ts";
import { diffusionHeaders } from "../../protocol/mod.ts";

/** Times in milliseconds, tokens and speeds of a completed chat. */
export function timingHeaders(reply: ChatReply): Record<string, string> {
  const times = lastRequest(reply, reply.loadSeconds);
  const duration = (name: string, seconds: number): string => `${name};dur=${(seconds * 1000).toFixed(3)}`;
  const speed = (name: string, value: number | undefined): Record<string, string> =>
    value === undefined ? {} : { [name]: value.toFixed(3) };
  return {
    "server-timing": [
      duration("model_load", times.loadSeconds),
      duration("prefill", times.prefillSeconds),
      duration("decode", times.decodeSeconds),
      duration("ttft", times.timeToFirstTokenSeconds),
    ].join(", "),
    "x-svc-prompt-tokens": String(times.promptTokens),
    "x-svc-cached-tokens": String(times.cachedTokens),
    "x-svc-generated-tokens": String(times.generatedTokens),
    ...speed("x-svc-prefill-tokens-per-second", times.prefillTokensPerSecond),
    ...speed("x-svc-decode-tokens-per-second", times.decodeTokensPerSecond),
    ...reply.diffusion ? diffusionHeaders(reply.diffusion) : {},
  };
}
