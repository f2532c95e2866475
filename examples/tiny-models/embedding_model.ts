/**
 * A model that turns texts into vectors, with the files of sentence-transformers.
 *
 * @module
 */
import { ModelBuilder } from "../../lib/onnx/model_builder.ts";
import { jsonFile, type ModelFiles } from "./model_files.ts";
import { decoderConfig } from "./onnx_chat_model.ts";
import { onnxDecoder } from "./onnx_decoder.ts";
import { onnxEncoder, TINY_ENCODER } from "./onnx_encoder.ts";
import { onnxFiles } from "./onnx_files.ts";
import { PAD_TOKEN, type ScriptedVocabulary, scriptVocabulary } from "./scripted_vocabulary.ts";
import { textTokenizerFiles } from "./tokenizer_files.ts";
import { randomWeights, TINY_SHAPE } from "./transformer_weights.ts";

/** How the vectors of tokens become that of the text. */
export type TinyPooling = "mean" | "cls" | "last_token";

/** Which embedding model; everything has a default. */
export interface EmbeddingModelOptions {
  /** `bert` (the default): reads in both directions and knows token types; `decoder`: as Qwen3's embedding models. */
  readonly kind?: "bert" | "decoder";
  /** `mean` when left out. */
  readonly pooling?: TinyPooling;
  /** Whether vectors have length 1, which they have unless this is false. */
  readonly normalize?: boolean;
  readonly seed?: number;
}

const frame = { open: "<s>", close: "</s>" };

const poolingFlags: Readonly<Record<string, TinyPooling | undefined>> = {
  pooling_mode_cls_token: "cls",
  pooling_mode_mean_tokens: "mean",
  pooling_mode_max_tokens: undefined,
  pooling_mode_mean_sqrt_len_tokens: undefined,
  pooling_mode_weightedmean_tokens: undefined,
  pooling_mode_lasttoken: "last_token",
};

/** Makes the files of a model whose vectors are random but always the same. Equal options give equal bytes. */
export function embeddingModel(options: EmbeddingModelOptions = {}): ModelFiles {
  const { kind = "bert", pooling = "mean", normalize = true, seed = 1 } = options;
  const vocabulary = scriptVocabulary([], [frame.open, frame.close]);
  const { files, hidden, context } = kind === "bert" ? bert(vocabulary, seed) : decoder(vocabulary, seed);
  const module = (index: number, path: string, type: string) => ({
    idx: index,
    name: String(index),
    path,
    type: `sentence_transformers.models.${type}`,
  });
  return {
    ...files,
    ...textTokenizerFiles(vocabulary, frame, context),
    "modules.json": jsonFile([
      module(0, "", "Transformer"),
      module(1, "1_Pooling", "Pooling"),
      ...normalize ? [module(2, "2_Normalize", "Normalize")] : [],
    ]),
    "sentence_bert_config.json": jsonFile({ max_seq_length: context, do_lower_case: false }),
    "1_Pooling/config.json": jsonFile({
      word_embedding_dimension: hidden,
      ...Object.fromEntries(Object.entries(poolingFlags).map(([flag, of]) => [flag, of === pooling])),
      include_prompt: true,
    }),
  };
}

interface TextModel {
  readonly files: ModelFiles;
  readonly hidden: number;
  readonly context: number;
}

function bert(vocabulary: ScriptedVocabulary, seed: number): TextModel {
  const shape = { ...TINY_ENCODER, vocabulary: vocabulary.tokens.length };
  const builder = new ModelBuilder("inside");
  const { hidden } = onnxEncoder(builder, shape, seed, true);
  builder.output("last_hidden_state", "float", ["batch_size", "sequence_length", shape.hidden], hidden);
  const config = {
    architectures: ["BertModel"],
    model_type: "bert",
    hidden_size: shape.hidden,
    intermediate_size: shape.ffn,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    vocab_size: shape.vocabulary,
    max_position_embeddings: shape.context,
    type_vocab_size: 2,
    layer_norm_eps: 1e-12,
    hidden_act: "gelu",
    pad_token_id: vocabulary.ids.get(PAD_TOKEN),
  };
  const files = { "config.json": jsonFile(config), ...onnxFiles("onnx/model.onnx", builder.finish()) };
  return { files, hidden: shape.hidden, context: shape.context };
}

function decoder(vocabulary: ScriptedVocabulary, seed: number): TextModel {
  const shape = {
    ...TINY_SHAPE,
    hidden: 64,
    headSize: 16,
    ffn: 128,
    context: 1024,
    vocabulary: vocabulary.tokens.length,
  };
  const model = onnxDecoder(randomWeights(shape, seed, 1), {
    kind: "std",
    weights: "f32",
    place: "inside",
    output: "last_hidden_state",
    halfCache: false,
    logitsToKeep: false,
  });
  const config = { ...decoderConfig(shape), pad_token_id: vocabulary.ids.get(PAD_TOKEN) };
  const files = { "config.json": jsonFile(config), ...onnxFiles("onnx/model.onnx", model) };
  return { files, hidden: shape.hidden, context: shape.context };
}
