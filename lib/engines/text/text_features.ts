/**
 * Features that token-by-token engines share.
 *
 * @module
 */
import type { TextFeature } from "../../protocol/mod.ts";

/** What such an engine supports with sampling by `lib/protocol` and constrained decoding. */
export const TEXT_FEATURES: readonly TextFeature[] = [
  "tools",
  "strict_tools",
  "stop",
  "seed",
  "top_k",
  "min_p",
  "penalties",
  "repetition_penalty",
  "logit_bias",
  "logprobs",
  "json_object",
  "json_schema",
  "template_arguments",
];
