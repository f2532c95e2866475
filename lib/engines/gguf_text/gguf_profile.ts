/**
 * Derives a profile from a GGUF file, without loading the model.
 *
 * @module
 */
import { DEFAULT_SAMPLING, NEUTRAL_SAMPLING, type SamplingSettings, type TemplateSources } from "../../protocol/mod.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import type { ChatModelProfile, KvCacheMode } from "../contract/model_profile.ts";
import { architectureProblem, findGgufFile, ggufRetrieval, readProjector } from "./gguf_file.ts";
import { baseModel } from "../files/model_json.ts";
import { templateReasoning, TEXT_FEATURES } from "../text/text_capabilities.ts";
import {
  CHOOSE_ANOTHER,
  type GgufMetadata,
  numberField,
  readGgufMetadata,
  textField,
  textOfList,
} from "./gguf_metadata.ts";
import { checkGgufSizes } from "./gguf_sizes.ts";

/** Block size of quantized caches. */
const KV_BLOCK = 32;

/** Architectures without flash attention, which quantized values need. */
const NO_FLASH_ATTENTION: ReadonlySet<string> = new Set(["grok", "gemma2"]);

const templateTokens = {
  bos_token: "bos",
  eos_token: "eos",
  unk_token: "unknown",
  pad_token: "padding",
  sep_token: "seperator",
  cls_token: "cls",
  mask_token: "mask",
};

/**
 * Reads the profile of a chat model from the metadata of its GGUF file, without loading anything natively.
 *
 * @returns Undefined when the model has no GGUF file, or embeds or ranks texts.
 * @throws {Error} when the file is broken or not a chat model.
 */
export async function readGgufProfile(files: ModelFiles): Promise<ChatModelProfile | undefined> {
  const name = findGgufFile(files);
  if (name === undefined) return undefined;
  const metadata = await readGgufMetadata(files, name);
  if (await ggufRetrieval(files, name, metadata) !== undefined) return undefined;
  const profile = ggufProfile(metadata, name);
  return await readProjector(files) === undefined ? profile : withImages(profile);
}

/** The profile of a chat model with a projector. */
export function withImages(profile: ChatModelProfile): ChatModelProfile {
  const { capabilities } = profile;
  return { ...profile, capabilities: { ...capabilities, features: new Set([...capabilities.features, "images"]) } };
}

/**
 * Derives a profile from metadata.
 *
 * @param name The file, for errors.
 * @throws {Error} when it is not a chat model.
 */
export function ggufProfile(metadata: GgufMetadata, name: string): ChatModelProfile {
  const kind = textField(metadata, "general.type") ?? "model";
  if (kind !== "model") throw unusable(name, `it holds the type "${kind}"`, "a model");
  const architecture = textField(metadata, "general.architecture");
  if (architecture === undefined) throw unusable(name, "it names no general.architecture", "a language model");
  const problem = architectureProblem(architecture);
  if (problem !== undefined) throw unusable(name, problem, "a language model that llama.cpp runs");
  checkGgufSizes(metadata, architecture, name);
  const context = numberField(metadata, `${architecture}.context_length`);
  if (context === undefined) {
    throw unusable(name, `its ${architecture}.context_length is missing`, "a positive whole number");
  }
  const template = ggufTemplate(metadata);
  if (template.chat === undefined) {
    const remedy = "write one into it with gguf_new_metadata.py --chat-template of the Python package gguf";
    throw new Error(baseModel("no tokenizer.chat_template", remedy, name));
  }
  return {
    kind: "chat",
    engine: "gguf-text",
    context,
    maxOutputTokens: undefined,
    capabilities: { features: new Set(TEXT_FEATURES), reasoning: templateReasoning(template) },
    sampling: ggufSampling(metadata),
    kvCacheModes: kvCacheModes(metadata, architecture),
  };
}

/** Chat templates in the metadata, and the texts of the tokens that they name. */
export function ggufTemplate(metadata: GgufMetadata): TemplateSources {
  const tokens: Record<string, string> = {};
  for (const [name, key] of Object.entries(templateTokens)) {
    const id = numberField(metadata, `tokenizer.ggml.${key}_token_id`) ?? -1;
    const token = textOfList(metadata, "tokenizer.ggml.tokens", id);
    if (token !== undefined) tokens[name] = token;
  }
  return {
    chat: textField(metadata, "tokenizer.chat_template"),
    toolUse: textField(metadata, "tokenizer.chat_template.tool_use"),
    tokens,
  };
}

/** The sampling settings in the file, invalid values count as missing; the default ones where it has none. */
function ggufSampling(metadata: GgufMetadata): SamplingSettings {
  const read = (name: string, min: number, max: number): number | undefined => {
    const value = numberField(metadata, `general.sampling.${name}`);
    return value !== undefined && value >= min && value <= max ? value : undefined;
  };
  const repetitionPenalty = read("penalty_repeat", 0, 10) || NEUTRAL_SAMPLING.repetitionPenalty;
  const temperature = read("temp", 0, 2);
  const topK = read("top_k", 0, 2 ** 31);
  const topP = read("top_p", 0, 1);
  const minP = read("min_p", 0, 1);
  if ([temperature, topK, topP, minP].every((value) => value === undefined)) {
    return { ...DEFAULT_SAMPLING, repetitionPenalty };
  }
  return {
    ...NEUTRAL_SAMPLING,
    temperature: temperature ?? NEUTRAL_SAMPLING.temperature,
    topK: Math.floor(topK ?? NEUTRAL_SAMPLING.topK),
    topP: topP ?? NEUTRAL_SAMPLING.topP,
    minP: minP ?? NEUTRAL_SAMPLING.minP,
    repetitionPenalty,
  };
}

/** Quantized caches need keys and values whose head sizes are multiples of the block size. */
function kvCacheModes(metadata: GgufMetadata, architecture: string): KvCacheMode[] {
  const field = (name: string): number | undefined => numberField(metadata, `${architecture}.${name}`);
  const head = (field("embedding_length") ?? NaN) / (field("attention.head_count") ?? NaN);
  const key = field("attention.key_length") ?? head;
  const value = field("attention.value_length") ?? head;
  return key === value && key % KV_BLOCK === 0 && !NO_FLASH_ATTENTION.has(architecture) ? ["affine8", "affine4"] : [];
}

/** Bytes of the keys and values of a token in half floats; infinite where the file does not say. */
export function kvBytes(metadata: GgufMetadata): number {
  const architecture = textField(metadata, "general.architecture");
  const field = (name: string): number => numberField(metadata, `${architecture}.${name}`) ?? NaN;
  const heads = field("attention.head_count");
  const size = field("embedding_length") / heads;
  const kvHeads = numberField(metadata, `${architecture}.attention.head_count_kv`) ?? heads;
  const key = numberField(metadata, `${architecture}.attention.key_length`) ?? size;
  const value = numberField(metadata, `${architecture}.attention.value_length`) ?? size;
  const bytes = 2 * field("block_count") * kvHeads * (key + value);
  return bytes > 0 ? bytes : Infinity;
}

function unusable(name: string, what: string, expected: string): Error {
  return new Error(`Cannot use ${name}: ${what}, expected ${expected}: ${CHOOSE_ANOTHER}`);
}
