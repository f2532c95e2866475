/**
 * `deno task bench [--software] [--parts operators,model,server,navigation]`: how fast everything is, the machine named. `--software`
 * allows a software adapter, whose figures say nothing about a GPU.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openMedia } from "../../lib/media/mod.ts";
import { openOnnxDevice } from "../../lib/onnx/mod.ts";
import { hasVulkanDriver } from "../../lib/runtime/vulkan_driver.ts";
import type { Device } from "../../lib/tensor/mod.ts";
import { openWebGpuDevice } from "../../lib/webgpu/mod.ts";
import { chunkBench, modelBench, type ModelTimes } from "./model_bench.ts";
import { navigationBench } from "./navigation_bench.ts";
import { operatorsBench } from "./operators_bench.ts";
import { serverBench } from "./server_bench.ts";
import { printTable } from "./table.ts";

const PARTS = ["operators", "model", "server", "navigation"];
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
  if (!hasVulkanDriver()) return [cpu]; // Dawn would say so on stderr
  const opened = await openWebGpuDevice({ allowSoftware: flags.software });
  return [cpu, ...(opened.ok ? [opened.device] : [])];
}

/** The same blocks in PyTorch eager, where Python has it: milliseconds by part. */
function pytorchTimes(): Partial<ModelTimes> | undefined {
  const script = fileURLToPath(new URL("./pytorch_block.py", import.meta.url));
  const { status, stdout } = spawnSync("python3", [script], { encoding: "utf8" });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

const [cpu] = cpus();
console.log(
  `${cpu.model}, ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${
    new Date().toISOString().slice(0, 10)
  }\n`,
);

if (parts.includes("operators")) {
  const all = await devices();
  await operatorsBench(all);
  for (const device of all) device.dispose();
}

if (parts.includes("model")) {
  const media = openMedia();
  const columns: { name: string; times: Partial<ModelTimes> }[] = [];
  for (const device of await devices()) columns.push({ name: device.label, times: await modelBench(device) });
  const pytorch = pytorchTimes();
  if (pytorch) columns.push({ name: "PyTorch eager, same weights", times: pytorch });
  const rows: [string, keyof ModelTimes][] = [
    ["encode the source image", "encode"],
    ["one transformer pass", "pass"],
    ["sample a block: 5 passes", "sample"],
    ["decode a block: 12 frames", "decode"],
    ["whole block", "block"],
    ["colour transfer, where a world uses it", "colours"],
  ];
  printTable(
    ["corridor-nano 96x64, ms", ...columns.map((c) => c.name)],
    rows.map(([label, key]) => [label, ...columns.map(({ times }) => times[key]?.toFixed(1) ?? "-")]),
  );
  if (pytorch?.block) {
    console.log(`whole block against PyTorch: ${(columns[0].times.block! / pytorch.block).toFixed(2)}x of its time\n`);
  }
  console.log(`MP4 chunk of 12 frames with ${await media.prepare()}: ${(await chunkBench(media)).toFixed(1)} ms\n`);
  await media.close();
}

if (parts.includes("server") || parts.includes("navigation")) {
  const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  spawnSync("node", [file("scripts/build.mjs")], { stdio: "inherit" });
  // This process is Deno itself: npm's wrapper of it would not pass the signal on that ends the server.
  const servers: Record<string, string[]> = {
    "Node": ["node", file("dist/cli/main.js"), "world", "serve"],
    "Deno": [process.execPath, "run", "-A", file("servers/world.ts")],
  };
  /** Measures both servers one after the other and prints a row for each figure. */
  const compare = async <Figures>(
    title: string,
    measure: (command: readonly string[]) => Promise<Figures>,
    rows: Record<string, (figures: Figures) => string>,
  ): Promise<void> => {
    const figures: Figures[] = [];
    for (const command of Object.values(servers)) figures.push(await measure(command));
    printTable(
      [title, ...Object.keys(servers)],
      Object.entries(rows).map(([label, text]) => [label, ...figures.map(text)]),
    );
  };
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
}
