/**
 * Known latents that a block is drawn towards during denoising.
 *
 * @module
 */
import { add, f32, type Graph, mul, type Shape, sizeOf, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import { LATENTS_PER_BLOCK } from "./camera/trajectory.ts";

/** A known latent for one frame of a block. */
export interface LatentAnchor {
  /** 0 to 2. */
  readonly frame: number;
  /** [z,h,w] */
  readonly latent: Float32Array;
  /** 0 changes nothing, 1 replaces the frame by the latent. */
  readonly strength: number;
}

/**
 * x0 = (1 - strength) x0 + strength anchor, with both weights as inputs, so that the weights 1 and 0 give one side bit
 * for bit. Adds the inputs that {@linkcode anchorFeeds} feeds; `clean` is [3,z,h,w].
 */
export function drawTowards(clean: Value, graph: Graph): Value {
  const weight = (name: string) => graph.input(name, [LATENTS_PER_BLOCK, 1, 1, 1]);
  const anchor = graph.input("anchor", clean.shape);
  return add(mul(weight("anchorKeep"), clean), mul(weight("anchorStrength"), anchor));
}

/** Feeds of {@linkcode drawTowards}; frames without an anchor are unchanged. `shape` is [3,z,h,w]. */
export function anchorFeeds(anchors: readonly LatentAnchor[], shape: Shape): Record<string, Tensor> {
  const known = new Float32Array(sizeOf(shape));
  const strengths = new Float32Array(LATENTS_PER_BLOCK);
  for (const { frame, latent, strength } of anchors) {
    known.set(latent, frame * latent.length);
    strengths[frame] = strength;
  }
  const weights = [LATENTS_PER_BLOCK, 1, 1, 1];
  return {
    anchor: f32(shape, known),
    anchorKeep: f32(weights, strengths.map((strength) => 1 - strength)),
    anchorStrength: f32(weights, strengths),
  };
}
