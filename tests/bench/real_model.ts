/**
 * SmolLM2 135M for both engines: the GGUF file that a package of pip carries, and an ONNX model made from its weights.
 *
 * @module
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { numberField, numbersField, readGgufMetadata, textsField } from "../../lib/engines/gguf_text/gguf_metadata.ts";
import { openFileReader } from "../../lib/platform/files/read_part.ts";
import { openGguf } from "../../lib/store/convert/gguf_source.ts";
import { openModelFolder } from "../../lib/store/model_folder.ts";
import { layerNames, TOKEN_KINDS } from "../fixtures/tiny_models/gguf_chat_model.ts";
import type { ScriptedVocabulary, TokenKind } from "../fixtures/tiny_models/scripted_vocabulary.ts";
import type { TransformerShape, TransformerWeights } from "../fixtures/tiny_models/transformer_weights.ts";
import { realModel } from "../support/real_models.ts";
import { type BenchModels, writeOnnx } from "./api_bench_model.ts";

const ID = "smollm2-135m";

/** The model, which is fetched where it is missing, and its number of tokens. */
export interface RealModels extends BenchModels {
  readonly vocabulary: number;
}

/**
 * Finds or fetches the GGUF file, and makes the ONNX model below a folder unless it is there: the same weights, widened
 * and rounded to ONNX Runtime's 4 bits (a scale for 32 weights), as published exports have.
 *
 * @throws {Error} where pip does not reach the package.
 */
export async function makeRealModels(cache: string): Promise<RealModels> {
  const found = await realModel(ID);
  if (!found.ok) throw new Error(`Cannot measure ${ID}: ${found.reason}`);
  const name = found.names.find((one) => one.endsWith(".gguf"));
  if (name === undefined) throw new Error(`Cannot measure ${ID}: ${found.folder} has no GGUF file`);
  const metadata = await readGgufMetadata(openModelFolder(found.folder, [name]), name);
  const texts = textsField(metadata, "tokenizer.ggml.tokens") ?? [];
  const onnx = join(cache, `${ID}-onnx`);
  if (!existsSync(onnx)) {
    const field = (key: string): number => numberField(metadata, `llama.${key}`) ?? NaN;
    const heads = field("attention.head_count");
    const shape: TransformerShape = {
      vocabulary: texts.length,
      hidden: field("embedding_length"),
      layers: field("block_count"),
      heads,
      kvHeads: field("attention.head_count_kv"),
      headSize: field("embedding_length") / heads,
      ffn: field("feed_forward_length"),
      context: field("context_length"),
      ropeTheta: field("rope.freq_base"),
      epsilon: field("attention.layer_norm_rms_epsilon"),
    };
    const weights = await readWeights(join(found.folder, name), shape);
    rmSync(`${onnx}.part`, { recursive: true, force: true });
    const types = numbersField(metadata, "tokenizer.ggml.token_type") ?? [];
    writeOnnx(`${onnx}.part`, weights, vocabularyOf(texts, types), "llama");
    renameSync(`${onnx}.part`, onnx);
  }
  return { onnx, gguf: found.folder, vocabulary: texts.length };
}

/** Reads the tensors by the names of Hugging Face, whose rows of queries and keys llama.cpp keeps in another order. */
async function readWeights(path: string, shape: TransformerShape): Promise<TransformerWeights> {
  const file = await openFileReader(path);
  const read = new Map<string, Float32Array>();
  try {
    const { tensors } = await openGguf(path, file);
    for (const tensor of tensors) {
      const values = new Float32Array(tensor.byteLength / 4);
      let at = 0;
      for await (const part of tensor.read()) {
        values.set(new Float32Array(part.buffer, part.byteOffset, part.byteLength / 4), at);
        at += part.byteLength / 4;
      }
      read.set(tensor.name, values);
    }
  } finally {
    await file.close();
  }
  const tensor = (name: string): Float32Array => {
    const values = read.get(ggufName(name));
    if (values === undefined) throw new Error(`Cannot read ${path}: it has no ${ggufName(name)}`);
    return /[qk]_proj/.test(name) ? halvesApart(values, shape) : values;
  };
  return { shape, tensor };
}

function ggufName(name: string): string {
  if (name === "model.embed_tokens.weight" || name === "lm_head.weight") return "token_embd.weight";
  if (name === "model.norm.weight") return "output_norm.weight";
  const [, layer, part] = /^model\.layers\.(\d+)\.(.+)\.weight$/.exec(name) ?? [];
  const norms: Readonly<Record<string, string>> = {
    input_layernorm: "attn_norm",
    post_attention_layernorm: "ffn_norm",
  };
  return `blk.${layer}.${norms[part] ?? layerNames[part]}.weight`;
}

/** Rotated pairs of a head are neighbours in llama.cpp, and half a head apart in ONNX. */
function halvesApart(values: Float32Array, { hidden, headSize }: TransformerShape): Float32Array {
  const rows = values.length / hidden;
  const out = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    const within = row % headSize;
    const to = row - within + (within >> 1) + (within % 2) * headSize / 2;
    out.set(values.subarray(row * hidden, (row + 1) * hidden), to * hidden);
  }
  return out;
}

/** The tokens without their merges: prompts are given as ids. */
function vocabularyOf(texts: readonly string[], types: readonly number[]): ScriptedVocabulary {
  const kinds = new Map(Object.entries(TOKEN_KINDS).map(([kind, type]) => [type, kind as TokenKind]));
  return {
    tokens: texts.map((text, id) => ({ text, kind: kinds.get(types[id]) ?? "text" })),
    merges: [],
    next: new Map(),
    starts: [],
    ids: new Map(texts.map((text, id) => [text, id])),
  };
}
