/**
 * Profiles of causal language models.
 *
 * @module
 */
import { DEFAULT_SAMPLING, NEUTRAL_SAMPLING, type SamplingSettings, type TemplateSources } from "../../protocol/mod.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import {
  checkSizes,
  endTokensIn,
  type JsonObject,
  MAX_CONTEXT,
  readModelJson,
  sizeIn,
  textConfig,
} from "../files/model_json.ts";
import type { ChatModelProfile } from "../contract/model_profile.ts";
import { readTemplate } from "../files/tokenizer_files.ts";
import { readVisionLayout } from "./vision/vision_layout.ts";
import { templateReasoning, TEXT_FEATURES } from "../text/text_capabilities.ts";
import { chooseGraph, chooseWeights, readOnnxFile } from "../onnx_sessions/onnx_file.ts";
import { describeDecoder } from "./decoder/decoder_graph.ts";
import { PACKED_MODES } from "./decoding/kv_packing.ts";

/** Configuration keys for the context length. */
const contextNames = ["max_position_embeddings", "n_positions", "n_ctx", "max_sequence_length", "seq_length"];

/**
 * Reads the profile of a model in Hugging Face layout.
 *
 * @returns Undefined for files other than a causal language model in ONNX.
 * @throws {Error} when the model is unsupported.
 */
export async function readOnnxTextProfile(files: ModelFiles): Promise<ChatModelProfile | undefined> {
  const config = await readModelJson(files, "config.json");
  const weights = chooseWeights(files.names);
  if (config === undefined || weights === undefined || !isCausal(config)) return undefined;
  checkSizes(config);
  const graph = await readOnnxFile(files, weights);
  const { kvType, states } = describeDecoder(graph, weights, config);
  const reads = (name: string): boolean => graph.inputs.some((input) => input.name === name);
  if (reads("inputs_embeds") && !reads("input_ids") && chooseGraph(files.names, "embed_tokens") === undefined) {
    throw new Error("Cannot open the model: it has no onnx/embed_tokens.onnx, add the file to its folder");
  }
  const generation = await readModelJson(files, "generation_config.json") ?? {};
  endTokenIds(config, generation);
  return {
    kind: "chat",
    engine: "onnx-text",
    context: readContext(config),
    maxOutputTokens: undefined,
    capabilities: {
      features: new Set(await readVisionLayout(files) === undefined ? TEXT_FEATURES : [...TEXT_FEATURES, "images"]),
      reasoning: templateReasoning(await readTemplate(files)),
    },
    sampling: readSampling(generation),
    // Modes apply to cached prefixes; active sequences use the graph's own type.
    kvCacheModes: kvType === "float32" && states.length === 0 ? PACKED_MODES : [],
  };
}

/**
 * Ids of the tokens that end an answer: those of both configurations, and the `eos_token` of the tokenizer.
 *
 * @param idOf The id of a token by its text.
 * @throws {Error} naming the configuration whose tokens are not ids.
 */
export async function readEndTokens(
  files: ModelFiles,
  template: TemplateSources,
  idOf: (token: string) => number | undefined,
): Promise<ReadonlySet<number>> {
  const config = await readModelJson(files, "config.json") ?? {};
  const generation = await readModelJson(files, "generation_config.json") ?? {};
  const named = template.tokens.eos_token === undefined ? undefined : idOf(template.tokens.eos_token);
  return new Set([...endTokenIds(config, generation), ...named === undefined ? [] : [named]]);
}

/**
 * The end tokens of both configurations, without that of the tokenizer.
 *
 * @throws {Error} as {@linkcode readEndTokens}.
 */
export function endTokenIds(config: JsonObject, generation: JsonObject): readonly number[] {
  return endTokensIn("generation_config.json", generation) ?? endTokensIn("config.json", textConfig(config)) ?? [];
}

function isCausal(config: JsonObject): boolean {
  const architectures = Array.isArray(config.architectures) ? config.architectures : [];
  return architectures.length === 0 ||
    architectures.some((name) => /(?:CausalLM|LMHeadModel|ConditionalGeneration)$/.test(String(name)));
}

/**
 * The context length in `config.json`.
 *
 * @throws {Error} when there is none, or one that no model has.
 */
export function readContext(config: JsonObject): number {
  const found = contextIn(config);
  if (found !== undefined) return found;
  throw new Error(`Cannot use config.json: it has no context length, expected "${contextNames[0]}"`);
}

/** As {@linkcode readContext}; undefined when there is none. */
export function contextIn(config: JsonObject): number | undefined {
  const fields = textConfig(config);
  const name = contextNames.find((name) => fields[name] !== undefined && fields[name] !== null);
  return name === undefined ? undefined : sizeIn("config.json", fields, name, MAX_CONTEXT);
}

/**
 * Recommended sampling settings: models with `do_sample: false` are greedy, those that name none of the settings get the
 * default ones.
 */
export function readSampling(generation: JsonObject): SamplingSettings {
  const number = (name: string, fits: (value: number) => boolean): number | undefined => {
    const value = generation[name];
    return typeof value === "number" && fits(value) ? value : undefined;
  };
  const repetitionPenalty = number("repetition_penalty", (value) => value > 0 && value <= 2) ?? 1;
  if (generation.do_sample === false) return { ...NEUTRAL_SAMPLING, temperature: 0, repetitionPenalty };
  const temperature = number("temperature", (value) => value >= 0 && value <= 2);
  const topP = number("top_p", (value) => value > 0 && value <= 1);
  const topK = number("top_k", (value) => value >= 0);
  const minP = number("min_p", (value) => value >= 0 && value <= 1);
  if ([temperature, topP, topK, minP].every((value) => value === undefined)) {
    return { ...DEFAULT_SAMPLING, repetitionPenalty };
  }
  return {
    ...NEUTRAL_SAMPLING,
    temperature: temperature ?? NEUTRAL_SAMPLING.temperature,
    topP: topP ?? NEUTRAL_SAMPLING.topP,
    topK: topK ?? NEUTRAL_SAMPLING.topK,
    minP: minP ?? NEUTRAL_SAMPLING.minP,
    repetitionPenalty,
  };
}
