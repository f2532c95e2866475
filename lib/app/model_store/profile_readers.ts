/**
 * Reads profiles from a model's files, one reader per engine.
 *
 * @module
 */
import { readGgufProfile } from "../../engines/gguf_text/gguf_profile.ts";
import { readDiffusionProfile } from "../../engines/onnx_diffusion/diffusion_recipe.ts";
import { readEmbeddingProfile } from "../../engines/onnx_embedding/read_embedding_profile.ts";
import { readRerankProfile } from "../../engines/onnx_rerank/read_rerank_profile.ts";
import { readOnnxTextProfile } from "../../engines/onnx_text/read_onnx_text_profile.ts";
import type { ProfileReader } from "../../api/store/detect_model.ts";

/**
 * The readers in the order in which they are tried: masked language models are for diffusion before they are for
 * embeddings, and the reader for ONNX chat models is the least specific.
 */
export const profileReaders: readonly ProfileReader[] = [
  readGgufProfile,
  readDiffusionProfile,
  readRerankProfile,
  readEmbeddingProfile,
  readOnnxTextProfile,
];
