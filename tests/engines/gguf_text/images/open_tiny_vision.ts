import { GrammarConstrainer } from "../../../../lib/engines/constrained_decoding/grammar_constrainer.ts";
import { openGgufTextModel } from "../../../../lib/engines/gguf_text/open_gguf_text_model.ts";
import type { EngineOptions } from "../../../../lib/engines/contract/engine_entry.ts";
import type { ChatListener, ChatOutcome } from "../../../../lib/engines/contract/chat_engine.ts";
import { ChatModel } from "../../../../lib/engines/text/chat_model.ts";
import type { LanguageModel } from "../../../../lib/engines/contract/language_model.ts";
import { readChatRequest } from "../../../../lib/protocol/mod.ts";
import { loadXGrammar } from "../../../../lib/app/models/engine/load_xgrammar.ts";
import { encodePng } from "../../../../lib/media/mod.ts";
import type { ModelFiles } from "../../../fixtures/tiny_models/model_files.ts";
import { withModelFiles } from "../../../support/model_files.ts";
import { settings } from "../open_tiny_gguf.ts";

/** One colour in a size that no model has. */
export async function plain(colour: readonly number[], width = 40, height = 30): Promise<Uint8Array> {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i += 3) data.set(colour, i);
  return await encodePng({ width, height, data });
}

export const RED = [220, 20, 30];
export const GREEN = [20, 200, 10];
export const BLUE = [5, 60, 250];

/** A part of a message for each image, as clients write it. */
export const IMAGE = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };

/** What a chat is asked with besides its messages. */
export interface Asking {
  readonly images?: readonly Uint8Array[];
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly listener?: Partial<ChatListener>;
  readonly signal?: AbortSignal;
  readonly context?: number;
}

export type Ask = (messages: readonly unknown[], asking?: Asking) => Promise<ChatOutcome>;

/** Opens a model while its files are there, as a server has them. */
export async function withVisionModel(
  files: ModelFiles,
  options: Partial<EngineOptions>,
  work: (ask: Ask, model: LanguageModel) => Promise<void>,
): Promise<void> {
  await withModelFiles(files, async (folder) => {
    const openConstrainer = (vocabulary: ConstructorParameters<typeof GrammarConstrainer>[0]) =>
      new GrammarConstrainer(vocabulary, loadXGrammar);
    const model = await openGgufTextModel(folder, { ...settings, context: 1024, openConstrainer, ...options });
    const chats = new ChatModel(model, { id: () => "abcdefgh", seed: () => 1 });
    try {
      await work((messages, { images = [], fields, listener, signal, context = 1024 } = {}) => {
        const request = readChatRequest({ model: "", messages: [...messages], temperature: 0, ...fields });
        const chatOptions = { context, presetMaxTokens: 60, defaults: model.profile.sampling, now: 0, images };
        const silent = { onPrefill: () => {}, onText: () => {}, onDraft: () => {}, onTokens: () => {} };
        return chats.chat(request, chatOptions, { ...silent, ...listener }, signal ?? new AbortController().signal);
      }, model);
    } finally {
      await model.close();
    }
  });
}
