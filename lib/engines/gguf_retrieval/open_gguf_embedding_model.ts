/**
 * Embedding models on llama.cpp.
 *
 * @module
 */
import type { Token } from "node-llama-cpp";
import type { ModelFiles } from "../contract/engine_entry.ts";
import type { EmbeddingModelProfile } from "../contract/model_profile.ts";
import type { EmbeddingModel } from "../onnx_embedding/open_onnx_embedding_model.ts";
import { normalized } from "../onnx_embedding/pooling.ts";
import { prepareAtOnce, sequencesWithin } from "../onnx_encoder/token_sequence.ts";
import { GrowingContext } from "./growing_context.ts";
import { loadGgufModel, type RetrievalOptions, textFrame } from "./load_gguf_model.ts";
import { readGgufEmbeddingProfile } from "./read_gguf_retrieval_profile.ts";
import { inTurn } from "../../scheduling/in_turn.ts";

/**
 * Opens a GGUF file whose model embeds texts. Vectors are pooled as the file says, and have length 1.
 *
 * @throws {Error} when the package is missing, the file is broken or memory is insufficient.
 */
export async function openGgufEmbeddingModel(files: ModelFiles, options: RetrievalOptions): Promise<EmbeddingModel> {
  const read = await readGgufEmbeddingProfile(files);
  if (read === undefined) {
    throw new Error("Cannot embed with the model: its file does not say how, expected pooling_type");
  }
  return await loadGgufModel(files, options, async ({ model, metadata, device, context: make }) => {
    const { open, close } = textFrame(model, metadata);
    const grown = new GrowingContext(make((settings) => model.createEmbeddingContext(settings)), read.context);
    const encode = (text: string) => {
      const ids = [...open, ...model.tokenize(text, false), ...close];
      return { ids, types: [] };
    };
    const vector = async (ids: readonly number[]): Promise<Float32Array> => {
      const found = await (await grown.of(ids.length)).getEmbeddingFor([...ids] as Token[]);
      if (found.vector.every(Number.isFinite)) return Float32Array.from(normalized(Float64Array.from(found.vector)));
      throw new Error("Cannot embed: the vectors are not finite, use another quantization of the model");
    };
    const turn = inTurn();
    const { length: dimensions } = await vector(encode("a").ids);
    const profile: EmbeddingModelProfile = { ...read, dimensions };
    return {
      profile,
      device,
      async embed(texts, signal, { prepare = prepareAtOnce } = {}) {
        const { context } = read;
        const purpose = (i: number) => ({ context, what: `embed input[${i}]`, param: `input[${i}]` });
        const sequences = await prepare(() => sequencesWithin(encode, texts, purpose, signal));
        const vectors: Float32Array[] = [];
        for (const { ids } of sequences) {
          vectors.push(
            await turn(() => {
              signal.throwIfAborted();
              return vector(ids);
            }),
          );
        }
        return { vectors, promptTokens: sequences.reduce((sum, { ids }) => sum + ids.length, 0) };
      },
      async close() {
        await turn(() => grown.close());
        await model.dispose();
      },
    };
  });
}
