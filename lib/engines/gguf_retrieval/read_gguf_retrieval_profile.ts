/**
 * Profiles of GGUF models that embed or rank texts.
 *
 * @module
 */
import type { ModelFiles } from "../contract/engine_entry.ts";
import type { EmbeddingModelProfile, RerankModelProfile } from "../contract/model_profile.ts";
import { findGgufFile, GGUF_ARCHITECTURES, ggufRetrieval } from "../gguf_text/gguf_file.ts";
import {
  CHOOSE_ANOTHER,
  type GgufMetadata,
  numberField,
  readGgufMetadata,
  textField,
} from "../gguf_text/gguf_metadata.ts";
import { checkGgufSizes } from "../gguf_text/gguf_sizes.ts";
import { MAX_SEQUENCE_TOKENS } from "../onnx_encoder/token_sequence.ts";

/**
 * Reads the profile of an embedding model from the metadata of its GGUF file, without loading it.
 *
 * @returns Undefined for other models.
 * @throws {Error} when the file is broken.
 */
export async function readGgufEmbeddingProfile(files: ModelFiles): Promise<EmbeddingModelProfile | undefined> {
  const found = await readKind(files, "embedding");
  return found && {
    kind: "embedding",
    engine: "gguf-embedding",
    context: context(found),
    dimensions: size(found, "embedding_length_out", size(found, "embedding_length")),
  };
}

/** Reads the profile of a reranker in the same way. */
export async function readGgufRerankProfile(files: ModelFiles): Promise<RerankModelProfile | undefined> {
  const found = await readKind(files, "rerank");
  return found && { kind: "rerank", engine: "gguf-rerank", context: context(found) };
}

interface Found {
  readonly name: string;
  readonly metadata: GgufMetadata;
  readonly architecture: string;
}

async function readKind(files: ModelFiles, kind: "embedding" | "rerank"): Promise<Found | undefined> {
  const name = findGgufFile(files);
  if (name === undefined) return undefined;
  const metadata = await readGgufMetadata(files, name);
  const architecture = textField(metadata, "general.architecture");
  // The reader of chat models says what is wrong with others.
  if (architecture === undefined || !GGUF_ARCHITECTURES.has(architecture)) return undefined;
  if (await ggufRetrieval(files, name, metadata) !== kind) return undefined;
  checkGgufSizes(metadata, architecture, name);
  return { name, metadata, architecture };
}

function context(found: Found): number {
  return Math.min(size(found, "context_length"), MAX_SEQUENCE_TOKENS);
}

function size({ name, metadata, architecture }: Found, field: string, otherwise?: number): number {
  // Zero stands for none.
  const value = numberField(metadata, `${architecture}.${field}`) || otherwise;
  if (value !== undefined) return value;
  throw new Error(
    `Cannot use ${name}: its ${architecture}.${field} is missing, expected a positive whole number: ${CHOOSE_ANOTHER}`,
  );
}
