/**
 * A chat model for llama.cpp in one file.
 *
 * @module
 */
import { ggufFile, type GgufFormat, type GgufTensor, type GgufValue } from "./gguf_file.ts";
import type { ModelFiles } from "./model_files.ts";
import { DEFAULT_ANSWERS, type ScriptedAnswer } from "./scripted_answers.ts";
import {
  END_TOKEN,
  PAD_TOKEN,
  type ScriptedVocabulary,
  scriptVocabulary,
  type TokenKind,
} from "./scripted_vocabulary.ts";
import { scriptedWeights } from "./scripted_weights.ts";
import { tinyTemplate } from "./tiny_template.ts";
import {
  layerMatrices,
  randomWeights,
  TINY_SHAPE,
  type TransformerShape,
  type TransformerWeights,
} from "./transformer_weights.ts";

/** Which chat model; everything has a default. */
export interface GgufChatModelOptions {
  /** Of matrices; `f32` when left out. */
  readonly weights?: GgufFormat;
  /** {@linkcode DEFAULT_ANSWERS} when left out; false for a model that says anything. */
  readonly script?: readonly ScriptedAnswer[] | false;
  readonly sizes?: Partial<Omit<TransformerShape, "vocabulary">>;
  readonly seed?: number;
}

/**
 * Makes the file of a model, with the weights of {@linkcode onnxChatModel} for the same options.
 *
 * @throws {RangeError} for answers that cannot be told apart.
 */
export function ggufChatModel(options: GgufChatModelOptions = {}): ModelFiles {
  const { weights: format = "f32", script = DEFAULT_ANSWERS, seed = 1 } = options;
  const vocabulary = scriptVocabulary(script || DEFAULT_ANSWERS);
  const sizes = { ...TINY_SHAPE, ...options.sizes };
  const weights = script
    ? scriptedWeights(vocabulary, sizes, seed)
    : randomWeights({ ...sizes, vocabulary: vocabulary.tokens.length }, seed, 1);
  const metadata = {
    ...decoderMetadata(weights.shape),
    ...tokenizerMetadata(vocabulary),
    "tokenizer.chat_template": tinyTemplate(vocabulary.starts),
  };
  return { "tiny-chat.gguf": ggufFile(metadata, decoderTensors(weights, format)) };
}

/** The metadata of a Qwen2 model without its tokenizer. */
export function decoderMetadata(shape: TransformerShape): Readonly<Record<string, GgufValue>> {
  return {
    "general.architecture": "qwen2",
    "general.name": "tiny chat",
    "qwen2.context_length": { uint32: shape.context },
    "qwen2.embedding_length": { uint32: shape.hidden },
    "qwen2.block_count": { uint32: shape.layers },
    "qwen2.feed_forward_length": { uint32: shape.ffn },
    "qwen2.attention.head_count": { uint32: shape.heads },
    "qwen2.attention.head_count_kv": { uint32: shape.kvHeads },
    "qwen2.attention.layer_norm_rms_epsilon": { float32: shape.epsilon },
    "qwen2.rope.freq_base": { float32: shape.ropeTheta },
  };
}

/** Number of each kind of token. */
const kinds: Readonly<Record<TokenKind, number>> = { byte: 1, text: 1, control: 3, mark: 4, unused: 5 };

/** The metadata of a byte-level tokenizer. */
export function tokenizerMetadata({ tokens, merges, ids }: ScriptedVocabulary): Readonly<Record<string, GgufValue>> {
  return {
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "gpt-2",
    "tokenizer.ggml.tokens": tokens.map(({ text }) => text),
    "tokenizer.ggml.token_type": { int32s: tokens.map(({ kind }) => kinds[kind]) },
    "tokenizer.ggml.merges": merges.map((pair) => pair.join(" ")),
    "tokenizer.ggml.eos_token_id": { uint32: ids.get(END_TOKEN)! },
    "tokenizer.ggml.padding_token_id": { uint32: ids.get(PAD_TOKEN)! },
    "tokenizer.ggml.add_bos_token": false,
  };
}

const layerNames: Readonly<Record<string, string>> = {
  "self_attn.q_proj": "attn_q",
  "self_attn.k_proj": "attn_k",
  "self_attn.v_proj": "attn_v",
  "self_attn.o_proj": "attn_output",
  "mlp.gate_proj": "ffn_gate",
  "mlp.up_proj": "ffn_up",
  "mlp.down_proj": "ffn_down",
};

/** All tensors of a Qwen2 model; vectors have 32 bits whatever the format. */
export function decoderTensors({ shape, tensor }: TransformerWeights, format: GgufFormat): GgufTensor[] {
  const { vocabulary, hidden, layers } = shape;
  const one = (name: string, source: string, sizes: readonly number[]): GgufTensor => ({
    name,
    shape: sizes,
    format: sizes.length === 1 ? "f32" : format,
    data: () => tensor(source),
  });
  const layer = (i: number): GgufTensor[] => {
    const [from, to] = [`model.layers.${i}`, `blk.${i}`];
    return [
      one(`${to}.attn_norm.weight`, `${from}.input_layernorm.weight`, [hidden]),
      one(`${to}.ffn_norm.weight`, `${from}.post_attention_layernorm.weight`, [hidden]),
      ...Object.entries(layerMatrices(shape)).flatMap(([matrix, sizes]) => {
        const name = `${to}.${layerNames[matrix]}`;
        const weight = one(`${name}.weight`, `${from}.${matrix}.weight`, sizes);
        const biased = /[qkv]_proj$/.test(matrix);
        return biased ? [weight, one(`${name}.bias`, `${from}.${matrix}.bias`, [sizes[0]])] : [weight];
      }),
    ];
  };
  return [
    one("token_embd.weight", "model.embed_tokens.weight", [vocabulary, hidden]),
    ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
    one("output_norm.weight", "model.norm.weight", [hidden]),
    one("output.weight", "lm_head.weight", [vocabulary, hidden]),
  ];
}
