/**
 * Scenes that no training has seen: colours and places are drawn from numbers of another generator than the trainer's.
 *
 * @module
 */
import { captionOf, type CorridorScene, type Light, sampleScene } from "../fixtures/places/corridor_scene.ts";
import { actionsPerFrame, walkCorridor, type WalkStart } from "../fixtures/places/walk_place.ts";
import { type CorridorPainter, renderCorridor, renderWalk } from "../fixtures/places/render_corridor.ts";
import { renderBare, renderFurnished, renderPaleSigns } from "../fixtures/places/render_furnished.ts";
import type { RgbFrames } from "../../lib/media/images/rgb_image.ts";
import type { Size } from "./films.ts";
import { chunkRelativeViews, LATENTS_PER_BLOCK, latentViews } from "../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../lib/world/protocol/move_plan.ts";
import { seededRandom } from "../support/random.ts";

/** What can be in the corridors. */
export const PICTURES = {
  plain: renderCorridor,
  "pale-signs": renderPaleSigns,
  bare: renderBare,
  furnished: renderFurnished,
} as const satisfies Record<string, CorridorPainter>;

/** The flag that chooses among {@linkcode PICTURES}. */
export const PICTURE_NAMES: readonly (keyof typeof PICTURES)[] = ["plain", "pale-signs", "bare", "furnished"];

/** Speed that the world was trained at. */
export const SPEED = 1.5;

/** A corridor and where a walk through it begins. */
export interface EvalScene {
  readonly scene: CorridorScene;
  readonly start: WalkStart;
  readonly prompt: string;
  readonly paint: CorridorPainter;
}

/** Draws scenes; the walks begin looking along the corridor, give or take 9 degrees. */
export function drawScenes(
  count: number,
  seed: number,
  light?: Light,
  paint: CorridorPainter = renderCorridor,
): EvalScene[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const scene = sampleScene(random, light);
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const start = { yaw: 0.15 * normal, x: (random() - 0.5) * 0.6, z: random() * 60 };
    return { scene, start, prompt: captionOf(scene), paint };
  });
}

/** What a walk really looks like, one action a block. */
export function renderTruth({ scene, start, paint }: EvalScene, blocks: readonly string[], size: Size): RgbFrames {
  return renderWalk(scene, walkCorridor(actionsPerFrame(blocks), start, SPEED), size.width, size.height, paint);
}

/** The views that the model is given for a walk, 48 numbers a block. */
export function blockViews(blocks: readonly string[]): Float32Array[] {
  // Lengths that add up to the length of the path are kept exactly.
  const weights = blocks.map((_, i) => i === 0 ? 9 : 12);
  const latentFrames = blocks.length * LATENTS_PER_BLOCK;
  const views = chunkRelativeViews(latentViews({ steps: blocks.map(stepOfKeys), weights, latentFrames, speed: SPEED }));
  return blocks.map((_, i) => views.slice(48 * i, 48 * i + 48));
}

/** Frames of block `i` in a walk; the given first frame is not among them. */
export function framesOfBlock(i: number): { readonly from: number; readonly to: number } {
  return { from: i === 0 ? 1 : 12 * i - 3, to: 12 * i + 9 };
}
