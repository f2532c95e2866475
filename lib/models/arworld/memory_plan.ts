/**
 * The memory of an arworld on the CPU.
 *
 * @module
 */
import { describedWeights } from "../checkpoint/described_weights.ts";
import { decoderHistory, planDecoder } from "../video_vae/decoder_graphs.ts";
import { encoderGraph } from "../video_vae/image_encoder.ts";
import { vaeShapes } from "../video_vae/vae_config.ts";
import { planBytes, type ProgramMemory } from "../world/memory_plan.ts";
import { elementsOf } from "../world/world_plan.ts";
import type { Geometry } from "../world/world_model.ts";
import { LATENTS_PER_BLOCK } from "./camera/trajectory.ts";
import { type ArworldConfig, contextBlocks } from "./config.ts";
import { textEncoderShapes, transformerShapes } from "./tensor_shapes.ts";
import { textRanges } from "./text/prompt_encoder.ts";
import { isStreamed, textLayersGraph } from "./text/text_stream.ts";
import type { ArworldWeights } from "./world_plan.ts";
import { allPassesGraph, contextGraph, promptGraph, textCacheGraph } from "./transformer/transformer_graphs.ts";

/** Frames of a block. */
const FRAMES = 12;

/** Bytes that a server needs to generate frames of this size on the CPU, besides those of the model's own size. */
export async function planArworld<Cost>(
  config: ArworldConfig,
  geometry: Geometry,
  memory: ProgramMemory<Cost>,
  weights: ArworldWeights = describedArworld(config),
): Promise<number> {
  const { vae, textEncoder: textWeights, transformer } = weights;
  const shapes = [vaeShapes(config.vae), textEncoderShapes(config.textEncoder), transformerShapes(config.transformer)];
  const streamed = isStreamed(config.textEncoder);
  const { defaultWidth: width, defaultHeight: height } = config;
  const isOwn = geometry.width === width && geometry.height === height;
  const sizes = width && height && !isOwn ? [geometry, { width, height }] : [geometry];
  const length = config.transformer.textLen;
  const sized = sizes.map((geometry, i) => {
    const size = { width: geometry.width / 16, height: geometry.height / 16 };
    const decoder = planDecoder(config, vae, size, LATENTS_PER_BLOCK);
    return {
      programs: [
        () => allPassesGraph(config.transformer, transformer, size),
        () => encoderGraph(config, vae, geometry.width, geometry.height),
        ...decoder.programs,
        // Of a size that is not in use, one of those that take turns is left.
        ...i === 0 ? [] : decoder.alternatives.slice(0, 1).flat(),
      ],
      alternatives: i === 0 ? decoder.alternatives : [],
    };
  });
  const ranges = textRanges(config.transformer.numLayers);
  const text = streamed ? () => textCacheGraph(config.transformer, transformer, ranges[0]) : () =>
    promptGraph({
      textEncoder: config.textEncoder,
      transformer: config.transformer,
      textWeights,
      transformerWeights: transformer,
      length,
    });
  // Layers that pass through, each alone.
  const layers = streamed ? [() => textLayersGraph(config.textEncoder, textWeights, length, 0, 1)] : [];
  const parts = {
    weights: shapes,
    programs: [...sized.flatMap(({ programs }) => programs), ...streamed ? [] : [text]],
    alternatives: sized.flatMap(({ alternatives }) => alternatives),
    transient: streamed ? [text, ...layers] : [],
  };
  return arworldChainBytes(config, geometry, 4, weights) +
    await planBytes(parts, { ...geometry, frames: FRAMES }, memory);
}

/**
 * Bytes of a chain between two moves: its context, the decoder's history, and the state before the last move.
 *
 * @param bytes Bytes of a number.
 */
export function arworldChainBytes(
  config: ArworldConfig,
  { width, height }: Geometry,
  bytes: number,
  { vae, transformer }: ArworldWeights = describedArworld(config),
): number {
  const size = { width: width / 16, height: height / 16 };
  const context = contextBlocks(config.transformer);
  const block = elementsOf(contextGraph(config.transformer, transformer, context, size).outputs, /^own\./);
  const history = decoderHistory(config, vae, size);
  return bytes * ((context + 1) * block + 2 * history);
}

function describedArworld(config: ArworldConfig): ArworldWeights {
  return {
    vae: describedWeights(vaeShapes(config.vae)),
    textEncoder: describedWeights(textEncoderShapes(config.textEncoder)),
    transformer: describedWeights(transformerShapes(config.transformer)),
  };
}
