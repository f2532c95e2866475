/**
 * What a GGUF file makes of a text besides an answer.
 *
 * @module
 */
import { numberField, textField } from "./gguf_fields.ts";
import { CHOOSE_ANOTHER } from "./gguf_file.ts";
import { type GgufMetadata, readGgufTensors } from "./gguf_metadata.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";

/** Architectures that read in both directions: they cannot continue a text. */
const encoders: ReadonlySet<string> = new Set([
  "bert",
  "modern-bert",
  "nomic-bert",
  "nomic-bert-moe",
  "neo-bert",
  "jina-bert-v2",
  "jina-bert-v3",
  "eurobert",
  "gemma-embedding",
  "t5encoder",
  "llama-embed",
]);

/** `pooling_type` of llama.cpp. */
const MEAN = 1;
const LAST = 3;
const RANK = 4;

/** The heads of rerankers. */
const heads: ReadonlySet<string> = new Set(["cls.weight", "cls.output.weight"]);

/**
 * Whether a file embeds or ranks texts, by its `pooling_type`; older files of rerankers have none and are known by
 * their head. Undefined for models that chat.
 *
 * @throws {Error} for an encoder that does not say how its vectors are pooled.
 */
export async function ggufRetrieval(
  files: ModelFiles,
  name: string,
  metadata: GgufMetadata,
): Promise<"embedding" | "rerank" | undefined> {
  const architecture = textField(metadata, "general.architecture");
  if (architecture === "gemma3" && metadata.get("gemma3.attention.causal") === false) {
    throw new Error(
      `Cannot use ${name}: it is an EmbeddingGemma for Ollama, whose layers llama.cpp would let see one side only, ` +
        "expected the architecture gemma-embedding: get it with svc model pull embeddinggemma-300m",
    );
  }
  const pooling = numberField(metadata, `${architecture}.pooling_type`) ?? 0;
  if (pooling === RANK || metadata.has("tokenizer.chat_template.rerank")) return "rerank";
  const encoder = architecture !== undefined && encoders.has(architecture);
  if (encoder && (await readGgufTensors(files, name)).some((tensor) => heads.has(tensor.name))) return "rerank";
  if (pooling >= MEAN && pooling <= LAST) return "embedding";
  if (!encoder) return undefined;
  throw new Error(
    `Cannot use ${name}: its ${architecture}.pooling_type is ${pooling}, expected mean, cls, last or rank: ` +
      CHOOSE_ANOTHER,
  );
}
