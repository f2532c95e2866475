/**
 * What engines that write token by token have in common.
 *
 * @module
 */
import type { TextFeature } from "../../api/protocol/mod.ts";

/** What such an engine can do when it samples by `lib/api/protocol` and constrains tokens by a grammar. */
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
