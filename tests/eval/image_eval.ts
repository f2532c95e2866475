/**
 * How often the embedded image model shows what it is asked for: `deno task eval:image
 * [--place corridor|courtyard] [--model-root DIR] [--prompts N] [--out DIR]`. Asks for all colours, dark and bright, among
 * them the pairs that its training left out, and says which place each picture shows.
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
import type { FlagTable, FlagValues } from "../../lib/platform/terminal/flags.ts";
import { captionOf } from "../fixtures/places/corridor_scene.ts";
import { courtyardCaption } from "../fixtures/places/courtyard_scene.ts";
import { allScenes, CorridorJudge } from "./corridor_judge.ts";
import { allCourtyards, CourtyardJudge } from "./courtyard_judge.ts";
import { runEval } from "./eval_command.ts";

/** What a picture is asked to show, or shows: a name for every part. */
type Parts = Readonly<Record<string, string>>;

/** Prompts of a place, and who says what a picture shows. */
interface Place {
  readonly asked: readonly { readonly prompt: string; readonly parts: Parts }[];
  readonly judge: (image: RgbImage) => Parts;
  /** Pairs of the first two parts that no picture of the training has (training/image_corridor/pictures.py). */
  readonly unseen: readonly string[];
}

const places: Readonly<Record<"corridor" | "courtyard", () => Place>> = {
  corridor() {
    const judge = new CorridorJudge();
    return {
      asked: allScenes().map((scene) => ({
        prompt: captionOf(scene),
        parts: { walls: scene.wallName, doors: scene.doorName, light: scene.light },
      })),
      judge(image) {
        const { wall, door, light } = judge.judge(image);
        return { walls: wall, doors: door, light };
      },
      unseen: [
        "red teal",
        "orange blue",
        "yellow purple",
        "green white",
        "teal orange",
        "blue red",
        "purple yellow",
        "white green",
      ],
    };
  },
  courtyard() {
    const judge = new CourtyardJudge();
    return {
      asked: allCourtyards().map((scene) => ({
        prompt: courtyardCaption(scene),
        parts: { stone: scene.stoneName, arcades: scene.hueName, well: scene.wellName, light: scene.daytime },
      })),
      judge(image) {
        const { stone, hue, well, daytime } = judge.judge(image);
        return { stone, arcades: hue, well, light: daytime };
      },
      unseen: ["sandstone purple", "marble red", "brick teal", "granite yellow"],
    };
  },
};

const SHEET = 30;

const flags = {
  place: { kind: "choice", choices: ["corridor", "courtyard"], default: "corridor", help: "what to ask for" },
  "model-root": { kind: "string", value: "DIR", default: "models/image-corridor-nano", help: "folder of the pipeline" },
  prompts: { kind: "integer", value: "N", min: 1, max: 10_000, default: 200, help: "prompts to make pictures of" },
  steps: { kind: "integer", value: "N", min: 1, max: 100, help: "denoising steps (default: the model's)" },
  guidance: { kind: "number", value: "X", min: 0, max: 20, help: "weight of the prompt (default: the model's)" },
  out: { kind: "string", value: "DIR", default: "out/eval-image", help: "folder for the sheet" },
} as const satisfies FlagTable;

async function evaluate(options: FlagValues<typeof flags>): Promise<void> {
  const { asked, judge, unseen } = places[options.place]();
  const device = await openDevice("cpu");
  const files = await openFlux2(modelRoot(options["model-root"]));
  const pipeline = new ImagePipeline({ files, device });

  const right = new Map<string, number>(Object.keys(asked[0].parts).map((part) => [part, 0]));
  const scores = { all: 0, unseen: 0, unseenAll: 0 };
  const pictures: RgbImage[] = [];
  const began = performance.now();
  for (let i = 0; i < options.prompts; i++) {
    // A step that shares no factor with the number of scenes visits all of them.
    const { prompt, parts } = asked[(i * 37) % asked.length];
    const image = await pipeline.generate({
      prompt,
      seed: BigInt(1000 + i),
      steps: options.steps,
      guidanceScale: options.guidance,
    });
    const seen = judge(image);
    const wrong = Object.keys(parts).filter((part) => seen[part] !== parts[part]);
    for (const part of Object.keys(parts)) right.set(part, right.get(part)! + Number(!wrong.includes(part)));
    const isUnseen = unseen.includes(Object.values(parts).slice(0, 2).join(" "));
    scores.all += Number(wrong.length === 0);
    scores.unseen += Number(isUnseen);
    scores.unseenAll += Number(isUnseen && wrong.length === 0);
    if (i < SHEET) pictures.push(image);
  }
  const seconds = (performance.now() - began) / 1000;
  pipeline.dispose();
  device.dispose();

  const share = (count: number, of: number): string =>
    of === 0 ? "none" : `${count} of ${of} (${(100 * count / of).toFixed(1)} %)`;
  await mkdir(options.out, { recursive: true });
  const sheet = join(options.out, `${options.place}.png`);
  await writeFile(sheet, await encodePng(contactSheet(pictures, { columns: 6, gap: 2, scale: 2 })));
  process.stdout.write(`${
    [
      `everything as asked for: ${share(scores.all, options.prompts)}`,
      `  of pairs that no training picture has: ${share(scores.unseenAll, scores.unseen)}`,
      `  ${[...right].map(([part, count]) => `${part} ${share(count, options.prompts)}`).join(", ")}`,
      `${(seconds / options.prompts).toFixed(2)} s an image; ${sheet}`,
    ].join("\n")
  }\n`);
}

const about =
  `Asks the embedded image model for pictures of all colours in both lights, among them the pairs that its training left
out, and counts what they show.`;

await runEval({ name: "deno task eval:image", about, flags }, evaluate);
