/**
 * What an arworld takes on a GPU.
 *
 * @module
 */
import type { Precision } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { decoderGraph, latentsPerRun } from "../video_vae/decoder_graphs.ts";
import { encoderGraph } from "../video_vae/image_encoder.ts";
import { elementsOf, type PlanProgram, planWorld, type WorldPlan } from "../world/world_plan.ts";
import type { Geometry } from "../world/world_model.ts";
import { LATENTS_PER_BLOCK } from "./camera/trajectory.ts";
import { type ArworldConfig, contextBlocks } from "./config.ts";
import { SAMPLER_STEPS } from "./sampling/sampler_math.ts";
import { promptsKept, textRanges } from "./text/prompt_encoder.ts";
import { isStreamed } from "./text/text_stream.ts";
import {
  contextGraph,
  denoiseGraph,
  pastGraph,
  promptGraph,
  textCacheGraph,
} from "./transformer/transformer_graphs.ts";

/** The weights of an arworld; their elements are not needed. */
export interface ArworldWeights {
  readonly vae: Weights;
  readonly textEncoder: Weights;
  readonly transformer: Weights;
}

/** Plans an arworld for frames of a size. */
export function planArworldGpu(
  config: ArworldConfig,
  { vae, textEncoder, transformer }: ArworldWeights,
  geometry: Geometry,
  precision: Precision,
  planProgram: PlanProgram,
): Promise<WorldPlan> {
  const { transformer: own } = config;
  const size = { width: geometry.width / 16, height: geometry.height / 16 };
  const latents = [LATENTS_PER_BLOCK, config.vae.zDim, size.height, size.width];
  const group = latentsPerRun(config, vae, latents, precision);
  const part = [group, ...latents.slice(1)];
  const context = contextBlocks(own);
  const streamed = isStreamed(config.textEncoder);
  const text = streamed ? () => textCacheGraph(own, transformer, textRanges(own.numLayers)[0]) : () =>
    promptGraph({
      ...{ textEncoder: config.textEncoder, transformer: own, textWeights: textEncoder },
      ...{ transformerWeights: transformer, length: own.textLen },
    });
  const cache = () => contextGraph(own, transformer, context, size);
  const past = () => pastGraph(own, context, size);
  const decode = (place: "first" | "later") => () => decoderGraph(config, vae, part, place);
  return planWorld({
    size: geometry,
    precision,
    planProgram,
    programs: [
      {
        ...{ name: "denoise", part: "transformer", runs: SAMPLER_STEPS.length },
        build: () => denoiseGraph(own, transformer, context, size),
      },
      { name: "past", part: "transformer", build: past, runs: 1 },
      { name: "context", part: "transformer", build: cache, runs: 1 },
      { name: "decode", part: "autoencoder", build: decode("later"), runs: LATENTS_PER_BLOCK / group },
      { name: "decode first", part: "autoencoder", build: decode("first"), runs: 0 },
      {
        ...{ name: "encode", part: "autoencoder", runs: 0 },
        build: () => encoderGraph(config, vae, geometry.width, geometry.height),
      },
      { name: "prompt", part: "text encoder", build: text, runs: 0, transient: streamed },
    ],
    state: (bytes) => {
      const block = bytes * elementsOf(cache().outputs, /^own\./);
      const prompt = bytes * elementsOf(textCacheGraph(own, transformer).outputs, /^text\./);
      const later = decode("later")();
      const history = bytes * elementsOf(later.outputs, /^(?!frames$)/);
      const frames = bytes * elementsOf(later.outputs, /^frames$/);
      // A decoder's run reads one history and writes the next; between the runs of a block there is a third.
      const histories = (group < LATENTS_PER_BLOCK ? 3 : 2) * history;
      // What the passes of a block share is released before its latents are decoded.
      const joined = bytes * elementsOf(past().outputs, /^past\./);
      const prompts = promptsKept(prompt) * prompt;
      return {
        stateBytes: (context + 1) * block + prompts + Math.max(history + joined, histories + frames),
        idleBytes: context * block + prompts + history + prompt,
        snapshotBytes: block + history,
      };
    },
  });
}
