/**
 * Validates tokenizers and templates before a model is loaded.
 *
 * @module
 */
import { ChatTemplate } from "../../protocol/mod.ts";
import { readTokenizer } from "../files/hf_tokenizer.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import type { ModelProfile } from "../contract/model_profile.ts";
import { readTemplate } from "../files/read_template.ts";

/**
 * Reads the tokenizer of a model and, for a chat model, its template, to report errors early. GGUF models have both in
 * the file of their weights, and are not checked.
 *
 * @throws {Error} naming the unusable file.
 */
export async function checkTextFiles(files: ModelFiles, { kind, engine }: ModelProfile): Promise<void> {
  if (engine.startsWith("gguf-") || !["chat", "embedding", "rerank"].includes(kind)) return;
  await readTokenizer(files);
  // Encoder-decoders need no template.
  if (kind === "chat" && engine !== "transformers-js") new ChatTemplate(await readTemplate(files));
}
