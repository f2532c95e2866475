/**
 * Tiny retrieval models with prompts and poolings, for our engines and, with the same weights, for sentence-transformers.
 *
 * @module
 */
import { encodeSafetensors, f32 } from "../../../lib/compute/tensor/mod.ts";
import { embeddingModel } from "../../fixtures/tiny_models/embedding_model.ts";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { TINY_ENCODER } from "../../fixtures/tiny_models/onnx_encoder.ts";
import { rerankModel } from "../../fixtures/tiny_models/rerank_model.ts";
import {
  layerMatrices,
  randomWeights,
  tensorRandom,
  TINY_SHAPE,
  uniform,
} from "../../fixtures/tiny_models/transformer_weights.ts";

type Files = Readonly<Record<string, Uint8Array>>;
type Tensors = Record<string, readonly [shape: readonly number[], data: Float32Array]>;

/** A model of the reference. */
export interface ReferenceModel {
  readonly kind: "embedding" | "rerank";
  /** What our engines open. */
  readonly files: Files;
  /** What only sentence-transformers reads: the weights, and a configuration that differs. */
  readonly theirs: () => Files;
}

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const read = (files: Files, name: string) => JSON.parse(new TextDecoder().decode(files[name]));
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const prompts = { query: "search_query: ", document: "search_document: " };
const instruct = { query: "Instruct: Find what answers the question\nQuery:", document: "" };

const pairTemplate = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}" +
  "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

/** All models by name. */
export function referenceModels(): Readonly<Record<string, ReferenceModel>> {
  const pooled = (files: Files, more: object): Files => ({
    ...files,
    "1_Pooling/config.json": json({ ...read(files, "1_Pooling/config.json"), ...more }),
  });
  const prompted = (files: Files, given: object): Files => ({
    ...files,
    "config_sentence_transformers.json": json({
      prompts: given,
      default_prompt_name: null,
      similarity_fn_name: "cosine",
    }),
  });
  const bert = (files: Files): ReferenceModel => ({ kind: "embedding", files, theirs: () => bertWeights(files, "") });
  const mean = prompted(embeddingModel(), prompts);
  const decoder = prompted(embeddingModel({ kind: "decoder", pooling: "last_token" }), instruct);
  const cross = rerankModel();
  return {
    "bert, mean, prompts": bert(mean),
    "bert, mean without the prompt": bert(pooled(mean, { include_prompt: false })),
    "bert, cls, not normalized": bert(prompted(embeddingModel({ pooling: "cls", normalize: false }), {})),
    "decoder, last token, instruction": {
      kind: "embedding",
      files: decoder,
      theirs: () =>
        decoderWeights(decoder, { ...TINY_SHAPE, hidden: 64, headSize: 16, ffn: 128, context: 1024 }, "", "Qwen2Model"),
    },
    "cross-encoder": {
      kind: "rerank",
      files: cross,
      theirs: () => ({
        ...bertWeights(cross, "bert."),
        // As BERT's own tokenizer, whose class says so.
        "tokenizer_config.json": json({
          ...read(cross, "tokenizer_config.json"),
          model_input_names: ["input_ids", "token_type_ids", "attention_mask"],
        }),
      }),
    },
    "causal reranker": causal(),
  };
}

function causal(): ReferenceModel {
  const files: Files = {
    ...onnxChatModel({ kind: "gqa", script: false, logitsToKeep: true }),
    "chat_template.jinja": text(pairTemplate),
    "modules.json": json([
      { idx: 0, name: "0", path: "", type: "sentence_transformers.base.modules.transformer.Transformer" },
      { idx: 1, name: "1", path: "1_LogitScore", type: "sentence_transformers.cross_encoder.modules.LogitScore" },
    ]),
    "1_LogitScore/config.json": json({ true_token_id: 101, false_token_id: 70 }),
    "config_sentence_transformers.json": json({
      model_type: "CrossEncoder",
      prompts: { web: "Judge." },
      default_prompt_name: "web",
    }),
  };
  return {
    kind: "rerank",
    files,
    theirs: () => ({
      ...decoderWeights(files, TINY_SHAPE, "model.", "Qwen2ForCausalLM"),
      "sentence_bert_config.json": json({
        transformer_task: "text-generation",
        modality_config: {
          text: { method: "forward", method_output_name: "logits" },
          message: { method: "forward", method_output_name: "logits", format: "flat" },
        },
        module_output_name: "causal_logits",
        processing_kwargs: { chat_template: { add_generation_prompt: true } },
        unpad_inputs: false,
      }),
    }),
  };
}

/** The weights of `onnxEncoder` by the names of BERT. */
function bertWeights(files: Files, prefix: string): Files {
  const { vocab_size: vocabulary } = read(files, "config.json");
  const { hidden, layers, ffn, context } = TINY_ENCODER;
  const random = (name: string, size: number, limit: number) => uniform(size, limit, tensorRandom(1, name));
  const tensors: Tensors = {};
  const table = (to: string, name: string, rows: number): void => {
    tensors[`${prefix}embeddings.${to}.weight`] = [[rows, hidden], random(name, rows * hidden, 1)];
  };
  const dense = (to: string, name: string, rows: number, columns: number): void => {
    tensors[`${to}.weight`] = [[rows, columns], random(`${name}.weight`, rows * columns, Math.sqrt(3 / columns))];
    tensors[`${to}.bias`] = [[rows], random(`${name}.bias`, rows, 0.1)];
  };
  const norm = (to: string): void => {
    tensors[`${to}.weight`] = [[hidden], new Float32Array(hidden).fill(1)];
    tensors[`${to}.bias`] = [[hidden], new Float32Array(hidden)];
  };
  table("word_embeddings", "words", vocabulary);
  table("position_embeddings", "places", context);
  table("token_type_embeddings", "types", 2);
  norm(`${prefix}embeddings.LayerNorm`);
  for (let i = 0; i < layers; i++) {
    const [to, from] = [`${prefix}encoder.layer.${i}`, `layer.${i}`];
    for (const part of ["query", "key", "value"]) {
      dense(`${to}.attention.self.${part}`, `${from}.${part}`, hidden, hidden);
    }
    dense(`${to}.attention.output.dense`, `${from}.output`, hidden, hidden);
    norm(`${to}.attention.output.LayerNorm`);
    dense(`${to}.intermediate.dense`, `${from}.wide`, ffn, hidden);
    dense(`${to}.output.dense`, `${from}.narrow`, hidden, ffn);
    norm(`${to}.output.LayerNorm`);
  }
  if (prefix !== "") {
    dense(`${prefix}pooler.dense`, "pooler", hidden, hidden);
    dense("classifier", "classifier", 1, hidden);
  }
  return { "model.safetensors": safetensors(tensors) };
}

function decoderWeights(
  files: Files,
  sizes: typeof TINY_SHAPE,
  prefix: string,
  architecture: string,
): Files {
  const config = read(files, "config.json");
  const shape = { ...sizes, vocabulary: config.vocab_size as number };
  const weights = randomWeights(shape, 1, 1);
  const tensors: Tensors = {};
  const add = (name: string, dimensions: readonly number[]): void => {
    tensors[name.replace(/^model\./, prefix)] = [dimensions, weights.tensor(name)];
  };
  add("model.embed_tokens.weight", [shape.vocabulary, shape.hidden]);
  add("model.norm.weight", [shape.hidden]);
  if (prefix !== "") add("lm_head.weight", [shape.vocabulary, shape.hidden]);
  for (let i = 0; i < shape.layers; i++) {
    const layer = `model.layers.${i}`;
    for (const norm of ["input_layernorm", "post_attention_layernorm"]) add(`${layer}.${norm}.weight`, [shape.hidden]);
    for (const [name, [rows, columns]] of Object.entries(layerMatrices(shape))) {
      add(`${layer}.${name}.weight`, [rows, columns]);
      if (/[qkv]_proj$/.test(name)) add(`${layer}.${name}.bias`, [rows]);
    }
  }
  return {
    "model.safetensors": safetensors(tensors),
    "config.json": json({ ...config, architectures: [architecture] }),
  };
}

function safetensors(tensors: Tensors): Uint8Array {
  return encodeSafetensors(new Map(Object.entries(tensors).map(([name, [shape, data]]) => [name, f32(shape, data)])));
}
