/**
 * A chat model for ONNX Runtime in the layout of Hugging Face.
 *
 * @module
 */
import { jsonFile, type ModelFiles } from "./model_files.ts";
import { type DecoderOptions, onnxDecoder } from "./onnx_decoder.ts";
import { onnxFiles } from "./onnx_files.ts";
import type { WeightFormat } from "./onnx_linear.ts";
import { DEFAULT_ANSWERS, type ScriptedAnswer } from "./scripted_answers.ts";
import { END_TOKEN, PAD_TOKEN, scriptVocabulary } from "./scripted_vocabulary.ts";
import { scriptedWeights } from "./scripted_weights.ts";
import { chatTokenizerFiles } from "./tokenizer_files.ts";
import { randomWeights, TINY_SHAPE, type TransformerShape } from "./transformer_weights.ts";

/** Which chat model; everything has a default. */
export interface OnnxChatModelOptions {
  /** `std` (the default) or `gqa`. */
  readonly kind?: DecoderOptions["kind"];
  /** `f32` (the default), `q8` or `q4`. */
  readonly weights?: WeightFormat;
  /** Whether weights are in a file beside the model. */
  readonly externalData?: boolean;
  readonly halfCache?: boolean;
  readonly logitsToKeep?: boolean;
  /** {@linkcode DEFAULT_ANSWERS} when left out; false for a model that says anything. */
  readonly script?: readonly ScriptedAnswer[] | false;
  readonly sizes?: Partial<Omit<TransformerShape, "vocabulary">>;
  readonly seed?: number;
}

const suffixes: Readonly<Record<WeightFormat, string>> = { f32: "", q8: "_quantized", q4: "_q4" };

/**
 * Makes the files of a model. Equal options give equal bytes.
 *
 * @throws {RangeError} for answers that cannot be told apart.
 */
export function onnxChatModel(options: OnnxChatModelOptions = {}): ModelFiles {
  const { kind = "std", weights: format = "f32", externalData = false, script = DEFAULT_ANSWERS, seed = 1 } = options;
  const vocabulary = scriptVocabulary(script || DEFAULT_ANSWERS);
  const sizes = { ...TINY_SHAPE, ...options.sizes };
  const weights = script
    ? scriptedWeights(vocabulary, sizes, seed)
    : randomWeights({ ...sizes, vocabulary: vocabulary.tokens.length }, seed, 1);
  const file = `model${suffixes[format]}.onnx`;
  const model = onnxDecoder(weights, {
    kind,
    weights: format,
    place: externalData ? { file: `${file}_data` } : "inside",
    output: "logits",
    halfCache: options.halfCache ?? false,
    logitsToKeep: options.logitsToKeep ?? false,
  });
  const ends = [END_TOKEN, PAD_TOKEN].map((token) => vocabulary.ids.get(token)!);
  return {
    "config.json": jsonFile({
      ...decoderConfig(weights.shape),
      eos_token_id: ends[0],
      ...externalData ? { "transformers.js_config": { use_external_data_format: { [file]: 1 } } } : {},
    }),
    "generation_config.json": jsonFile({
      do_sample: true,
      temperature: 0.7,
      top_p: 0.8,
      top_k: 20,
      eos_token_id: ends,
      pad_token_id: ends[1],
    }),
    ...chatTokenizerFiles(vocabulary, sizes.context),
    ...onnxFiles(`onnx/${file}`, model),
  };
}

/** `config.json` of a decoder, without the ids of tokens. */
export function decoderConfig(shape: TransformerShape): Readonly<Record<string, unknown>> {
  return {
    architectures: ["Qwen2ForCausalLM"],
    model_type: "qwen2",
    hidden_size: shape.hidden,
    intermediate_size: shape.ffn,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    num_key_value_heads: shape.kvHeads,
    head_dim: shape.headSize,
    vocab_size: shape.vocabulary,
    max_position_embeddings: shape.context,
    rms_norm_eps: shape.epsilon,
    rope_theta: shape.ropeTheta,
    hidden_act: "silu",
    tie_word_embeddings: false,
  };
}
