/**
 * Tokenizers and templates before a model is loaded.
 *
 * @module
 */
import { ChatTemplate } from "../../api/protocol/mod.ts";
import { readTokenizer } from "../files/hf_tokenizer.ts";
import type { ModelFiles } from "../files/model_files.ts";
import type { ModelProfile } from "../files/model_profile.ts";
import { readTemplate } from "../onnx_text/read_onnx_text_profile.ts";

/**
 * Reads the tokenizer of a model and, of one that chats, its template, to say now what they would fail with later.
 * Models in GGUF have both in the file that holds their weights, and are not looked into.
 *
 * @throws {Error} naming the file that cannot be used.
 */
export async function checkTextFiles(files: ModelFiles, { kind, engine }: ModelProfile): Promise<void> {
  if (engine === "gguf-text") return;
  await readTokenizer(files);
  if (kind === "chat") new ChatTemplate(await readTemplate(files));
}
