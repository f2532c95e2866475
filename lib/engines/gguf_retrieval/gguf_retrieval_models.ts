/**
 * Embedding and rerank models on llama.cpp.
 *
 * @module
 */
import type { Token } from "node-llama-cpp";
import type { ModelFiles } from "../contract/engine_entry.ts";
import type { EmbeddingModelProfile } from "../contract/model_profile.ts";
import type { EmbeddingModel } from "../onnx_embedding/onnx_embedding_model.ts";
import { normalized } from "../onnx_embedding/pooling.ts";
import { documentPurpose, prepareAtOnce, sequencesWithin, sequenceWithin } from "../onnx_encoder/token_sequence.ts";
import { GrowingContext, loadGgufModel, type RetrievalOptions, textFrame } from "./load_gguf_model.ts";
import { readGgufEmbeddingProfile, readGgufRerankProfile } from "./read_gguf_retrieval_profile.ts";
import { inTurn } from "../../scheduling/wait_queue.ts";
import type { RerankModel } from "../onnx_rerank/onnx_rerank_models.ts";

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

/**
 * Opens a GGUF file whose model ranks texts: a cross-encoder, or a causal one with the template `rerank`.
 *
 * @throws {Error} when the package is missing, the file is broken or memory is insufficient.
 */
export async function openGgufRerankModel(files: ModelFiles, options: RetrievalOptions): Promise<RerankModel> {
  const profile = await readGgufRerankProfile(files);
  if (profile === undefined) throw new Error("Cannot rank with the model: its file has no head for it, expected one");
  return await loadGgufModel(files, options, async ({ model, metadata, device, context: make }) => {
    const grown = new GrowingContext(make((settings) => model.createRankingContext(settings)), profile.context);
    const turn = inTurn();
    // Within a template a text continues, elsewhere it begins: SentencePiece puts a space before those that begin.
    const cut = metadata.has("tokenizer.chat_template.rerank") ? "trimLeadingSpace" : undefined;
    const tokens = (text: string): Token[] => model.tokenize(text, false, cut);
    const { eos, sep } = model.tokens;
    // The library ends a document by `eos`, which vocabularies of word pieces do not have.
    const end = eos === null && sep !== null ? [sep] : [];
    const pair = (query: readonly number[], document: readonly number[]): [Token[], Token[]] => [
      [...query] as Token[],
      [...document, ...end] as Token[],
    ];
    const a = tokens("a");
    const first = await grown.of(2 * a.length + 2);
    // Tokens around query and document.
    const frame = first.calculateInputLength(...pair(a, a)) - 2 * a.length;
    // Broken models are detected now, not by the first request.
    await (await grown.of(frame + 2 * a.length)).rank(...pair(a, a));
    return {
      profile,
      device,
      async rerank(query, texts, signal, { prepare = prepareAtOnce } = {}) {
        const encode = (text: string) => ({ ids: tokens(text), types: [] });
        const [{ ids: asked }, documents] = await prepare(async () => {
          const purpose = { context: profile.context - frame - 1, what: "rank with the query", param: "query" };
          const asked = sequenceWithin(encode, query, purpose);
          const room = profile.context - frame - asked.ids.length;
          return [asked, await sequencesWithin(encode, texts, (i) => documentPurpose(i, room), signal)];
        });
        const scores: number[] = [];
        for (const { ids } of documents) {
          scores.push(
            await turn(async () => {
              signal.throwIfAborted();
              const context = await grown.of(frame + asked.length + ids.length);
              return await context.rank(...pair(asked, ids));
            }),
          );
        }
        const promptTokens = documents.reduce((sum, { ids }) => sum + frame + asked.length + ids.length, 0);
        return { scores, promptTokens };
      },
      async close() {
        await turn(() => grown.close());
        await model.dispose();
      },
    };
  });
}
