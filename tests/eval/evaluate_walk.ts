/**
 * Does a long walk stay in its place?
 *
 * @module
 */
import { frameAt, type RgbFrames } from "../../lib/media/images/rgb_image.ts";
import type { FramePair } from "./comparison_sheet.ts";
import type { EvalModel } from "./eval_model.ts";
import { type EvalScene, framesOfBlock, keptByWalls, renderTruth, SPEED } from "./eval_scenes.ts";
import { actionsPerFrame, walkPlace } from "../fixtures/places/walk_place.ts";
import { framePsnr, type FrameRange, meanOf, sharpness, toneOf } from "./frame_measures.ts";

const PATH = ["w", "w", "wl", "l", "w", "wj", "j", "j", "w", "s", "d", "a", "w", "w", "l", "w"];

/** How one block of a walk compares with the truth. */
export interface BlockScore {
  /** In dB. */
  readonly psnr: number;
  /** Sharpness as a share of the truth's. */
  readonly sharpness: number;
  /** Standard deviation of the values as a share of the truth's: below 1 where the picture washes out. */
  readonly deviation: number;
  /** Mean distance of the mean colour from the truth's, of 255. */
  readonly colour: number;
}

/** A long walk and what was measured, block by block. */
export interface WalkScores {
  readonly truth: RgbFrames;
  readonly generated: RgbFrames;
  readonly blocks: readonly BlockScore[];
  /** How far walls keep it from where its keys lead, in units of the world. */
  readonly kept: number;
}

/** The keys of a long mixed walk, one per block; it repeats every 16 blocks. */
export function longPath(blocks: number): string[] {
  return Array.from({ length: blocks }, (_, i) => PATH[i % PATH.length]);
}

/** Walks one scene along the long path. */
export async function evaluateWalk(
  model: EvalModel,
  scene: EvalScene,
  blocks: number,
  seed: bigint,
): Promise<WalkScores> {
  const path = longPath(blocks);
  const truth = renderTruth(scene, path, model.size);
  const generated = await model.walk(frameAt(truth, 0), scene.prompt, path, seed);
  return {
    truth,
    generated,
    blocks: scoreParts({ truth, generated }, path.map((_, i) => framesOfBlock(i))),
    kept: keptByWalls(scene, (slide) => walkPlace(actionsPerFrame(path), scene.start, SPEED, slide)),
  };
}

/** Compares the parts of a film with the truth. */
export function scoreParts({ truth, generated }: FramePair, parts: readonly FrameRange[]): BlockScore[] {
  const psnr = framePsnr(generated, truth);
  return parts.map((range) => {
    const own = toneOf(generated, range);
    const real = toneOf(truth, range);
    return {
      psnr: meanOf(psnr.slice(range.from, range.to)),
      sharpness: sharpness(generated, range) / sharpness(truth, range),
      deviation: own.deviation / real.deviation,
      colour: meanOf(own.colour.map((value, c) => Math.abs(value - real.colour[c]))),
    };
  });
}
