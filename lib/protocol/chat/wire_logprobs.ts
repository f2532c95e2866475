/**
 * Log probabilities on the wire.
 *
 * @module
 */
import type { TokenRegion, WireLogprobs, WireTokenLogprob } from "./chat_wire.ts";
import type { TokenLogprob, TokenLogprobs } from "../sampling/token_logprobs.ts";

/** A token of an answer with its log probabilities. */
export interface ReportedToken {
  readonly logprobs: TokenLogprobs;
  readonly region: TokenRegion;
}

/**
 * Log probabilities of an answer. The texts of reasoning tokens are omitted.
 *
 * @param bytesOf The bytes of a token, which need not be whole characters.
 * @param captureSeconds Seconds spent on capturing them.
 */
export function wireLogprobs(
  tokens: readonly ReportedToken[],
  bytesOf: (id: number) => Uint8Array,
  captureSeconds: number,
): WireLogprobs {
  const content = tokens.map(({ logprobs, region }): WireTokenLogprob => {
    const wire = (one: TokenLogprob) => wireToken(one, region === "reasoning" ? new Uint8Array() : bytesOf(one.id));
    return {
      ...wire(logprobs),
      top_logprobs: logprobs.top.map(wire),
      raw_entropy: logprobs.rawEntropy,
      policy_entropy: logprobs.policyEntropy,
      raw_top1_top2_margin: logprobs.rawMargin,
      policy_top1_top2_margin: logprobs.policyMargin,
      region,
    };
  });
  const all = tokens.map(({ logprobs }) => logprobs);
  return {
    content,
    svc_summary: {
      tokenCount: all.length,
      meanRawLogprob: mean(all.map(({ raw }) => raw)),
      minimumRawLogprob: minimum(all.map(({ raw }) => raw)),
      meanPolicyLogprob: mean(all.map(({ policy }) => policy)),
      minimumPolicyLogprob: minimum(all.map(({ policy }) => policy)),
      meanRawEntropy: mean(all.map(({ rawEntropy }) => rawEntropy)),
      meanPolicyEntropy: mean(all.map(({ policyEntropy }) => policyEntropy)),
      meanRawTop1Top2Margin: mean(all.map(({ rawMargin }) => rawMargin)),
      meanPolicyTop1Top2Margin: mean(all.map(({ policyMargin }) => policyMargin)),
    },
    svc_capture_seconds: captureSeconds,
    svc_source: "final_target",
  };
}

function wireToken({ raw, policy }: TokenLogprob, bytes: Uint8Array): WireTokenLogprob["top_logprobs"][number] {
  const token = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return { token, bytes: [...bytes], logprob: raw, raw_logprob: raw, policy_logprob: policy };
}

/** The minimum of nothing is 0: JSON has no infinity. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}

function minimum(values: readonly number[]): number {
  return values.reduce((min, value) => Math.min(min, value), 0);
}
