/**
 * Scenes that no training has seen: colours and starts are drawn from numbers of another generator than the trainer's.
 *
 * @module
 */
import type { RgbFrames } from "../../lib/media/images/rgb_image.ts";
import { chunkRelativeViews, LATENTS_PER_BLOCK, latentViews } from "../../lib/models/arworld/trajectory.ts";
import type { FlagTable } from "../../lib/platform/terminal/flags.ts";
import { stepOfKeys } from "../../lib/world/protocol/move_plan.ts";
import type { Light } from "../fixtures/places/paints.ts";
import { corridors, type Place, type PlaceName, PLACES, renderWalk, type Scene } from "../fixtures/places/place.ts";
import { type CorridorPainter, renderCorridor } from "../fixtures/places/render_corridor.ts";
import { renderBare, renderFurnished, renderPaleSigns } from "../fixtures/places/render_furnished.ts";
import { actionsPerFrame, type Camera, type Slide, walkPlace, type WalkStart } from "../fixtures/places/walk_place.ts";
import { seededRandom } from "../support/random.ts";
import type { Size } from "./films.ts";

/** What can be in the corridors. */
const PICTURES = {
  plain: renderCorridor,
  "pale-signs": renderPaleSigns,
  bare: renderBare,
  furnished: renderFurnished,
} as const satisfies Record<string, CorridorPainter>;

/** The flags that choose scenes. */
export const sceneFlags = {
  scenes: { kind: "integer", value: "N", min: 1, max: 1000, default: 12, help: "scenes to walk through" },
  seed: { kind: "integer", value: "N", min: 0, max: 2 ** 31, default: 777, help: "which scenes" },
  place: { kind: "choice", choices: ["corridor", "courtyard"], default: "corridor", help: "what they are scenes of" },
  light: {
    kind: "choice",
    choices: ["mixed", "bright", "dark"],
    default: "mixed",
    help: "light of the scenes; in a courtyard bright is day and dark is dusk",
  },
  pictures: {
    kind: "choice",
    choices: ["plain", "pale-signs", "bare", "furnished"],
    default: "furnished",
    help: "what is in the corridors",
  },
} as const satisfies FlagTable;

/** What the flags say. */
export interface SceneOptions {
  readonly scenes: number;
  readonly seed: number;
  readonly place: PlaceName;
  readonly light: Light | "mixed";
  readonly pictures: keyof typeof PICTURES;
}

/** Speed that the world was trained at. */
export const SPEED = 1.5;

/** A scene and where a walk through it begins. */
export interface EvalScene {
  readonly start: WalkStart;
  readonly prompt: string;
  readonly paint: Scene["paint"];
  readonly slide: Slide;
}

/**
 * The scenes that the flags choose, and what to call them.
 *
 * @param begin Where walks begin.
 */
export function chooseScenes(
  options: SceneOptions,
  begin: "start" | "startFar" = "start",
): { readonly scenes: EvalScene[]; readonly label: string } {
  const { place, light, pictures } = options;
  const isCorridor = place === "corridor";
  const from = isCorridor ? corridors(PICTURES[pictures]) : PLACES[place];
  return {
    scenes: drawScenes(
      options.scenes,
      options.seed,
      { ...from, start: from[begin] },
      light === "mixed" ? undefined : light,
    ),
    label: `${options.scenes} ${light} scenes of the ${place}${isCorridor ? `, ${pictures}` : ""}`,
  };
}

/** Draws scenes of a place and where walks through them begin. */
export function drawScenes(count: number, seed: number, place: Place, light?: Light): EvalScene[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const { caption, paint } = place.sample(random, light);
    return { start: place.start(random), prompt: caption, paint, slide: place.slide };
  });
}

/** What a walk really looks like, one action a block. */
export function renderTruth({ paint, start, slide }: EvalScene, blocks: readonly string[], size: Size): RgbFrames {
  return renderWalk(paint, walkPlace(actionsPerFrame(blocks), start, SPEED, slide), size.width, size.height);
}

/** How far walls keep a walk from where its keys lead, in units of the world; `walk` follows the keys. */
export function keptByWalls({ slide }: EvalScene, walk: (slide: Slide) => readonly Camera[]): number {
  const free = walk(([x, z], [right, forward]) => [x + right, z + forward]);
  return Math.max(
    ...walk(slide).map(({ position: [x, , z] }, i) => Math.hypot(x - free[i].position[0], z - free[i].position[2])),
  );
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
