/**
 * Moves the cost of first runs out of the first move.
 *
 * @module
 */
import type { Geometry } from "../world/world_model.ts";
import type { ArworldEngine } from "./arworld_engine.ts";
import { type ChainState, releaseState } from "./sampling/chain_state.ts";
import { generateBlock } from "./sampling/generate_block.ts";
import { LATENTS_PER_BLOCK } from "./camera/trajectory.ts";

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
  const { width, height } = geometry;
  const firstFrame = await encoder.encode({ width, height, data: new Uint8Array(width * height * 3) });
  let state: ChainState = { geometry, firstFrame, context: [], memory: new Map() };
  for (let block = 0; block < blocks; block++) {
    const request = { prompt: engine.files.config.defaultPrompt ?? "", seed: 0n, views };
    const next = await generateBlock(engine, state, request, {}).finally(() => releaseState(state));
    state = next.state;
  }
  releaseState(state);
}
