/**
 * Does a world of camera moves follow its actions? Every scene is walked once with every move, several times over.
 *
 * @module
 */
import { frameAt, type RgbFrames } from "../../lib/media/images/rgb_image.ts";
import type { FramePair } from "./comparison_sheet.ts";
import type { ClipModel } from "./clip_model.ts";
import { framesOfMove, MOVE_FRAMES, MOVES, renderMoves } from "./clip_walks.ts";
import type { EvalScene } from "./eval_scenes.ts";
import { indexOfLargest } from "./evaluate_actions.ts";
import { cutFrames, repeatFirst } from "./films.ts";
import { framePsnr, meanOf } from "./frame_measures.ts";

/** How often a move is repeated. */
const REPEATS = 3;

/** What was measured. */
export interface MoveScores {
  /** PSNR of the first, second and third move against the truth, in dB. */
  readonly moves: readonly number[];
  /** PSNR of the first move of every kind, in dB. */
  readonly firstOf: ReadonlyMap<string, number>;
  /** PSNR of first moves that only went through the autoencoder, in dB. */
  readonly autoencoder: number;
  /** PSNR of standing still during the first move, in dB. */
  readonly standingStill: number;
  /** Share of walks that are nearest to the truth of their own move, after one and after three. */
  readonly adherence: { readonly after1: number; readonly after3: number };
  /** Mean difference between the first picture and those of a move that holds still, of 255. */
  readonly restlessness: number;
}

/**
 * Walks all scenes.
 *
 * A walk keeps to its move if, of the true pictures of all eight moves, those of its own have the highest mean PSNR.
 *
 * @param onScene Called with the walks of each scene.
 */
export async function evaluateMoves(
  model: ClipModel,
  scenes: readonly EvalScene[],
  onScene: (index: number, walks: readonly FramePair[]) => void,
): Promise<MoveScores> {
  const names = Object.keys(MOVES);
  const moves: number[][] = Array.from({ length: REPEATS }, () => []);
  const firsts = new Map<string, number[]>(names.map((name) => [name, []]));
  const [autoencoder, still, restless]: number[][] = [[], [], []];
  const [after1, after3]: number[][] = [[], []];
  for (const [index, scene] of scenes.entries()) {
    const walks: FramePair[] = [];
    for (const [m, name] of names.entries()) {
      const path = Array.from({ length: REPEATS }, () => MOVES[name]);
      const truth = renderMoves(scene, path, model.defaults);
      const generated = await model.walk(frameAt(truth, 0), scene.prompt, path, BigInt(1000 * index + 10 * m));
      walks.push({ truth, generated });
      const first = cutFrames(truth, 0, MOVE_FRAMES + 1);
      autoencoder.push(...framePsnr(await model.reconstruct(truth), first).slice(1));
      still.push(...framePsnr(repeatFirst(first), first).slice(1));
    }
    for (const [m, { truth, generated }] of walks.entries()) {
      const own = framePsnr(generated, truth);
      const means = moves.map((_, i) => meanOf(own.slice(framesOfMove(i).from, framesOfMove(i).to)));
      means.forEach((mean, i) => moves[i].push(mean));
      firsts.get(names[m])!.push(means[0]);
      const scores = walks.map((candidate) => framePsnr(generated, candidate.truth));
      after1.push(Number(m === indexOfLargest(scores.map((s) => meanOf(s.slice(1, MOVE_FRAMES + 1))))));
      after3.push(Number(m === indexOfLargest(scores.map((s) => meanOf(s.slice(1))))));
    }
    const hold = { direction: [0, 0, 0], translationMeters: [0, 0, 0], rotationDegrees: [0, 0, 0] } as const;
    const held = await model.walk(frameAt(walks[0].truth, 0), scene.prompt, [hold], BigInt(1000 * index + 100));
    restless.push(meanDifference(held, repeatFirst(held)) * held.count / MOVE_FRAMES);
    onScene(index, walks);
  }
  return {
    moves: moves.map(meanOf),
    firstOf: new Map(Array.from(firsts, ([name, values]) => [name, meanOf(values)])),
    autoencoder: meanOf(autoencoder),
    standingStill: meanOf(still),
    adherence: { after1: meanOf(after1), after3: meanOf(after3) },
    restlessness: meanOf(restless),
  };
}

function meanDifference(a: RgbFrames, b: RgbFrames): number {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += Math.abs(a.data[i] - b.data[i]);
  return sum / a.data.length;
}
