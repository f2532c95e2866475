/**
 * The chat protocol without engine and without HTTP: requests, templates, sampling, streamed text, thoughts, tool calls
 * and responses. Clock, random numbers and the tokenizer are given to it.
 *
 * @module
 */
export * from "./capabilities.ts";
export * from "./chat_request.ts";
export * from "./output_budget.ts";
export { readChatRequest } from "./read_chat_request.ts";
export * from "./text_error.ts";
