/**
 * How a masked diffusion model generates, according to its files.
 *
 * @module
 */
import { NEUTRAL_SAMPLING, type SamplingSettings, type TemplateSources } from "../../protocol/mod.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { checkSizes, type JsonObject, readModelJson } from "../files/model_json.ts";
import type { ChatModelProfile } from "../contract/model_profile.ts";
import { contextLength, readSignature } from "../onnx_encoder/encoder_files.ts";
import { readTemplate } from "../files/tokenizer_files.ts";
import { templateReasoning } from "../text/text_capabilities.ts";

/** Maximum number of tokens of an answer. */
export const MAX_ANSWER_TOKENS = 256;

/** Defaults: tokens of a canvas, and its steps. */
const USUAL_CANVAS = 64;
const USUAL_STEPS = 16;

/** What such a model supports. */
const features = ["tools", "stop", "seed", "top_k", "min_p", "logit_bias", "template_arguments", "drafts"] as const;

/** The settings of a denoising. */
export interface DiffusionRecipe {
  readonly profile: ChatModelProfile;
  readonly template: TemplateSources;
  readonly config: JsonObject;
  readonly maskToken: number;
  readonly canvasTokens: number;
  /** Steps of a canvas. */
  readonly steps: number;
  readonly shifted: boolean;
}

/**
 * Reads the profile of a masked diffusion model, without loading it.
 *
 * @returns Undefined for models of other kinds: those whose `config.json` names no mask token, or without a template.
 */
export async function readDiffusionProfile(files: ModelFiles): Promise<ChatModelProfile | undefined> {
  return (await readDiffusionRecipe(files))?.profile;
}

/** Reads the configurations of a masked diffusion model; undefined as in {@linkcode readDiffusionProfile}. */
export async function readDiffusionRecipe(files: ModelFiles): Promise<DiffusionRecipe | undefined> {
  const config = await readModelJson(files, "config.json");
  const maskToken = count(config?.mask_token_id, 0);
  if (config === undefined || maskToken === undefined) return undefined;
  const tokenizer = await readModelJson(files, "tokenizer_config.json");
  const template = await readTemplate(files);
  if (template.chat === undefined) return undefined;
  checkSizes(config);
  const graph = await readSignature(files);
  if (graph === undefined || !graph.outputs.has("logits")) return undefined;
  const state = [...graph.inputs].find((name) => name.startsWith("past"));
  if (state !== undefined) {
    throw new Error(
      `Cannot write with ${graph.file}: it has an input "${state}", expected a bidirectional model`,
    );
  }
  const generation = await readModelJson(files, "generation_config.json") ?? {};
  const canvasTokens = Math.min(count(generation.block_length, 1) ?? USUAL_CANVAS, MAX_ANSWER_TOKENS);
  const steps = count(generation.steps, 1);
  return {
    profile: {
      kind: "chat",
      engine: "onnx-diffusion",
      context: contextLength(config, tokenizer),
      maxOutputTokens: MAX_ANSWER_TOKENS,
      capabilities: { features: new Set(features), reasoning: templateReasoning(template) },
      sampling: readSampling(generation),
      kvCacheModes: [],
    },
    template,
    config,
    maskToken,
    canvasTokens,
    steps: stepsOfCanvas(steps, canvasTokens),
    // Dream was derived from a causal model and kept the position of its logits (Ye et al. 2025).
    shifted: /^dream$/i.test(String(config.model_type)),
  };
}

/** Files give the steps of the longest answer. */
function stepsOfCanvas(steps: number | undefined, canvasTokens: number): number {
  if (steps === undefined) return Math.min(USUAL_STEPS, canvasTokens);
  return Math.max(1, Math.round(steps * canvasTokens / MAX_ANSWER_TOKENS));
}

/** Greedy, unless the model is configured for sampling. */
function readSampling({ temperature, top_p: topP, top_k: topK }: JsonObject): SamplingSettings {
  return {
    ...NEUTRAL_SAMPLING,
    temperature: typeof temperature === "number" && temperature >= 0 ? temperature : 0,
    topP: typeof topP === "number" && topP > 0 && topP <= 1 ? topP : 1,
    topK: count(topK, 0) ?? 0,
  };
}

function count(value: unknown, min: number): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= min ? value as number : undefined;
}
