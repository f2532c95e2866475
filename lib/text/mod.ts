/**
 * The chat protocol without engine and without HTTP: requests, templates, sampling, streamed text, thoughts, tool calls
 * and responses. Clock, random numbers and the tokenizer are given to it.
 *
 * @module
 */
export * from "./capabilities.ts";
export * from "./chat_answer.ts";
export * from "./chat_request.ts";
export * from "./chat_response.ts";
export type * from "./chat_wire.ts";
export * from "./diffusion_headers.ts";
export * from "./event_frames.ts";
export * from "./chat_template.ts";
export * from "./choose_token.ts";
export * from "./incremental_decoder.ts";
export * from "./output_budget.ts";
export { NEUTRAL_SAMPLING, type SamplingSettings } from "./policy_logits.ts";
export { readChatRequest } from "./read_chat_request.ts";
export type { RawToolCall } from "./raw_tool_call.ts";
export * from "./read_tool_calls.ts";
export { ReasoningSplitter, type SplitAnswer, splitReasoning } from "./reasoning_splitter.ts";
export * from "./reasoning_tags.ts";
export * from "./sampling_settings.ts";
export * from "./stop_matcher.ts";
export * from "./text_error.ts";
export type { TokenDistribution } from "./token_distribution.ts";
export * from "./token_history.ts";
export * from "./tokenizer_config.ts";
export * from "./token_logprobs.ts";
export { tokenRegions } from "./token_regions.ts";
export { findToolCallFormat, type ToolCallFormat } from "./tool_call_formats.ts";
export * from "./tool_constraint.ts";
export * from "./uniform.ts";
export * from "./wire_logprobs.ts";
