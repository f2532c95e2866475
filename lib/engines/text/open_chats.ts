/**
 * The chat layer of a language model that was opened.
 *
 * @module
 */
import type { EngineOptions } from "../contract/engine_settings.ts";
import type { OpenedEngine } from "../contract/opened_engine.ts";
import { ChatModel } from "./chat_model.ts";
import type { LanguageModel } from "../contract/language_model.ts";

/** @throws {SvcError} `template_invalid` when the model has no template or a broken one. */
export function openChats(model: LanguageModel, { random }: EngineOptions): OpenedEngine {
  return { kind: "chat", model, chats: new ChatModel(model, random) };
}
