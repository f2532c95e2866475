/**
 * How good a world is, on scenes it was never trained on:
 * `deno task eval:world [--model-root DIR] [--place courtyard] [--scenes N] [--out DIR]`. Weights that make frames of
 * another size are judged beside it when `--width` and `--height` name the size that both are stretched to.
 *
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import process from "node:process";
import { encodePng } from "../../lib/media/images/png.ts";
import { type FlagTable, type FlagValues, UsageError } from "../../lib/platform/terminal/flags.ts";
import { openDevice } from "../../lib/compute/device/open_device.ts";
import { comparisonSheet, type FramePair } from "./comparison_sheet.ts";
import { runEval } from "./eval_command.ts";
import { EvalModel, worldRoots } from "./eval_model.ts";
import { chooseScenes, type EvalScene, sceneFlags } from "./eval_scenes.ts";
import { ACTIONS, type ActionScores, evaluateActions } from "./evaluate_actions.ts";
import { type BlockScore, evaluateWalk, type WalkScores } from "./evaluate_walk.ts";
import { meanOf, standardErrorOf } from "./frame_measures.ts";

const BLOCKS = 11;
const DRIFT_BLOCKS = 84; // 252 latents
const DRIFT_SCENES = 2;
const SHEET_SCENES = 4;

const flags = {
  "model-root": {
    kind: "string",
    value: "DIR",
    help: "folder with base/ and causal/",
    default: "models/corridor-nano",
  },
  ...sceneFlags,
  width: {
    kind: "integer",
    value: "N",
    min: 32,
    max: 1280,
    help: "of the frames that are judged (default: the world's)",
  },
  height: { kind: "integer", value: "N", min: 32, max: 704, help: "of the frames that are judged" },
  "drift-blocks": {
    kind: "integer",
    value: "N",
    min: 0,
    max: 1000,
    default: DRIFT_BLOCKS,
    help: "of the longest walks",
  },
  device: { kind: "choice", choices: ["cpu", "webgpu"], default: "cpu", help: "where the world runs" },
  out: { kind: "string", value: "DIR", default: "out/eval", help: "folder for the contact sheets" },
} as const satisfies FlagTable;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printActions(scores: ActionScores): void {
  const { autoencoder, autoencoderSharpness, adherence, adherenceOf, blocks, blockSharpness, standingStill } = scores;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  print(`VAE PSNR ${autoencoder.toFixed(2)} dB, mean gradient ${autoencoderSharpness.toFixed(2)} x`);
  print(`action adherence ${percent(adherence.after33)} after 33 frames, ${percent(adherence.after9)} after 9`);
  print(`  of each action: ${[...adherenceOf].map(([action, share]) => `${action} ${percent(share)}`).join(", ")}`);
  blocks.forEach((psnr, i) =>
    print(`block ${i} PSNR ${psnr.toFixed(2)} dB, mean gradient ${blockSharpness[i].toFixed(2)} x`)
  );
  print(`  standing still would give ${standingStill.toFixed(2)} dB`);
}

function printDrift(walks: readonly WalkScores[], blocks: number): void {
  print(`drift over ${3 * blocks} latents, against the truth:`);
  print("  blocks   deviation  sharpness  mean colour");
  const average = (from: number, value: (score: BlockScore) => number) =>
    meanOf(walks.flatMap((walk) => walk.blocks.slice(from, from + 12).map(value)));
  for (let from = 0; from < blocks; from += 12) {
    const cells = [
      `${from}-${from + 11}`.padEnd(7),
      `${average(from, (s) => s.deviation).toFixed(2)} x`.padStart(10),
      `${average(from, (s) => s.sharpness).toFixed(2)} x`.padStart(9),
      `${average(from, (s) => s.colour).toFixed(1)} of 255`.padStart(12),
    ];
    print(`  ${cells.join("  ")}`);
  }
}

async function walkAll(model: EvalModel, scenes: readonly EvalScene[], blocks: number): Promise<WalkScores[]> {
  const walks: WalkScores[] = [];
  for (const [i, scene] of scenes.entries()) {
    walks.push(await evaluateWalk(model, scene, blocks, BigInt(5000 + 100 * i)));
  }
  return walks;
}

async function evaluate(options: FlagValues<typeof flags>): Promise<void> {
  const { base, causal } = await worldRoots(options["model-root"], options.place);
  const { width: wide, height: high } = options;
  if ((wide === undefined) !== (high === undefined)) {
    throw new UsageError("Cannot judge: give both --width and --height");
  }
  const judged = wide && high ? { width: wide, height: high } : undefined;
  const model = await EvalModel.open(base, causal, () => openDevice(options.device), judged);
  await mkdir(options.out, { recursive: true });
  const writeSheet = async (name: string, pairs: readonly FramePair[], step: number) => {
    const frames = Array.from({ length: Math.ceil(pairs[0].truth.count / step) }, (_, i) => i * step);
    await writeFile(`${options.out}/${name}.png`, await encodePng(comparisonSheet(pairs, frames)));
  };
  const { width, height } = model.size;
  const { scenes, label } = chooseScenes(options);
  print(
    `${options["model-root"]} on ${model.device.label}, ${model.ownSize.width}x${model.ownSize.height} judged at ` +
      `${width}x${height}, ${label}`,
  );

  const sheets: FramePair[][] = [];
  printActions(await evaluateActions(model, scenes, (i, walks) => i < 2 && sheets.push([...walks])));
  for (const [i, pairs] of sheets.entries()) await writeSheet(`actions-${i}`, pairs, 4);

  const walks = await walkAll(model, scenes, BLOCKS);
  const last = BLOCKS - 1;
  const lastBlocks = walks.map((walk) => walk.blocks[last]);
  const psnr = lastBlocks.map((s) => s.psnr);
  print(
    `block ${last} PSNR ${meanOf(psnr).toFixed(2)} dB, mean gradient ` +
      `${meanOf(lastBlocks.map((s) => s.sharpness)).toFixed(2)} x on a mixed walk of each scene`,
  );
  // One walk a scene: scenes differ by far more than two worlds do.
  if (walks.length > 1) print(`  standard error of this PSNR ${standardErrorOf(psnr).toFixed(2)} dB`);
  print(`  walls keep it at most ${meanOf(walks.map(({ kept }) => kept)).toFixed(1)} units from where its keys lead`);
  await writeSheet("walk", walks.slice(0, SHEET_SCENES), 12);

  const driftBlocks = options["drift-blocks"];
  if (driftBlocks > 0) {
    const drift = await walkAll(model, scenes.slice(0, DRIFT_SCENES), driftBlocks);
    printDrift(drift, driftBlocks);
    await writeSheet("drift", drift, 84);
  }
  print(
    `contact sheets of ${ACTIONS.length} actions, the walk and the drift are in ${options.out}, truth above generated`,
  );
  await model.close();
}

const about =
  `Judges a world on scenes that it was never trained on, from the first picture, the camera's path and a caption,
against the ray-caster's pictures: its autoencoder, each action, a mixed walk and long ones.`;

await runEval({ name: "deno task eval:world", about, flags }, evaluate);
