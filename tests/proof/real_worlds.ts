/**
 * `deno task proof [--quick]`: worlds of published size, as far as they go without published weights and without a GPU.
 *
 * 1. Files of true names, shapes and sizes (sparse, they hold zeros) are opened and planned.
 * 2. The autoencoder of such files is uploaded tensor by tensor as a GPU would get it: nothing else stays in memory.
 * 3. The autoencoder is converted to f16.
 * 4. A denoising pass of the whole transformer, 30 layers of full width, at 384x224 on the CPU: the weights are random,
 *    those of one layer in all.
 * 5. A layer of full width samples two blocks, and a decoder of full width decodes two latents, as PyTorch does.
 *
 * `--quick` leaves the last three out. Linux only: memory is read from /proc.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { convertWorld } from "../../lib/store/convert/world/convert_world.ts";
import { modelRoot } from "../../lib/world/plan/model_root.ts";
import { describeArworld } from "../../lib/world/plan/described_world.ts";
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import { f32, sizeOf, type Tensor, toHalf } from "../../lib/compute/tensor/mod.ts";
import { openArworld } from "../../lib/models/arworld/loader.ts";
import { transformerShapes } from "../../lib/models/arworld/config.ts";
import { allPassesGraph } from "../../lib/models/arworld/transformer/transformer_graphs.ts";
import { readWeights } from "../../lib/models/checkpoint/read_weights.ts";
import { Weights } from "../../lib/models/checkpoint/weights.ts";
import { vaeShapes } from "../../lib/models/video_vae/vae_config.ts";
import { printTable } from "../bench/table.ts";
import { dreamx, writeSparseDreamx } from "../support/published_worlds.ts";
import { seededRandom } from "../support/random.ts";
import { decodedFrames, openReference, sampledBlocks } from "./full_width.ts";
import { withFolder } from "../support/temporary_folder.ts";

const { values: { quick } } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const rows: string[][] = [];

/** How far PyTorch's figures may be off, as a share of their standard deviation. */
const TOLERANCE = 1e-3;

async function gigabytes(field: "VmRSS" | "VmHWM"): Promise<number> {
  const text = await readFile("/proc/self/status", "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)![1]) / 1e6;
}

/** Runs a step and notes its cost; the most memory so far is that of this and all earlier steps. */
async function step(name: string, work: () => Promise<string>): Promise<void> {
  const start = performance.now();
  const found = await work();
  const seconds = (performance.now() - start) / 1000;
  rows.push([name, found, `${seconds.toFixed(1)} s`, `${(await gigabytes("VmHWM")).toFixed(2)} GB`]);
  process.stderr.write(`${rows.at(-1)!.join(" | ")}\n`);
}

function assertThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Cannot prove it: ${what}`);
}

await withFolder(async (folder) => {
  writeSparseDreamx(folder);
  const roots = ["base", "causal"].map((name) => modelRoot(join(folder, name), 0));
  await step("files of true size are opened and planned", async () => {
    const world = await describeArworld(roots[0], roots[1]);
    const { totalBytes } = await world.gpu({ width: 512, height: 320, frames: 12 }, "f16");
    return `${(world.fileBytes / 1e9).toFixed(1)} GB of files, ${(totalBytes / 1e9).toFixed(2)} GB on a GPU at 512x320`;
  });
  await step("an autoencoder passes through memory", async () => {
    const { config, files } = await openArworld(roots[0], roots[1]);
    const problems: string[] = [];
    let read = 0;
    const shapes = vaeShapes(config.vae);
    const options = { later: true, meter: { expect: () => (bytes: number) => void (read += bytes) } };
    const [weights] = await readWeights([{ file: files.vae, shapes }], problems, options);
    assertThat(problems.length === 0 && read === 0, "nothing is read before it is used");
    const before = await gigabytes("VmRSS");
    let most = before;
    for (const name of shapes.keys()) {
      toHalf(weights.get(name)); // what an upload to a device of 16-bit floats does
      most = Math.max(most, await gigabytes("VmRSS"));
    }
    assertThat(most - before < 1.2, `${(most - before).toFixed(2)} GB were held, one tensor and 1 GB are allowed`);
    return `${(read / 1e9).toFixed(2)} GB read, at most ${(most - before).toFixed(2)} GB held`;
  });
  if (quick) return;
  await step("an autoencoder is converted to f16", async () => {
    const part = { part: "vae", source: join(folder, "base", "vae.safetensors"), type: "f16" } as const;
    const [{ bytes }] = await convertWorld(
      { parts: [part], output: join(folder, "out") },
      () => {},
      AbortSignal.any([]),
    );
    return `${(bytes / 1e9).toFixed(2)} GB written`;
  });
});
if (!quick) await step("a pass of 30 layers at 384x224 on the CPU", fullPass);
if (!quick) {
  const reference = await openReference();
  const compare = async (prove: typeof sampledBlocks) => {
    const device = await openOnnxDevice();
    try {
      const { ofDeviation: off } = await prove(reference, device);
      assertThat(off < TOLERANCE, `PyTorch differs by ${off} of the standard deviation`);
      return `off by at most ${off.toExponential(1)} of the standard deviation`;
    } finally {
      device.dispose();
    }
  };
  await step("a layer of full width against PyTorch, two blocks", () => compare(sampledBlocks));
  await step("a decoder of full width against PyTorch, two latents", () => compare(decodedFrames));
}
printTable(["what", "found", "took", "most memory so far"], rows);
process.exit(0);

async function fullPass(): Promise<string> {
  const config = dreamx().transformer;
  const random = seededRandom(1);
  const numbers = (count: number, scale: number) =>
    Float32Array.from({ length: count }, () => (2 * random() - 1) * scale);
  const tensors = new Map<string, Tensor>();
  for (const [name, shape] of transformerShapes(config)) {
    const first = name.replace(/^blocks\.\d+\./, "blocks.0.");
    const norm = /norm.*weight/.test(name);
    const scale = shape.length > 1 ? 1.7 / Math.sqrt(sizeOf(shape.slice(1))) : 0.02;
    if (!tensors.has(first)) {
      tensors.set(first, f32(shape, norm ? new Float32Array(sizeOf(shape)).fill(1) : numbers(sizeOf(shape), scale)));
    }
    tensors.set(name, tensors.get(first)!);
  }
  const device = await openOnnxDevice();
  try {
    const program = await device.compile(allPassesGraph(config, new Weights(tensors), { width: 24, height: 14 }));
    const feeds = Object.fromEntries(Array.from(program.inputs, ([name, { shape }]) => {
      const size = sizeOf(shape);
      const eye = () => Float32Array.from({ length: size }, (_, i) => i % 16 % 5 === 0 ? 1 : 0);
      if (/^p($|[TI])/.test(name)) return [name, f32(shape, eye())];
      // At a noise level of 1 the next latents would be the noise alone.
      if (/nextSigma/i.test(name)) return [name, f32(shape, new Float32Array(size).fill(0.5))];
      if (/sigma|Keep/i.test(name)) return [name, f32(shape, new Float32Array(size).fill(1))];
      if (/anchor|windowBias/.test(name)) return [name, f32(shape, new Float32Array(size))];
      return [name, f32(shape, numbers(size, /^modulation/.test(name) ? 0.1 : 1))];
    }));
    const { latents } = await program.run(feeds);
    const { data } = await latents.read();
    assertThat(data.every(Number.isFinite), "every number of the latents is finite");
    const square = (data as Float32Array).reduce((sum, x) => sum + x * x, 0) / data.length;
    assertThat(square > 0, "the latents are not all zero");
    return `${data.length} finite numbers, root mean square ${Math.sqrt(square).toFixed(2)}`;
  } finally {
    device.dispose();
  }
}
