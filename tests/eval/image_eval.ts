/**
 * How often the embedded image model shows what it is asked for: `deno run -A tests/eval/image_eval.ts [--model-root DIR]
 * [--prompts N] [--out DIR]`. Asks for pairs of colours, dark and bright, among them the pairs that its training left out,
 * and says which corridor each picture shows.
 *
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { openDevice } from "../../lib/compute/device/open_device.ts";
import { modelRoot } from "../../lib/world/plan/model_root.ts";
import { contactSheet } from "../../lib/media/images/contact_sheet.ts";
import { encodePng } from "../../lib/media/images/png.ts";
import type { RgbImage } from "../../lib/media/images/rgb_image.ts";
import { ImagePipeline } from "../../lib/models/image_pipeline/image_pipeline.ts";
import { openFlux2 } from "../../lib/models/flux2/flux2_family.ts";
import { type FlagTable, readFlags } from "../../lib/platform/terminal/flags.ts";
import { captionOf } from "../fixtures/places/corridor_scene.ts";
import { allScenes, CorridorJudge } from "./corridor_judge.ts";

/** Pairs of wall and door that no picture of the training has (training/image_corridor/pictures.py). */
const UNSEEN = [
  "red teal",
  "orange blue",
  "yellow purple",
  "green white",
  "teal orange",
  "blue red",
  "purple yellow",
  "white green",
];

const SHEET = 30;

const flags = {
  "model-root": { kind: "string", value: "DIR", default: "models/image-corridor-nano", help: "folder of the pipeline" },
  prompts: { kind: "integer", value: "N", min: 1, max: 10_000, default: 200, help: "prompts to make pictures of" },
  steps: { kind: "integer", value: "N", min: 1, max: 100, help: "denoising steps (default: the model's)" },
  guidance: { kind: "number", value: "X", min: 0, max: 20, help: "weight of the prompt (default: the model's)" },
  out: { kind: "string", value: "DIR", default: "out/eval-image", help: "folder for the sheet" },
} as const satisfies FlagTable;

const options = readFlags("eval:image", process.argv.slice(2), flags);
const device = await openDevice("cpu");
const files = await openFlux2(modelRoot(options["model-root"]));
const pipeline = new ImagePipeline({ files, device });
const judge = new CorridorJudge();

const scores = { walls: 0, doors: 0, light: 0, all: 0, unseen: 0, unseenAll: 0 };
const pictures: RgbImage[] = [];
const scenes = allScenes();
const began = performance.now();
for (let i = 0; i < options.prompts; i++) {
  // A step that shares no factor with the number of scenes visits all of them.
  const scene = scenes[(i * 37) % scenes.length];
  const image = await pipeline.generate({
    prompt: captionOf(scene),
    seed: BigInt(1000 + i),
    steps: options.steps,
    guidanceScale: options.guidance,
  });
  const seen = judge.judge(image);
  const right = [seen.wall === scene.wallName, seen.door === scene.doorName, seen.light === scene.light];
  const isUnseen = UNSEEN.includes(`${scene.wallName} ${scene.doorName}`);
  const all = Number(right.every(Boolean));
  scores.walls += Number(right[0]);
  scores.doors += Number(right[1]);
  scores.light += Number(right[2]);
  scores.all += all;
  scores.unseen += Number(isUnseen);
  scores.unseenAll += isUnseen ? all : 0;
  if (i < SHEET) pictures.push(image);
}
const seconds = (performance.now() - began) / 1000;
pipeline.dispose();
device.dispose();

const share = (count: number, of: number): string => `${count} of ${of} (${(100 * count / of).toFixed(1)} %)`;
await mkdir(options.out, { recursive: true });
const sheet = join(options.out, "images.png");
await writeFile(sheet, await encodePng(contactSheet(pictures, { columns: 6, gap: 2, scale: 2 })));
process.stdout.write(`${
  [
    `walls, doors and light as asked for: ${share(scores.all, options.prompts)}`,
    `  of pairs that no training picture has: ${share(scores.unseenAll, scores.unseen)}`,
    `  walls ${share(scores.walls, options.prompts)}, doors ${share(scores.doors, options.prompts)}, ` +
    `light ${share(scores.light, options.prompts)}`,
    `${(seconds / options.prompts).toFixed(2)} s an image; ${sheet}`,
  ].join("\n")
}\n`);
