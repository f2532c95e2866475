/**
 * `deno task bench [--software] [--parts operators,model,clip,image,server,navigation,worlds,gateway]`: how
 * fast everything is, the machine named. `--software` allows a software adapter, whose figures say nothing about a GPU.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openMedia } from "../../lib/media/mod.ts";
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import { vulkanDrivers } from "../../lib/platform/machine/vulkan_driver.ts";
import type { Device } from "../../lib/compute/tensor/mod.ts";
import { clipBench, type ClipTimes, clipWorld } from "./clip_bench.ts";
import { openWebGpuDevice } from "../../lib/compute/webgpu/webgpu_device.ts";
import { serversOf } from "./compare_servers.ts";
import { imageModel } from "../fixtures/tiny_models/image_model.ts";
import { writeModel } from "../fixtures/tiny_models/write_model.ts";
import { gatewayBench } from "./gateway_bench.ts";
import { kleinPass, TINY_IMAGE, tinyImageBench } from "./image_bench.ts";
import { chunkBench, modelBench, type ModelTimes } from "./model_bench.ts";
import { navigationBench } from "./navigation_bench.ts";
import { operatorsBench } from "./operators_bench.ts";
import { serverBench } from "./server_bench.ts";
import { withoutNats } from "../support/nats_server.ts";
import { worldsBench } from "./worlds_bench.ts";
import { printMachine, printTable } from "./table.ts";

const PARTS = ["operators", "model", "clip", "image", "server", "navigation", "worlds", "gateway"];
const { values: flags } = parseArgs({
  options: { software: { type: "boolean", default: false }, parts: { type: "string", default: PARTS.join(",") } },
});
const parts = flags.parts.split(",");
for (const part of parts) {
  if (!PARTS.includes(part)) {
    console.error(`Cannot measure ${part}: the parts are ${PARTS.join(", ")}`);
    process.exit(2);
  }
}

/** The CPU, and the GPU if there is one. */
async function devices(): Promise<Device[]> {
  const cpu = await openOnnxDevice({ threads: cpus().length });
  if (vulkanDrivers() === "none") return [cpu]; // Dawn would say so on stderr
  const opened = await openWebGpuDevice({ allowSoftware: flags.software });
  return [cpu, ...(opened.ok ? [opened.device] : [])];
}

/** The same in PyTorch eager, where Python has it: milliseconds by part. */
function pytorchTimes<Times>(script: string, ...args: readonly string[]): Partial<Times> | undefined {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { status, stdout } = spawnSync("python3", [path, ...args], { encoding: "utf8" });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

/** Prints milliseconds by part and device. */
function printTimes<Times extends Readonly<Record<string, number>>>(
  title: string,
  columns: readonly { readonly name: string; readonly times: Partial<Times> }[],
  rows: readonly (readonly [label: string, key: keyof Times])[],
): void {
  const cell = (n: number | undefined) => n?.toFixed(1) ?? "-";
  printTable(
    [title, ...columns.map((c) => c.name)],
    rows.map(([label, key]) => [label, ...columns.map(({ times }) => cell(times[key]))]),
  );
}

const PYTORCH = "PyTorch eager, same weights";
printMachine();

if (parts.includes("operators")) {
  const all = await devices();
  await operatorsBench(all);
  for (const device of all) device.dispose();
}

if (parts.includes("model")) {
  const media = openMedia();
  const columns: { name: string; times: Partial<ModelTimes> }[] = [];
  for (const device of await devices()) columns.push({ name: device.label, times: await modelBench(device) });
  const pytorch = pytorchTimes<ModelTimes>("./pytorch_block.py");
  if (pytorch) columns.push({ name: PYTORCH, times: pytorch });
  printTimes("corridor-nano 384x256, ms", columns, [
    ["encode the source image", "encode"],
    ["one transformer pass", "pass"],
    ["sample a block: 5 passes", "sample"],
    ["decode a block: 12 frames", "decode"],
    ["whole block", "block"],
    ["colour transfer, where a world uses it", "colours"],
  ]);
  if (pytorch?.block) {
    console.log(`whole block against PyTorch: ${(columns[0].times.block! / pytorch.block).toFixed(2)}x of its time\n`);
  }
  console.log(`MP4 chunk of 12 frames with ${await media.prepare()}: ${(await chunkBench(media)).toFixed(1)} ms\n`);
  await media.close();
}

if (parts.includes("clip")) {
  const columns: { name: string; times: Partial<ClipTimes> }[] = [];
  for (const device of await devices()) columns.push({ name: device.label, times: await clipBench(device) });
  const pytorch = pytorchTimes<ClipTimes>("./pytorch_clip.py", await clipWorld());
  if (pytorch) columns.push({ name: PYTORCH, times: pytorch });
  printTimes("corridor-nano-actions 192x128, ms", columns, [
    ["encode the picture", "encode"],
    ["text stream, for a new prompt only", "text"],
    ["one denoising step", "step"],
    ["sample a clip", "sample"],
    ["decode a clip: 17 frames", "decode"],
    ["whole clip of a known prompt", "clip"],
  ]);
  if (pytorch?.clip) {
    console.log(`whole clip against PyTorch: ${(columns[0].times.clip! / pytorch.clip).toFixed(2)}x of its time\n`);
  }
}

if (parts.includes("image")) {
  const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  try {
    const files = imageModel();
    writeModel(folder, files);
    const columns: { name: string; times: { image?: number } }[] = [];
    for (const device of await devices()) {
      columns.push({ name: device.label, times: { image: await tinyImageBench(device, files) } });
      device.dispose();
    }
    const { prompt, width, height, steps } = TINY_IMAGE;
    const settings = [width, height, steps].map(String);
    const diffusers = pytorchTimes<{ image: number }>("./diffusers_image.py", folder, prompt, ...settings);
    if (diffusers) columns.push({ name: "diffusers, same weights", times: diffusers });
    printTimes("tiny-image 256x256, ms", columns, [["a whole image: prompt, 4 steps, decode", "image"]]);
    if (diffusers?.image) {
      console.log(
        `whole image against diffusers: ${(columns[0].times.image! / diffusers.image).toFixed(2)}x of its time\n`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const [cpu] = await devices();
  const { flops, seconds } = await kleinPass(cpu);
  console.log(
    `FLUX.2 klein 4B, one pass at 512x512 on ${cpu.label}: ${(flops / 1e12).toFixed(1)} TFLOP in ` +
      `${seconds.toFixed(1)} s, ${(flops / seconds / 1e9).toFixed(0)} GFLOP/s\n`,
  );
  cpu.dispose();
}

if (["server", "navigation", "worlds", "gateway"].some((part) => parts.includes(part))) {
  const compare = serversOf("world");
  if (parts.includes("server")) {
    await compare("server", serverBench, {
      "start to /health, ms": (f) => f.toHealth.toFixed(0),
      "start to a ready world, ms": (f) => f.toReady.toFixed(0),
      "warm move to its chunk fetched, ms": (f) => f.move.toFixed(0),
      "frames/s of 40 blocks, end to end": (f) => f.framesPerSecond.toFixed(0),
      "slowest /health meanwhile, ms": (f) => f.health.toFixed(0),
      "peak memory, MB": (f) => f.peakMemory.toFixed(0),
    });
  }
  if (parts.includes("navigation")) {
    await compare("navigation, ms", navigationBench, {
      "a move of two blocks": (f) => f.move.toFixed(0),
      "the same walked back (aim 50)": (f) => f.replay.toFixed(0),
      "  as a part of the move": (f) => `${(f.replay / f.move).toFixed(2)}x`,
      "lock (aim 20)": (f) => f.lock.toFixed(1),
      "restore (aim 50)": (f) => f.restore.toFixed(1),
      "a job beyond its own work (aim 5)": (f) => f.overhead.toFixed(1),
      "session while generating, p99 (aim 5)": (f) => f.snapshot99.toFixed(1),
    });
  }
  if (parts.includes("worlds")) {
    await compare("several worlds in one server", worldsBench, {
      "one world, blocks/s": (f) => f.one.toFixed(1),
      "eight worlds together, blocks/s": (f) => f.eight.toFixed(1),
      "  as a part of one (aim 1)": (f) => `${(f.eight / f.one).toFixed(2)}x`,
      "journal, ms a move (aim 3)": (f) => f.journal.toFixed(1),
    });
  }
  if (parts.includes("gateway") && withoutNats) console.log(`The gateway is not measured: ${withoutNats}`);
  if (parts.includes("gateway") && !withoutNats) {
    const cli = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));
    const program = ([first, second]: readonly string[]): string[] =>
      second === "run" ? [first, "run", "-A", cli] : [first, second];
    await compare("a gateway before a worker, ms", (command) => gatewayBench(program(command)), {
      "a move, direct": (f) => f.move.direct.toFixed(1),
      "  more through the gateway (aim 5)": (f) => f.move.more.toFixed(1),
      "the session read, direct": (f) => f.read.direct.toFixed(1),
      "  more through the gateway": (f) => f.read.more.toFixed(1),
    });
  }
}
