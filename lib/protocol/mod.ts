/**
 * The chat protocol without engine and without HTTP: requests, templates, sampling, streamed text, reasoning, tool
 * calls and responses. Clock, random numbers and the tokenizer are injected.
 *
 * @module
 */
export * from "./chat/capabilities.ts";
export * from "./chat/chat_answer.ts";
export * from "./chat/chat_request.ts";
export * from "./chat/chat_response.ts";
export type * from "./chat/chat_wire.ts";
export * from "./templates/chat_template.ts";
export * from "./sampling/choose_token.ts";
export * from "./decoding/streaming_text.ts";
export * from "./completions/completion_answer.ts";
export { type CompletionRequest, readCompletionRequest } from "./completions/read_completion_request.ts";
export { type DialectChat, given, Places, readDialectChat } from "./chat/dialect.ts";
export * from "./chat/output_budget.ts";
export * from "./messages/messages_answer.ts";
export { type MessagesChat, readMessagesRequest } from "./messages/read_messages_request.ts";
export { type ClientEvent, eventIdOf, readClientEvent } from "./realtime/client_events.ts";
export * from "./realtime/realtime_config.ts";
export {
  chatItem,
  type RealtimeContent,
  type RealtimeItem,
  type RealtimePart,
  type RealtimeVersion,
  type SentItem,
  sentItem,
  wireItem,
} from "./realtime/realtime_items.ts";
export { SentenceSplitter } from "./realtime/sentence_splitter.ts";
export * from "./realtime/server_events.ts";
export { configPatch } from "./realtime/session_fields.ts";
export * from "./responses/responses_answer.ts";
export * from "./responses/response_stream.ts";
export { type KeptItems, readResponsesRequest, type ResponsesChat } from "./responses/read_responses_request.ts";
export type { ResponseItem } from "./responses/response_items.ts";
export {
  DEFAULT_SAMPLING,
  NEUTRAL_SAMPLING,
  type SamplingSettings,
  samplingSettings,
  TokenHistory,
} from "./sampling/policy_logits.ts";
export { readChatRequest } from "./chat/read_chat_request.ts";
export type { RawToolCall } from "./tools/raw_tool_call.ts";
export * from "./tools/read_tool_calls.ts";
export { ReasoningSplitter, type SplitAnswer, splitReasoning } from "./reasoning/reasoning_splitter.ts";
export * from "./reasoning/reasoning_tags.ts";
export type { TokenDistribution } from "./sampling/token_distribution.ts";
export * from "./sampling/token_logprobs.ts";
export { tokenRegions } from "./decoding/token_regions.ts";
export * from "./tools/tool_call_formats.ts";
export * from "./chat/wire_logprobs.ts";
