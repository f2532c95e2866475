/**
 * Opens the vision part of a language model.
 *
 * @module
 */
import type { Tokenizer } from "@huggingface/tokenizers";
import type { LanguageModel } from "../../contract/language_model.ts";
import type { ModelFiles } from "../../contract/engine_entry.ts";
import type { SessionSettings } from "../../onnx_sessions/open_session.ts";
import type { TokenEmbedder } from "../token_embedder.ts";
import { ImagePlacer } from "./image_placer.ts";
import { OnnxVisionModel } from "./onnx_vision_model.ts";
import { VisionEncoder } from "./vision_encoder.ts";
import { readVisionLayout } from "./vision_layout.ts";

/** The model without its vision part. */
export interface BlindModel {
  readonly text: LanguageModel;
  readonly embedder: TokenEmbedder;
  readonly tokenizer: Tokenizer;
}

/**
 * Opens the vision encoder of a model.
 *
 * @throws {Error} naming the file that cannot be used.
 */
export async function openVisionModel(
  files: ModelFiles,
  { text, embedder, tokenizer }: BlindModel,
  settings: SessionSettings,
): Promise<LanguageModel> {
  const layout = await readVisionLayout(files);
  if (layout === undefined) throw new Error("Cannot open the model: its files do not define its image input");
  const encoder = await VisionEncoder.open(files, layout, settings);
  const placer = new ImagePlacer({
    layout,
    encoder,
    encode: (part) => text.encode(part),
    textOf: (id) => tokenizer.id_to_token(id) ?? "",
  });
  return new OnnxVisionModel({ text, embedder, encoder, placer, markToken: layout.markToken });
}
