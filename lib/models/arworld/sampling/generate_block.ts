/**
 * Generates one block: three latents and their frames; and the first throwaway ones, which move the cost of first runs
 * out of the first move.
 *
 * @module
 */
import type { RgbFrames } from "../../../media/images/rgb_image.ts";
import { normalNoise } from "../../noise/philox.ts";
import type { FrameDecoder } from "../../video_vae/frame_decoder.ts";
import { latentSizeOf, wholeTokens } from "../../video_vae/vae_config.ts";
import { cacheTensors, releaseAll, retainAll } from "../../world/device_state.ts";
import { offerTurn, type Turn } from "../../world/turns.ts";
import type { BlockMemory, BlockRequest, GenerateOptions, Geometry } from "../../world/world_model.ts";
import type { ArworldEngine } from "../arworld_engine.ts";
import { contextBlocks } from "../config.ts";
import { matchColours } from "../lab_transfer.ts";
import { type LatentMemory, recallLatents, rememberLatents } from "../latent_memory.ts";
import { LATENTS_PER_BLOCK } from "../trajectory.ts";
import { cameraTensors } from "../transformer/window_inputs.ts";
import { BlockFrames } from "./block_frames.ts";
import { PASSES, type SampledBlock } from "./block_sampler.ts";
import { type ChainState, releaseState } from "./chain_state.ts";

/** Denoising steps, the pass that fills the caches, and the decoding. */
export const BLOCK_STEPS: number = PASSES + 1;

/** Frames of a latent. */
const LATENT_FRAMES = 4;

/** The memory of a request without one. */
const NOTHING: BlockMemory = { recall: [], store: [], forget: [] };

/** Options of {@linkcode generateBlock}. */
interface BlockOptions extends GenerateOptions {
  /** Given to others between two passes and two latents, and within them, where they wait for it. */
  readonly turn?: Turn | undefined;
}

/** The frames of a block, and the chain state after it. */
interface GeneratedBlock {
  readonly frames: RgbFrames;
  /** Owned by the caller. */
  readonly state: ChainState;
}

/**
 * Generates and decodes the block after `state`, which is not modified and stays owned by the caller, who keeps it until
 * this ends.
 * Noise is {@linkcode normalNoise} of the request's seed, its elements in the order of the latents [3,z,h,w].
 *
 * @throws the signal's reason when it aborts, and an Error when a recalled latent is not kept; nothing has changed
 * then.
 */
export async function generateBlock(
  engine: ArworldEngine,
  state: ChainState,
  request: BlockRequest,
  options: BlockOptions,
): Promise<GeneratedBlock> {
  options.signal?.throwIfAborted();
  const { decoder } = await engine.programs(state.geometry);
  const { colorStrength: strength, transformer, vae } = engine.files.config;
  const give = options.early && options.onFrames;
  const isEarly = give !== undefined && strength === 0; // else colours are matched over the whole block
  const missing = state.decoder ? 0 : LATENT_FRAMES - 1; // the first latent of a chain is one frame
  const count = LATENTS_PER_BLOCK * LATENT_FRAMES - missing;
  const shown = new BlockFrames({
    decoded: wholeTokens(vae, state.geometry),
    shown: state.geometry,
    count,
    first: options.early !== "split" ? count : missing > 0 ? 2 * LATENT_FRAMES - missing : LATENT_FRAMES,
    give,
  });
  const made: { sampled?: SampledBlock; shown?: Shown; memory?: LatentMemory } = {};
  const show = async (latents: SampledBlock["latents"]): Promise<void> => {
    [made.memory, made.shown] = await Promise.all([
      rememberLatents(state.memory, request.memory ?? NOTHING, latents),
      decode(decoder, latents, state, options, { strength, shown }),
    ]);
  };
  try {
    made.sampled = await sample(engine, state, request, options, isEarly ? show : undefined);
    if (!isEarly) await show(made.sampled.latents);
  } catch (error) {
    if (made.sampled) releaseAll(cacheTensors([made.sampled.cache]));
    releaseAll(made.shown?.decoder.values() ?? []);
    throw error;
  } finally {
    made.sampled?.latents.release();
  }
  const { cache } = made.sampled;
  const context = slideWindow(state.context, cache, contextBlocks(transformer));
  retainAll(cacheTensors(context.filter((block) => block !== cache)));
  return {
    frames: shown.images,
    state: { geometry: state.geometry, context, memory: made.memory!, ...made.shown! },
  };
}

async function sample(
  engine: ArworldEngine,
  state: ChainState,
  { prompt, seed, views, memory = NOTHING }: BlockRequest,
  { signal, onProgress, turn }: BlockOptions,
  onLatents: ((latents: SampledBlock["latents"]) => Promise<void>) | undefined,
): Promise<SampledBlock> {
  const anchors = recallLatents(state.memory, memory.recall);
  const { sampler } = await engine.programs(state.geometry);
  const { vae } = engine.files.config;
  const latent = latentSizeOf(vae, wholeTokens(vae, state.geometry));
  const length = LATENTS_PER_BLOCK * vae.zDim * latent.width * latent.height;
  const text = await engine.prompts.encode(prompt, signal);
  const onPass = (step: number): void => {
    // What is decoded before the caches are filled has gone further than that.
    if (!onLatents || step < PASSES - 1) onProgress?.({ stage: "denoising", step, steps: BLOCK_STEPS });
  };
  retainAll(cacheTensors([text])); // others may encode so many that this one is forgotten
  return await sampler.sample({
    context: state.context,
    text,
    cameras: cameraTensors(views),
    firstFrame: state.firstFrame,
    anchors,
    noise: (step) => normalNoise(seed, step, length),
  }, { signal, turn, onLatents, onPass }).finally(() => releaseAll(cacheTensors([text])));
}

/** What a chain keeps of a block that has been decoded. */
type Shown = Required<Pick<ChainState, "decoder">> & Pick<ChainState, "colours">;

async function decode(
  decoder: FrameDecoder,
  latents: SampledBlock["latents"],
  state: ChainState,
  { signal, onProgress, turn }: BlockOptions,
  { strength, shown }: { readonly strength: number; readonly shown: BlockFrames },
): Promise<Shown> {
  signal?.throwIfAborted();
  onProgress?.({ stage: "decoding", step: PASSES, steps: BLOCK_STEPS });
  retainAll(state.decoder?.values() ?? []); // the decoder lets go of what the caller's state still has
  const run = { signal, ...(turn && { between: async () => void await offerTurn(turn) }) };
  if (strength === 0) {
    const onFrames = (frames: Float32Array): void => shown.add(frames);
    return { decoder: await decoder.stream(latents, state.decoder, { ...run, onFrames }) };
  }
  const { frames, count, history } = await decoder.decode(latents, state.decoder, run);
  const colours = matchColours({ data: frames, frames: count, strength }, state.colours);
  shown.add(frames);
  return { decoder: history, colours };
}

/**
 * The context of the next block once `block` is committed: the first block of the chain stays forever, followed by the
 * newest ones that fit.
 *
 * @param capacity Blocks of the context, including the first one.
 */
export function slideWindow<B>(context: readonly B[], block: B, capacity: number): readonly B[] {
  if (context.length < capacity) return [...context, block];
  const later = [...context.slice(1), block];
  return [context[0], ...later.slice(later.length - (capacity - 1))];
}

/** Number of blocks until the decoder's programs for the start and for the middle of a stream have both run. */
const BLOCKS = 2;

/**
 * Compiles the programs of a size and generates throwaway blocks, so that memory and pipelines are allocated and a device
 * that fails is found out. Another size than the model's own may be large: there it generates one block, and none on the
 * CPU, where it could take longer than the move that waits for it and no other device would take over.
 */
export async function warmUp(engine: ArworldEngine, own: Geometry, geometry: Geometry = own): Promise<void> {
  const isOwn = geometry.width === own.width && geometry.height === own.height;
  const blocks = isOwn ? BLOCKS : engine.device.kind === "cpu" ? 0 : 1;
  const views = new Float32Array(LATENTS_PER_BLOCK * 16);
  for (let i = 0; i < views.length; i++) views[i] = i % 16 % 5 === 0 ? 1 : 0;
  const { encoder } = await engine.programs(geometry);
  const { width, height } = wholeTokens(engine.files.config.vae, geometry);
  const firstFrame = await encoder.encode({ width, height, data: new Uint8Array(width * height * 3) });
  let state: ChainState = { geometry, firstFrame, context: [], memory: new Map() };
  for (let block = 0; block < blocks; block++) {
    const request = { prompt: engine.files.config.defaultPrompt ?? "", seed: 0n, views };
    const next = await generateBlock(engine, state, request, {}).finally(() => releaseState(state));
    state = next.state;
  }
  releaseState(state);
}
