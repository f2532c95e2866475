/**
 * Does the world do what the keys say? Every scene is walked once with every action.
 *
 * @module
 */
import { frameAt, type RgbFrames } from "../../lib/media/images/rgb_image.ts";
import type { EvalModel } from "./eval_model.ts";
import { type EvalScene, framesOfBlock, renderTruth } from "./eval_scenes.ts";
import { repeatFirst } from "./films.ts";
import { framePsnr, meanOf, sharpness } from "./frame_measures.ts";

/** The eight keys, each the opposite of its neighbour. */
export const ACTIONS: readonly string[] = ["w", "s", "a", "d", "j", "l", "i", "k"];

/** Blocks of every walk. */
const BLOCKS = 3;

/** Looking up and down ends after two blocks, 31 degrees: nobody walks with the eyes on the ceiling. */
function keysOf(action: string): string[] {
  return action === "i" || action === "k" ? [action, action, " "] : [action, action, action];
}

/** One walk of one scene. */
export interface ActionWalk {
  readonly action: string;
  readonly truth: RgbFrames;
  readonly generated: RgbFrames;
}

/** What was measured. */
export interface ActionScores {
  /** PSNR of each block against the truth, in dB. */
  readonly blocks: readonly number[];
  /** Mean gradient of each block as a share of the truth's. */
  readonly blockSharpness: readonly number[];
  /** PSNR of clips that only went through the autoencoder, in dB. */
  readonly autoencoder: number;
  /** Mean gradient of these as a share of the truth's. */
  readonly autoencoderSharpness: number;
  /** PSNR of standing still: the first frame against all later ones, in dB. */
  readonly standingStill: number;
  /** Share of walks that are nearest to the truth of their own action, after 9 and after 33 frames. */
  readonly adherence: { readonly after9: number; readonly after33: number };
  /** The same after 33 frames for every action. */
  readonly adherenceOf: ReadonlyMap<string, number>;
}

/**
 * Walks all scenes.
 *
 * A walk keeps to its action if, of the true pictures of all eight actions, those of its own have the highest mean PSNR.
 *
 * @param onScene Called with the walks of each scene.
 */
export async function evaluateActions(
  model: EvalModel,
  scenes: readonly EvalScene[],
  onScene: (index: number, walks: readonly ActionWalk[]) => void,
): Promise<ActionScores> {
  const blocks: number[][] = Array.from({ length: BLOCKS }, () => []);
  const blockSharpness: number[][] = Array.from({ length: BLOCKS }, () => []);
  const autoencoder: number[] = [];
  const autoencoderSharpness: number[] = [];
  const still: number[] = [];
  const after9: boolean[] = [];
  const after33: boolean[] = [];
  for (const [index, scene] of scenes.entries()) {
    const walks: ActionWalk[] = [];
    for (const [a, action] of ACTIONS.entries()) {
      const keys = keysOf(action);
      const truth = renderTruth(scene, keys, model.size);
      const seed = BigInt(1000 * index + 10 * a);
      const generated = await model.walk(frameAt(truth, 0), scene.prompt, keys, seed);
      walks.push({ action, truth, generated });
      const again = await model.reconstruct(truth);
      autoencoder.push(...framePsnr(again, truth));
      const whole = { from: 0, to: truth.count };
      autoencoderSharpness.push(sharpness(again, whole) / sharpness(truth, whole));
      still.push(...framePsnr(repeatFirst(truth), truth).slice(1));
    }
    for (const [a, { truth, generated }] of walks.entries()) {
      const own = framePsnr(generated, truth);
      blocks.forEach((values, b) => values.push(meanOf(own.slice(framesOfBlock(b).from, framesOfBlock(b).to))));
      blockSharpness.forEach((values, b) =>
        values.push(sharpness(generated, framesOfBlock(b)) / sharpness(truth, framesOfBlock(b)))
      );
      const scores = walks.map((candidate) => framePsnr(generated, candidate.truth));
      after9.push(a === indexOfLargest(scores.map((s) => meanOf(s.slice(1, 9)))));
      after33.push(a === indexOfLargest(scores.map((s) => meanOf(s.slice(1)))));
    }
    onScene(index, walks);
  }
  const share = (hits: readonly boolean[]) => meanOf(hits.map(Number));
  return {
    blocks: blocks.map(meanOf),
    blockSharpness: blockSharpness.map(meanOf),
    autoencoder: meanOf(autoencoder),
    autoencoderSharpness: meanOf(autoencoderSharpness),
    standingStill: meanOf(still),
    adherence: { after9: share(after9), after33: share(after33) },
    adherenceOf: new Map(
      ACTIONS.map((action, a) => [action, share(after33.filter((_, i) => i % ACTIONS.length === a))]),
    ),
  };
}

/** The place of the largest value. */
export function indexOfLargest(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}
