/**
 * Whether a place looks the same when one returns to it by other moves:
 * `deno task eval:revisit [--model-root DIR] [--place courtyard] [--scenes N] [--motion yaw] [--blocks 1,2,4,8]
 * [--json]`.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { embeddedFolder, type EmbeddedModel } from "../../lib/app/embedded/embedded_folder.ts";
import { modelPackages } from "../../lib/app/embedded/generated.ts";
import { openDevice } from "../../lib/compute/device/open_device.ts";
import { frameAt } from "../../lib/media/images/rgb_image.ts";
import { ActionworldModel } from "../../lib/models/actionworld/actionworld_model.ts";
import { loadActionworld } from "../../lib/models/actionworld/loader.ts";
import { ArworldModel } from "../../lib/models/arworld/arworld_model.ts";
import { loadArworld } from "../../lib/models/arworld/loader.ts";
import { type FlagTable, type FlagValues, UsageError } from "../../lib/platform/terminal/flags.ts";
import { modelRoot } from "../../lib/world/plan/model_root.ts";
import { DEFAULT_SCENE_MEMORY, DISABLED_SCENE_MEMORY } from "../../lib/world/protocol/scene_memory_policy.ts";
import { printMachine, printTable } from "../bench/table.ts";
import { chooseScenes, type EvalScene, keptByWalls, renderTruth, sceneFlags, SPEED } from "./eval_scenes.ts";
import {
  actionworldWalker,
  arworldWalker,
  blocksOf,
  type MotionName,
  MOTIONS,
  type Revisit,
  revisit,
  type RevisitScore,
  scoreRevisits,
  type Walker,
} from "./evaluate_revisits.ts";
import { runEval } from "./eval_command.ts";
import { MOVES, walkMoves } from "./clip_walks.ts";
import { worldRoots } from "./eval_model.ts";
import type { Size } from "./films.ts";
import { cameraOfKeys } from "../../lib/world/protocol/camera_keys.ts";
import { actionsPerFrame, type Camera, type Slide, walkPlace } from "../fixtures/places/walk_place.ts";

const flags = {
  "model-root": { kind: "string", value: "DIR", help: "an arworld or actionworld; by default every embedded one" },
  ...sceneFlags,
  scenes: { ...sceneFlags.scenes, default: 4 },
  walks: { kind: "integer", value: "N", min: 1, max: 100, default: 1, help: "walks of each scene, with other seeds" },
  motion: {
    kind: "strings",
    value: "NAME",
    help: `${Object.keys(MOTIONS).join(", ")}; may be repeated; all by default`,
  },
  blocks: { kind: "string", value: "N,N", default: "1,2,4,8", help: "blocks for which each key is held" },
  device: { kind: "choice", choices: ["cpu", "webgpu"], default: "cpu", help: "where the world runs" },
  json: { kind: "boolean", help: "print every walk as JSON" },
} as const satisfies FlagTable;

/** A loaded world, with a walker for each setting of scene memory that it has. */
interface RevisitedWorld {
  readonly name: string;
  readonly device: string;
  readonly size: Size;
  readonly walkers: Readonly<Record<string, Walker>>;
  /** Where a walk really leads, with the keys of each block. */
  readonly cameras: (blocks: readonly string[], scene: EvalScene, slide: Slide) => Camera[];
  readonly close: () => Promise<void>;
}

/** The models of this project that are worlds: they come with a picture to start from. */
function embeddedWorlds(): EmbeddedModel[] {
  const ids = Object.keys(modelPackages) as EmbeddedModel[];
  return ids.filter((id) => modelPackages[id].files.some(({ path }) => /(^|\/)source\.png$/.test(path)));
}

async function openWorld(root: string, place: string, device: "cpu" | "webgpu"): Promise<RevisitedWorld> {
  const name = basename(root);
  const open = () => openDevice(device);
  if (existsSync(`${root}/causal`)) {
    const { base, causal } = await worldRoots(root, place);
    const { config: { defaultWidth: width = 96, defaultHeight: height = 64 } } = await loadArworld(base, causal);
    const model = new ArworldModel({ id: name, base, causal, openDevice: open });
    const info = await model.prepare();
    const walkers = {
      "with scene memory": arworldWalker(model, { width, height }, DEFAULT_SCENE_MEMORY),
      "without scene memory": arworldWalker(model, { width, height }, DISABLED_SCENE_MEMORY),
    };
    return {
      ...{ name, device: info.device, size: { width, height }, walkers, close: () => model.unload() },
      cameras: (blocks, { start }, slide) => walkPlace(actionsPerFrame(blocks), start, SPEED, slide),
    };
  }
  const snapshot = modelRoot(root);
  const { config } = await loadActionworld(snapshot);
  const { defaultWidth: width, defaultHeight: height, defaultFps: fps, defaultSteps: steps } = config;
  if (!width || !height || !fps || !steps) throw new Error(`Cannot judge ${name}: its configuration has no defaults`);
  const model = new ActionworldModel({ id: name, snapshot, openDevice: open });
  const info = await model.prepare();
  const walkers = { "without scene memory": actionworldWalker(model, { width, height }, { fps, steps }) };
  return {
    ...{ name, device: info.device, size: { width, height }, walkers, close: () => model.unload() },
    cameras: (blocks, { start }, slide) =>
      walkMoves(blocks.map((keys) => MOVES[cameraOfKeys(keys).motion]), start, slide),
  };
}

/** Walks through all scenes, the same walks with each walker. */
async function revisitAll(
  { name, size, walkers }: RevisitedWorld,
  scenes: readonly EvalScene[],
  { motions, blocks, walks }: {
    readonly motions: readonly MotionName[];
    readonly blocks: readonly number[];
    readonly walks: number;
  },
): Promise<Record<string, Revisit[]>> {
  const found: Record<string, Revisit[]> = {};
  for (const [label, walker] of Object.entries(walkers)) {
    const revisits: Revisit[] = found[label] = [];
    for (const [i, scene] of scenes.entries()) {
      const image = frameAt(renderTruth(scene, ["w"], size), 0);
      for (const motion of motions) {
        for (let walk = 0; walk < walks; walk++) {
          const from = { image, prompt: scene.prompt, seed: BigInt(5000 + 100 * i + 1_000_000 * walk) };
          const made: Revisit[] = [];
          for (const count of blocks) made.push(await revisit(walker, from, motion, count));
          revisits.push(...made);
          const figures = made.map(({ psnr }) => psnr.toFixed(1)).join(", ");
          process.stderr.write(`${name} ${label}, scene ${i + 1} of ${scenes.length}, ${motion}: ${figures} dB\n`);
        }
      }
    }
  }
  return found;
}

/** Names the walks that walls would stop: the model is only told the keys, so that their poses still fit. */
function printStopped(
  { cameras }: RevisitedWorld,
  scenes: readonly EvalScene[],
  motions: readonly MotionName[],
  blocks: readonly number[],
): void {
  const stopped = motions.flatMap((motion) =>
    blocks.flatMap((count) => {
      const walk = blocksOf(motion, count);
      const met = scenes.filter((scene) => keptByWalls(scene, (slide) => cameras(walk, scene, slide)) > 0.01);
      return met.length > 0 ? [`${motion}, ${count} in ${met.length} of ${scenes.length}`] : [];
    })
  );
  process.stdout.write(`walks that a wall would stop: ${stopped.join("; ") || "none"}\n\n`);
}

function printScores(found: Readonly<Record<string, readonly Revisit[]>>): void {
  const labels = Object.keys(found);
  const scores: readonly RevisitScore[][] = labels.map((label) => scoreRevisits(found[label]));
  printTable(
    ["dB; motion, blocks each way", "far end", ...labels.flatMap((label) => [`${label}: mean`, "worst"])],
    scores[0].map(({ motion, blocks, away }, row) => [
      `${motion}, ${blocks}`,
      away.toFixed(1),
      ...scores.flatMap((of) => [of[row].mean.toFixed(1), of[row].worst.toFixed(1)]),
    ]),
  );
  const all = Object.values(found).flat();
  const [distance, angle] = [all.map((walk) => walk.distance), all.map((walk) => walk.angle)];
  process.stdout.write(
    `largest error of the pose after the return: ${Math.max(...distance).toExponential(1)} units, ` +
      `${Math.max(...angle).toExponential(1)} degrees\n`,
  );
}

async function evaluate(options: FlagValues<typeof flags>): Promise<void> {
  const motions = (options.motion.length > 0 ? options.motion : Object.keys(MOTIONS)).map((name) => {
    if (Object.hasOwn(MOTIONS, name)) return name as MotionName;
    throw new UsageError(`Cannot walk the motion "${name}": expected one of ${Object.keys(MOTIONS).join(", ")}`);
  });
  const blocks = options.blocks.split(",").map(Number);
  if (!blocks.every((count) => Number.isInteger(count) && count > 0 && count <= 84)) {
    throw new UsageError(`Cannot walk ${options.blocks} blocks: expected whole numbers from 1 to 84, such as 1,2,4,8`);
  }
  const { scenes, label } = chooseScenes(options, "startFar");
  const roots = options["model-root"] !== undefined
    ? [options["model-root"]]
    : await Promise.all(embeddedWorlds().map(embeddedFolder));
  if (!options.json) printMachine();
  for (const root of roots) {
    const world = await openWorld(root, options.place, options.device);
    const { name, device, size: { width, height } } = world;
    const revisits = await revisitAll(world, scenes, { motions, blocks, walks: options.walks });
    if (options.json) process.stdout.write(`${JSON.stringify({ name, device, width, height, revisits })}\n`);
    else {
      process.stdout.write(
        `${name} on ${device}, ${width}x${height}, ${options.walks} x ${label}\n\n`,
      );
      printScores(revisits);
      printStopped(world, scenes, motions, blocks);
    }
    await world.close();
  }
}

const about =
  `Walks away from a place and back by the opposite keys, all of it generated, and compares the two views of the place
(PSNR), with scene memory and without.`;

await runEval({ name: "deno task eval:revisit", about, flags }, evaluate);
