/**
 * Whether sampling and decoding take turns in memory.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { latentBytes } from "../video_vae/decoder_graphs.ts";
import type { LatentSize } from "../video_vae/latents.ts";
import type { ActionworldConfig } from "./config.ts";
import { needsOneProgram } from "./needs_one_program.ts";

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
