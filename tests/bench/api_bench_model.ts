/**
 * A random model with the sizes of Qwen2.5-0.5B and 4-bit weights, for ONNX Runtime and for llama.cpp.
 *
 * @module
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tinyTemplate } from "../fixtures/tiny_models/tiny_template.ts";
import { chatTokenizerFiles } from "../fixtures/tiny_models/tokenizer_files.ts";
import { decoderMetadata, decoderTensors, tokenizerMetadata } from "../fixtures/tiny_models/gguf_chat_model.ts";
import { ggufFile } from "../fixtures/tiny_models/gguf_file.ts";
import { jsonFile } from "../fixtures/tiny_models/model_files.ts";
import { decoderConfig } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { onnxDecoder } from "../fixtures/tiny_models/onnx_decoder.ts";
import { onnxFiles } from "../fixtures/tiny_models/onnx_files.ts";
import { BLOCK, quantize4 } from "../fixtures/tiny_models/quantize.ts";
import {
  END_TOKEN,
  type ScriptedVocabulary,
  scriptVocabulary,
  type Token,
} from "../fixtures/tiny_models/scripted_vocabulary.ts";
import {
  type DecoderFamily,
  randomWeights,
  type TransformerShape,
  type TransformerWeights,
} from "../fixtures/tiny_models/transformer_weights.ts";
import { writeModel } from "../fixtures/tiny_models/write_model.ts";

/** The sizes of Qwen2.5-0.5B (Qwen Team 2024). */
export const BENCH_SHAPE: TransformerShape = {
  vocabulary: 151_936,
  hidden: 896,
  layers: 24,
  heads: 14,
  kvHeads: 2,
  headSize: 64,
  ffn: 4864,
  context: 4096,
  ropeTheta: 10_000,
  epsilon: 1e-6,
};

/** Where the two forms of the model are. */
export interface BenchModels {
  /** A folder in the layout of Hugging Face, with `onnx/model_q4.onnx`. */
  readonly onnx: string;
  /** A folder with one GGUF file. */
  readonly gguf: string;
}

/** Name of the GGUF file in its folder. */
export const GGUF_NAME = "bench.gguf";

/** As many parameters, vocabulary and layers as Qwen3-0.6B. */
export const FIRST_TOKEN_SHAPE: TransformerShape = {
  ...BENCH_SHAPE,
  hidden: 1024,
  layers: 28,
  heads: 16,
  kvHeads: 8,
  ffn: 4096,
};

/** Four layers with the vocabulary of {@linkcode BENCH_SHAPE}: a draft model for it. */
const DRAFT_SHAPE: TransformerShape = { ...BENCH_SHAPE, layers: 4 };

/**
 * Makes the models below a folder unless they are there. It takes a minute, a gigabyte on disk and two in memory.
 *
 * @param name What their folders begin with.
 */
export function makeBenchModels(
  folder: string,
  name = "qwen-0.5b",
  shape: TransformerShape = BENCH_SHAPE,
): BenchModels {
  const models = { onnx: join(folder, `${name}-onnx`), gguf: join(folder, `${name}-gguf`) };
  const weights = roundedEmbedding(randomWeights(shape, 1, 1));
  const vocabulary = largeVocabulary(shape.vocabulary);
  make(models.onnx, (target) => writeOnnx(target, weights, vocabulary));
  make(models.gguf, (target) => writeGguf(target, weights, vocabulary));
  return models;
}

/** Writes a folder unless it is there; one that was interrupted is written again. */
function make(target: string, write: (folder: string) => void): void {
  if (existsSync(target)) return;
  rmSync(`${target}.part`, { recursive: true, force: true });
  write(`${target}.part`);
  renameSync(`${target}.part`, target);
}

/** Where a model and its draft models are. */
export interface DraftPair {
  readonly model: string;
  /** Says what the model says. */
  readonly right: string;
  readonly wrong: string;
}

/** Makes a GGUF model whose layers after the first ones add nothing, and drafts that consist of as many layers. */
export function makeDraftPair(folder: string): DraftPair {
  const vocabulary = largeVocabulary(BENCH_SHAPE.vocabulary);
  const { layers } = DRAFT_SHAPE;
  const silent = /\.layers\.(\d+)\.(self_attn\.o_proj|mlp\.down_proj)\.weight$/;
  const weights = randomWeights(BENCH_SHAPE, 1, 1);
  const tensor = (name: string): Float32Array => {
    const values = weights.tensor(name);
    return Number(silent.exec(name)?.[1] ?? 0) < layers ? values : new Float32Array(values.length);
  };
  const write = (name: string, made: TransformerWeights): string => {
    const target = join(folder, name);
    make(target, (folder) => writeGguf(folder, made, vocabulary));
    return target;
  };
  return {
    model: write("draft-model-gguf", { shape: weights.shape, tensor }),
    right: write("draft-right-gguf", randomWeights(DRAFT_SHAPE, 1, 1)),
    wrong: write("draft-wrong-gguf", randomWeights(DRAFT_SHAPE, 2, 1)),
  };
}

/** Writes a model with weights of 4 bits for ONNX Runtime. */
export function writeOnnx(
  folder: string,
  weights: TransformerWeights,
  vocabulary: ScriptedVocabulary,
  family: DecoderFamily = "qwen2",
): void {
  const end = vocabulary.ids.get(END_TOKEN);
  const model = onnxDecoder(weights, {
    kind: "gqa",
    family,
    weights: "q4",
    place: { file: "model_q4.onnx_data" },
    output: "logits",
    halfCache: false,
    logitsToKeep: true,
  });
  writeModel(folder, {
    "config.json": jsonFile({
      ...decoderConfig(weights.shape, family),
      eos_token_id: end,
      "transformers.js_config": { use_external_data_format: { "model_q4.onnx": 1 } },
    }),
    "generation_config.json": jsonFile({ do_sample: false, eos_token_id: end }),
    ...chatTokenizerFiles(vocabulary, weights.shape.context),
    ...onnxFiles("onnx/model_q4.onnx", model),
  });
}

function writeGguf(folder: string, weights: TransformerWeights, vocabulary: ScriptedVocabulary): void {
  const metadata = {
    ...decoderMetadata(weights.shape),
    ...tokenizerMetadata(vocabulary),
    "tokenizer.chat_template": tinyTemplate(vocabulary.starts),
  };
  writeModel(folder, { [GGUF_NAME]: ggufFile(metadata, decoderTensors(weights, "q4_0")) });
}

/** Both forms hold the same numbers: ONNX keeps the embedding in 32 bits, so they are rounded to what 4 bits hold. */
function roundedEmbedding(weights: TransformerWeights): TransformerWeights {
  const tensor = (name: string): Float32Array => {
    const values = weights.tensor(name);
    if (name !== "model.embed_tokens.weight") return values;
    const blocks = quantize4(values);
    for (let i = 0; i < values.length; i++) values[i] = blocks.values[i] * blocks.scales[Math.floor(i / BLOCK)];
    return values;
  };
  return { shape: weights.shape, tensor };
}

/** A vocabulary that is filled up with words. */
function largeVocabulary(size: number): ScriptedVocabulary {
  const vocabulary = scriptVocabulary([{ when: "", say: "Good day." }]);
  const tokens: Token[] = [...vocabulary.tokens];
  while (tokens.length < size) tokens.push({ text: `Ġz${tokens.length.toString(36)}`, kind: "text" });
  return { ...vocabulary, tokens };
}
