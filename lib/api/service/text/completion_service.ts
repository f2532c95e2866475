/**
 * Completions of texts, each prompt a chat without a template.
 *
 * @module
 */
import { type ChatRequest, readCompletionRequest } from "../../../protocol/mod.ts";
import type { ChatService, PreparedChat } from "../chat_service.ts";
import type { PromptService } from "./prompt_service.ts";

/** A completion that has passed all validation that needs no model. */
export interface PreparedCompletion {
  /** One for each prompt. */
  readonly chats: readonly PreparedChat[];
  readonly warnings: readonly string[];
  /** What the answer of a prompt begins with: nothing unless the prompt is to be repeated. */
  beginning(index: number, signal: AbortSignal): Promise<string>;
}

/**
 * Performs all validation of a completion that needs no model.
 *
 * @throws {SvcError} as {@linkcode ChatService.prepare}, with the fields of completions.
 */
export async function prepareCompletion(
  body: unknown,
  chats: ChatService,
  prompts: PromptService,
): Promise<PreparedCompletion> {
  const { requests, places, echo, warnings } = readCompletionRequest(body);
  const prepared = await Promise.all(requests.map((request) => chats.prepareDialect({ request, places })));
  return {
    chats: prepared,
    // Those of the model are the same for each prompt.
    warnings: [...new Set([...warnings, ...prepared.flatMap(({ request }) => request.warnings)])],
    beginning: async (index, signal) => echo ? await writtenPrompt(requests[index], prompts, signal) : "",
  };
}

async function writtenPrompt(
  { model, rawPrompt }: ChatRequest,
  prompts: PromptService,
  signal: AbortSignal,
): Promise<string> {
  if (rawPrompt === undefined) return "";
  return "text" in rawPrompt ? rawPrompt.text : await prompts.textOf(model, rawPrompt.tokens, signal);
}
