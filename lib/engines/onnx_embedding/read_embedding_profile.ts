/**
 * Profiles of embedding models.
 *
 * @module
 */
import { contextLength, readSignature } from "../onnx_encoder/encoder_files.ts";
import { MAX_SEQUENCE_TOKENS } from "../onnx_encoder/token_sequence.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { checkSizes, type JsonObject, MAX_WIDTH, readModelJson, sizeIn } from "../files/model_json.ts";
import type { EmbeddingModelProfile } from "../contract/model_profile.ts";
import {
  type EmbeddingRecipe,
  hasEmbeddingRecipe,
  readEmbeddingRecipe,
  readPrompts,
  TEXT_OUTPUT,
  VECTOR_OUTPUTS,
} from "./embedding_recipe.ts";

/**
 * Reads the profile of an embedding model, without loading it.
 *
 * @returns Undefined for models of other kinds: those whose graph has no vectors as outputs.
 * @throws {Error} naming the file of an unsupported embedding model.
 */
export async function readEmbeddingProfile(files: ModelFiles): Promise<EmbeddingModelProfile | undefined> {
  const config = await readModelJson(files, "config.json");
  const graph = config && await readSignature(files);
  if (config === undefined || graph === undefined) return undefined;
  if (!VECTOR_OUTPUTS.some((name) => graph.outputs.has(name))) {
    if (!hasEmbeddingRecipe(files)) return undefined;
    const outputs = [...graph.outputs].join(", ");
    throw new Error(
      `Cannot embed with ${graph.file}: its outputs are ${outputs}, expected ${VECTOR_OUTPUTS.join(" or ")}`,
    );
  }
  // Some decoders also output their last state.
  if (graph.outputs.has("logits") && !hasEmbeddingRecipe(files)) return undefined;
  checkSizes(config);
  const recipe = await readEmbeddingRecipe(files, config, graph.outputs.has(TEXT_OUTPUT));
  return {
    kind: "embedding",
    engine: "onnx-embedding",
    context: await embeddingContext(files, config),
    dimensions: dimensions(config, recipe),
    ...await promptNames(files),
  };
}

/** The names of a model's prompts. */
export async function promptNames(files: ModelFiles): Promise<Pick<EmbeddingModelProfile, "prompts">> {
  const prompts = [...(await readPrompts(files)).keys()];
  return prompts.length === 0 ? {} : { prompts };
}

/** Maximum number of tokens of a text. */
export async function embeddingContext(files: ModelFiles, config: JsonObject): Promise<number> {
  const tokenizer = await readModelJson(files, "tokenizer_config.json");
  const sentences = await readModelJson(files, "sentence_bert_config.json");
  return Math.min(contextLength(config, tokenizer, sentences), MAX_SEQUENCE_TOKENS);
}

function dimensions(config: JsonObject, { poolings, dense }: EmbeddingRecipe): number {
  const last = dense.at(-1);
  if (last !== undefined) return last.to;
  for (const name of ["hidden_size", "d_model", "dim", "n_embd"]) {
    const width = sizeIn("config.json", config, name, MAX_WIDTH);
    if (width !== undefined) return poolings.length * width;
  }
  throw new Error(`Cannot use config.json: it has no "hidden_size", expected the width of its vectors`);
}
