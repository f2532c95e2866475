/**
 * What an arworld takes on a GPU, and of a machine's memory on the CPU.
 *
 * @module
 */
import type { Graph, Precision } from "../../compute/tensor/mod.ts";
import { describedWeights, type TensorShapes, type Weights } from "../checkpoint/weights.ts";
import { decoderGraph, decoderHistory, latentsPerRun, planDecoder } from "../video_vae/decoder_graphs.ts";
import { encoderGraph } from "../video_vae/image_encoder.ts";
import { latentSizeOf, vaeShapes, wholeTokens } from "../video_vae/vae_config.ts";
import { planBytes, type ProgramMemory } from "../world/memory_plan.ts";
import type { Geometry } from "../world/world_model.ts";
import { elementsOf, type PlanProgram, planWorld, type WorldPlan } from "../world/world_plan.ts";
import { type ArworldConfig, contextBlocks, textEncoderShapes, transformerShapes } from "./config.ts";
import { SAMPLER_STEPS } from "./sampling/sampler_math.ts";
import { promptsKept, textRanges } from "./text/prompt_encoder.ts";
import { isStreamed, textLayersGraph } from "./text/text_stream.ts";
import { LATENTS_PER_BLOCK } from "./trajectory.ts";
import {
  allPassesGraph,
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

/** An arworld that is planned. */
export interface PlannedArworld {
  readonly config: ArworldConfig;
  readonly weights: ArworldWeights;
  /** The world that it is beside, see `ArworldPlaces`: what measures pictures and encodes its texts stays loaded. */
  readonly beside?: PlannedArworld | undefined;
}

/** Plans an arworld for frames of a size. */
export function planArworldGpu(
  { config, weights: { vae, textEncoder, transformer }, beside }: PlannedArworld,
  geometry: Geometry,
  precision: Precision,
  planProgram: PlanProgram,
): Promise<WorldPlan> {
  const { transformer: own } = config;
  const whole = wholeTokens(config.vae, geometry);
  const size = latentSizeOf(config.vae, whole);
  const latents = [LATENTS_PER_BLOCK, config.vae.zDim, size.height, size.width];
  const group = latentsPerRun(config, vae, latents, { kind: "webgpu", precision });
  const part = [group, ...latents.slice(1)];
  const context = contextBlocks(own);
  const streamed = isStreamed(config.textEncoder);
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
        build: () => encoderGraph(config, vae, whole.width, whole.height),
      },
      {
        ...{ name: "prompt", part: "text encoder", runs: 0, transient: streamed },
        build: () => textGraph(config, { textEncoder, transformer }),
      },
      ...beside ? restingGraphs(beside).map((build) => ({ name: "rest", part: "first world", build, runs: 0 })) : [],
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

/** Frames of a block. */
const FRAMES = 12;

/** Bytes that a server needs to generate frames of this size on the CPU, besides those of the model's own size. */
export async function planArworld<Cost>(
  { config, weights, beside }: PlannedArworld,
  geometry: Geometry,
  memory: ProgramMemory<Cost>,
): Promise<number> {
  const { vae, textEncoder: textWeights, transformer } = weights;
  const streamed = isStreamed(config.textEncoder);
  const { defaultWidth: width, defaultHeight: height } = config;
  const isOwn = geometry.width === width && geometry.height === height;
  const sizes = width && height && !isOwn ? [geometry, { width, height }] : [geometry];
  const length = config.transformer.textLen;
  const sized = sizes.map((geometry, i) => {
    const whole = wholeTokens(config.vae, geometry);
    const size = latentSizeOf(config.vae, whole);
    const decoder = planDecoder(config, vae, size);
    return {
      programs: [
        () => allPassesGraph(config.transformer, transformer, size),
        () => encoderGraph(config, vae, whole.width, whole.height),
        ...decoder.programs,
        // Of a size that is not in use, one of those that take turns is left.
        ...i === 0 ? [] : decoder.alternatives.slice(0, 1).flat(),
      ],
      alternatives: i === 0 ? decoder.alternatives : [],
    };
  });
  const text = () => textGraph(config, weights);
  // Layers that pass through, each alone.
  const layers = streamed ? [() => textLayersGraph(config.textEncoder, textWeights, length, 0, 1)] : [];
  const parts = {
    weights: [config, ...beside ? [beside.config] : []].flatMap(shapesOf),
    programs: [
      ...sized.flatMap(({ programs }) => programs),
      ...streamed ? [] : [text],
      ...beside ? restingGraphs(beside) : [],
    ],
    alternatives: sized.flatMap(({ alternatives }) => alternatives),
    transient: streamed ? [text, ...layers] : [],
  };
  return arworldChainBytes({ config, weights }, geometry, 4) +
    await planBytes(parts, { ...geometry, frames: FRAMES }, memory);
}

/**
 * Bytes of a chain between two moves: its context, the decoder's history, and the state before the last move.
 *
 * @param bytes Bytes of a number.
 */
export function arworldChainBytes(
  { config, weights: { vae, transformer } }: PlannedArworld,
  geometry: Geometry,
  bytes: number,
): number {
  const size = latentSizeOf(config.vae, wholeTokens(config.vae, geometry));
  const context = contextBlocks(config.transformer);
  const block = elementsOf(contextGraph(config.transformer, transformer, context, size).outputs, /^own\./);
  const history = decoderHistory(config, vae, size);
  return bytes * ((context + 1) * block + 2 * history);
}

/** What stays of a world while a walk is in another one: it measures pictures, and its texts are encoded. */
function restingGraphs({ config, weights }: PlannedArworld): (() => Graph)[] {
  const { defaultWidth: width, defaultHeight: height } = config;
  const whole = width && height ? wholeTokens(config.vae, { width, height }) : undefined;
  return [
    ...whole ? [() => encoderGraph(config, weights.vae, whole.width, whole.height)] : [],
    ...isStreamed(config.textEncoder) ? [] : [() => textGraph(config, weights)],
  ];
}

/** What encodes a text; of a large text encoder, what is loaded for a moment. */
function textGraph(
  { textEncoder, transformer }: ArworldConfig,
  weights: Pick<ArworldWeights, "textEncoder" | "transformer">,
): Graph {
  const { numLayers, textLen: length } = transformer;
  if (isStreamed(textEncoder)) return textCacheGraph(transformer, weights.transformer, textRanges(numLayers)[0]);
  const { textEncoder: textWeights, transformer: transformerWeights } = weights;
  return promptGraph({ textEncoder, transformer, textWeights, transformerWeights, length });
}

function shapesOf({ vae, textEncoder, transformer }: ArworldConfig): TensorShapes[] {
  return [vaeShapes(vae), textEncoderShapes(textEncoder), transformerShapes(transformer)];
}

/** An arworld of which only the configuration is known. */
export function describedArworld(config: ArworldConfig): PlannedArworld {
  const [vae, textEncoder, transformer] = shapesOf(config).map(describedWeights);
  return { config, weights: { vae, textEncoder, transformer } };
}
