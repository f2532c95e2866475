/**
 * Generates one block: three latents and their frames.
 *
 * @module
 */
import type { RgbFrames } from "../../../media/images/rgb_image.ts";
import type { BlockMemory, BlockRequest, GenerateOptions } from "../../world/world_model.ts";
import type { ArworldEngine } from "../arworld_engine.ts";
import { PASSES, type SampledBlock } from "./block_sampler.ts";
import type { ChainState } from "./chain_state.ts";
import { contextBlocks } from "../config.ts";
import { cacheTensors, releaseAll, retainAll } from "../../world/device_state.ts";
import { type LatentMemory, recallLatents, rememberLatents } from "../latent_memory.ts";
import { matchColours } from "../lab_transfer.ts";
import { normalNoise } from "../../noise/philox.ts";
import { slideWindow } from "./slide_window.ts";
import { LATENTS_PER_BLOCK } from "../camera/trajectory.ts";
import { cameraTensors } from "../transformer/window_inputs.ts";
import type { DecodedFrames, FrameDecoder } from "../../video_vae/frame_decoder.ts";

/** Denoising steps, the pass that fills the caches, and the decoding. */
export const BLOCK_STEPS: number = PASSES + 1;

/** The memory of a request without one. */
const NOTHING: BlockMemory = { recall: [], store: [], forget: [] };

/** The frames of a block, and the chain state after it. */
export interface GeneratedBlock {
  readonly frames: RgbFrames;
  /** Owned by the caller. */
  readonly state: ChainState;
}

/**
 * Generates and decodes the block after `state`, which is not modified and stays owned by the caller.
 * Noise is {@linkcode normalNoise} of the request's seed, its elements in the order of the latents [3,z,h,w].
 *
 * @throws the signal's reason when it aborts, and an Error when a recalled latent is not kept; nothing has changed
 * then.
 */
export async function generateBlock(
  engine: ArworldEngine,
  state: ChainState,
  request: BlockRequest,
  options: GenerateOptions,
): Promise<GeneratedBlock> {
  options.signal?.throwIfAborted();
  const { decoder } = await engine.programs(state.geometry);
  const { latents, cache } = await sample(engine, state, request, options);
  let decoded: DecodedFrames;
  let memory: LatentMemory;
  try {
    [memory, decoded] = await Promise.all([
      rememberLatents(state.memory, request.memory ?? NOTHING, latents),
      decode(decoder, latents, state, options),
    ]);
  } catch (error) {
    releaseAll(cacheTensors([cache]));
    throw error;
  } finally {
    latents.release();
  }
  const { frames, count, history } = decoded;
  const { colorStrength: strength, transformer } = engine.files.config;
  const colours = strength > 0 ? matchColours({ data: frames, frames: count, strength }, state.colours) : undefined;
  const context = slideWindow(state.context, cache, contextBlocks(transformer));
  retainAll(cacheTensors(context.filter((block) => block !== cache)));
  // A clamped array rounds to the nearest byte.
  const { buffer } = new Uint8ClampedArray(frames);
  return {
    frames: { ...state.geometry, count, data: new Uint8Array(buffer) },
    state: { geometry: state.geometry, context, decoder: history, memory, ...(colours && { colours }) },
  };
}

async function sample(
  engine: ArworldEngine,
  state: ChainState,
  { prompt, seed, views, memory = NOTHING }: BlockRequest,
  { signal, onProgress }: GenerateOptions,
): Promise<SampledBlock> {
  const anchors = recallLatents(state.memory, memory.recall);
  const { sampler } = await engine.programs(state.geometry);
  const { width, height } = state.geometry;
  const length = LATENTS_PER_BLOCK * engine.files.config.transformer.zDim * (width / 16) * (height / 16);
  return await sampler.sample({
    context: state.context,
    text: await engine.prompts.encode(prompt, signal),
    cameras: cameraTensors(views),
    firstFrame: state.firstFrame,
    anchors,
    noise: (step) => normalNoise(seed, step, length),
  }, { signal, onPass: (step) => onProgress?.({ stage: "denoising", step, steps: BLOCK_STEPS }) });
}

async function decode(
  decoder: FrameDecoder,
  latents: SampledBlock["latents"],
  state: ChainState,
  { signal, onProgress }: GenerateOptions,
): Promise<DecodedFrames> {
  signal?.throwIfAborted();
  onProgress?.({ stage: "decoding", step: PASSES, steps: BLOCK_STEPS });
  retainAll(state.decoder?.values() ?? []); // the decoder lets go of what the caller's state still has
  return await decoder.decode(latents, state.decoder, signal);
}
