/**
 * What the engines of this version can say about a model's files.
 *
 * @module
 */
import { readEmbeddingProfile } from "../../engines/onnx_embedding/read_embedding_profile.ts";
import { readOnnxTextProfile } from "../../engines/onnx_text/read_onnx_text_profile.ts";
import { readRerankProfile } from "../../engines/onnx_rerank/read_rerank_profile.ts";
import type { ProfileReader } from "../../store/detect_model.ts";

/** The readers; the one for chat models on ONNX comes last, since it asks the least of the files. */
export const profileReaders: readonly ProfileReader[] = [readRerankProfile, readEmbeddingProfile, readOnnxTextProfile];
