/**
 * What has its turn in memory: programs whose weights are so large that there may be no second copy of them.
 *
 * @module
 */
import { type Device, sizeOf } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { latentBytes } from "../video_vae/decoder_graphs.ts";
import type { LatentSize } from "../video_vae/latents.ts";
import { type ActionTransformerConfig, type ActionworldConfig, usedTransformerShapes } from "./config.ts";

/** A decoder of frames whose latents have values of more than this needs the memory of the transformer's weights. */
const LARGE_LATENT = 4 * 2 ** 30;

/**
 * Whether the programs that sample a clip go before those that decode it are compiled, and the other way round: where
 * both have large weights on the CPU, and frames are large. To sample a clip of them takes a hundred times as long as to
 * compile its program.
 */
export function takesTurns(
  device: Pick<Device, "kind">,
  config: ActionworldConfig,
  vae: Weights,
  size: LatentSize,
): boolean {
  return needsOneProgram(device, config.transformer) && latentBytes(config, vae, size) > LARGE_LATENT;
}

/** Transformers with more parameters have one program at a time for each of their two streams. */
const SINGLE_FROM = 2 ** 28;

/** On the CPU every program has its own copy of its weights. */
export function needsOneProgram({ kind }: Pick<Device, "kind">, config: ActionTransformerConfig): boolean {
  if (kind !== "cpu") return false;
  return [...usedTransformerShapes(config).values()].reduce((sum, shape) => sum + sizeOf(shape), 0) > SINGLE_FROM;
}
