/**
 * The chat layer of a language model that was opened.
 *
 * @module
 */
import type { EngineOptions, OpenedEngine } from "../contract/engine_entry.ts";
import { ChatModel } from "./chat_model.ts";
import type { LanguageModel } from "../contract/language_model.ts";

/** @throws {SvcError} `template_invalid` when the model has no template or a broken one. */
export function openChats(model: LanguageModel, { random }: EngineOptions): OpenedEngine {
  return { kind: "chat", model, chats: new ChatModel(model, random) };
}
