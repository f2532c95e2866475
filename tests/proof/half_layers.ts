/**
 * `deno task proof:half [corridor] [actions] [full-width] [--adapter software|gpu] [--all]`: what each layer loses in
 * 16-bit floats, against 32 on the same adapter, alone and after all layers before it; and what becomes of the frames.
 *
 * Each world is walked through on the CPU first, which gives the inputs of its programs in the middle of a walk. A line
 * is the worst of the same layer in all blocks, with `--all` there is one for each block and each program. `growth` is the largest
 * difference in the chain as a share of the largest number, in units of what `tests/goldens/half_tolerance.ts` expects.
 *
 * @module
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import type { Device, Graph, Precision } from "../../lib/compute/tensor/mod.ts";
import { printMachine, printTable } from "../bench/table.ts";
import { openGoldenDevice } from "../goldens/golden_device.ts";
import { sampleFullWidth } from "./half/full_width_layer.ts";
import type { WeightNames } from "./half/graph_layers.ts";
import { filmPsnr, walkActions, walkCorridor, type WalkedWorld } from "./half/half_worlds.ts";
import { layerErrors } from "./half/layer_errors.ts";
import { HEADINGS, layerRows, worstOfFamilies } from "./half/layer_table.ts";
import { RecordingDevice } from "./half/recording_device.ts";

const worlds: Readonly<Record<string, (device: Device) => Promise<WeightNames>>> = {
  "corridor": async (device) => (await walkCorridor(device, 4)).nameOf,
  "actions": async (device) => (await walkActions(device)).nameOf,
  "full-width": sampleFullWidth,
};
const films: Readonly<Record<string, (device: Device) => Promise<WalkedWorld>>> = {
  corridor: (device) => walkCorridor(device, 1),
  actions: walkActions,
};

const { values: { all, adapter }, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false }, adapter: { type: "string", default: "software" } },
});
const unknown = positionals.find((name) => !(name in worlds));
if (unknown !== undefined || (adapter !== "software" && adapter !== "gpu")) {
  const found = unknown ?? `--adapter ${adapter}`;
  process.stderr.write(
    `Cannot measure "${found}": expected ${Object.keys(worlds).join(", ")}, and --adapter software or gpu\n`,
  );
  process.exit(2);
}
const open = (precision: Precision) => openGoldenDevice({ adapter, precision });

const half = await open("f16"); // a software adapter with 16-bit floats has 32 as well
process.stdout.write(`${half.label}\n`);
half.dispose();
printMachine();
for (const name of positionals.length > 0 ? positionals : Object.keys(worlds)) {
  const recorder = new RecordingDevice(await openOnnxDevice());
  const nameOf = await worlds[name](recorder);
  const devices = { f32: await open("f32"), f16: await open("f16") };
  const programs = recorder.programs.map((one) => [titleOf(one.graph), one] as const);
  // The last run of each kind of program: the window is full by then.
  for (const [title, program] of all ? programs : new Map(programs)) {
    const errors = await layerErrors(program, nameOf, devices);
    process.stdout.write(`${name}, ${title}\n\n`);
    printTable(HEADINGS, layerRows(all ? errors.map((e) => ({ ...e, count: 1 })) : worstOfFamilies(errors)));
  }
  devices.f32.dispose();
  devices.f16.dispose();
  if (!(name in films)) continue;
  const [film, truth] = [await films[name](await open("f16")), await films[name](await open("f32"))];
  const largest = truth.frames.data.reduce((most, x, i) => Math.max(most, Math.abs(x - film.frames.data[i])), 0);
  const decibels = filmPsnr(film.frames, truth.frames).toFixed(1);
  const { count, width, height } = truth.frames;
  process.stdout.write(
    `${name}, ${count} frames of ${width}x${height}: f16 against f32 ${decibels} dB, at most ${largest} of 255\n\n`,
  );
}
process.exit(0);

/** What a program is for. */
function titleOf({ inputs, outputs }: Graph): string {
  const has = (start: string) => [...outputs.keys()].some((name) => name.startsWith(start));
  if (has("latents")) return inputs.has("noise") ? "denoising pass" : "encoder";
  if (has("velocity")) return "velocity";
  if (has("own.")) return "context pass";
  if (has("text.")) return "prompt";
  return has("modulation") ? "time" : "decoder";
}
