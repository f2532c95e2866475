/**
 * How good a world of camera moves is, on scenes it was never trained on:
 * `deno task eval:actionworld [--model-root DIR] [--place courtyard] [--scenes N] [--pictures pale-signs] [--out DIR]`.
 *
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import process from "node:process";
import { encodePng } from "../../lib/media/images/png.ts";
import { frameAt } from "../../lib/media/images/rgb_image.ts";
import type { FlagTable, FlagValues } from "../../lib/platform/terminal/flags.ts";
import { modelRoot } from "../../lib/world/plan/model_root.ts";
import { openDevice } from "../../lib/compute/device/open_device.ts";
import { ClipModel } from "./clip_model.ts";
import { embeddedFolder } from "../../lib/app/embedded/embedded_folder.ts";
import { framesOfMove, LONG_WALK, MOVE_FRAMES, renderMoves } from "./clip_walks.ts";
import { comparisonSheet, type FramePair } from "./comparison_sheet.ts";
import { runEval } from "./eval_command.ts";
import { chooseScenes, type EvalScene, sceneFlags } from "./eval_scenes.ts";
import { evaluateMoves, type MoveScores } from "./evaluate_moves.ts";
import { type BlockScore, scoreParts } from "./evaluate_walk.ts";
import { meanOf } from "./frame_measures.ts";

const SHEET_SCENES = 2;

const flags = {
  "model-root": { kind: "string", value: "DIR", help: "the snapshot; by default corridor-nano-actions" },
  ...sceneFlags,
  device: { kind: "choice", choices: ["cpu", "webgpu"], default: "cpu", help: "where the world runs" },
  out: { kind: "string", value: "DIR", default: "out/eval-actions", help: "folder for the contact sheets" },
} as const satisfies FlagTable;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printMoves(scores: MoveScores): void {
  const { adherence: { after1, after3 } } = scores;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  print(`VAE PSNR ${scores.autoencoder.toFixed(2)} dB`);
  print(`PSNR of moves 1, 2, 3: ${scores.moves.map((psnr) => psnr.toFixed(2)).join(", ")} dB`);
  print(`  move 1 of each kind: ${[...scores.firstOf].map(([name, psnr]) => `${name} ${psnr.toFixed(1)}`).join(", ")}`);
  print(`  standing still would give ${scores.standingStill.toFixed(2)} dB in move 1`);
  print(`action adherence ${percent(after1)} after 17 frames, ${percent(after3)} after 49`);
  print(`holding still: ${scores.restlessness.toFixed(2)} of 255 from the first picture`);
}

async function walkFar(model: ClipModel, scene: EvalScene, seed: bigint): Promise<FramePair> {
  const truth = renderMoves(scene, LONG_WALK, model.defaults);
  return { truth, generated: await model.walk(frameAt(truth, 0), scene.prompt, LONG_WALK, seed) };
}

function printDrift(walks: readonly (readonly BlockScore[])[]): void {
  print(`drift over ${LONG_WALK.length} chained moves, against the truth:`);
  print("  moves   PSNR     deviation  sharpness  mean colour");
  for (let from = 0; from < LONG_WALK.length; from += 4) {
    const average = (value: (score: BlockScore) => number) =>
      meanOf(walks.flatMap((scores) => scores.slice(from, from + 4).map(value)));
    const cells = [
      `${from + 1}-${from + 4}`.padEnd(6),
      `${average((s) => s.psnr).toFixed(1)} dB`.padEnd(7),
      `${average((s) => s.deviation).toFixed(2)} x`.padStart(9),
      `${average((s) => s.sharpness).toFixed(2)} x`.padStart(9),
      `${average((s) => s.colour).toFixed(1)} of 255`.padStart(12),
    ];
    print(`  ${cells.join("  ")}`);
  }
}

async function evaluate(options: FlagValues<typeof flags>): Promise<void> {
  const root = options["model-root"] ?? await embeddedFolder("corridor-nano-actions");
  const model = await ClipModel.open(modelRoot(root), () => openDevice(options.device));
  await mkdir(options.out, { recursive: true });
  const writeSheet = async (name: string, pairs: readonly FramePair[], step: number) => {
    const frames = Array.from({ length: Math.ceil(pairs[0].truth.count / step) }, (_, i) => i * step);
    await writeFile(`${options.out}/${name}.png`, await encodePng(comparisonSheet(pairs, frames)));
  };
  const { width, height, steps, fps } = model.defaults;
  const { scenes, label } = chooseScenes(options);
  print(
    `${root} on ${model.device.label}, ${width}x${height}, ${fps} fps, ${steps} steps, ` +
      label,
  );

  const sheets: FramePair[][] = [];
  printMoves(await evaluateMoves(model, scenes, (i, walks) => i < SHEET_SCENES && sheets.push([...walks])));
  for (const [i, pairs] of sheets.entries()) await writeSheet(`moves-${i}`, pairs, 6);

  const walks: FramePair[] = [];
  for (const [i, scene] of scenes.entries()) walks.push(await walkFar(model, scene, BigInt(5000 + 100 * i)));
  const parts = LONG_WALK.map((_, i) => framesOfMove(i));
  printDrift(walks.map((walk) => scoreParts(walk, parts)));
  await writeSheet("drift", walks.slice(0, 2 * SHEET_SCENES), MOVE_FRAMES);
  print(`contact sheets are in ${options.out}, truth above generated`);
  await model.close();
}

const about = `Judges a world of camera moves on scenes that it was never trained on, against the ray-caster's pictures:
its autoencoder, each move, and chained ones.`;

await runEval({ name: "deno task eval:actionworld", about, flags }, evaluate);
