/**
 * Operators at the shapes of DreamX-World-5B and of its decoder: milliseconds, TFLOP/s, share of the card's peak. Some
 * elements of each result are compared with sums in 64 bits.
 *
 * @module
 */
import { Graph } from "../../../lib/compute/tensor/mod.ts";
import { hasMatrices, type OpenGpu, openGpu, type OpenGpuOptions, type Tiles } from "./open_gpu.ts";
import { log, median, messageOf, runPart, secondsLeft, SMALL } from "./part.ts";
import { peaksOf } from "./peaks.ts";
import type { SpeedCase } from "./speed_case.ts";
import { convolutions, enlargedConvolutions, movers } from "./speed_images.ts";
import { attentions, linears, quantizedLinears } from "./speed_products.ts";

/** How far an element may be off, as a share of the largest: 16-bit inputs, 32-bit sums, a 16-bit result. */
const TOLERANCE = 4e-3;

interface Plan extends OpenGpuOptions {
  readonly cases: () => readonly Iterable<SpeedCase>[];
}

const QUANTIZED = /^480x3072 -> (3072|14336)|^2340|^3x/;
const FEW = /^480x3072 -> 3072|^480x14336|^4096|1920|1x20x32|2x40x64/;
const MAIN = /^480x3072 -> (3072|14336)|^4096|1920|^512 ch|2x40x64/;

/** The most important first: the last ones are left out when the time ends. */
const PLANS: readonly Plan[] = [
  { precision: "f16", cases: () => [linears(), attentions(), convolutions()] },
  { precision: "f16", cases: () => [quantizedLinears(8, QUANTIZED), quantizedLinears(4, QUANTIZED)] },
  { precision: "f16", cases: () => [enlargedConvolutions(), movers()] },
  { precision: "f16", checked: true, cases: () => [linears(FEW), attentions(FEW), convolutions(FEW)] },
  { precision: "f16", portable: true, cases: () => [linears(MAIN), convolutions(MAIN)] },
  { precision: "f32", cases: () => [linears(MAIN), attentions(MAIN), convolutions(MAIN)] },
];

await runPart("speed", async (results) => {
  const rows: Record<string, unknown>[] = [];
  const checkedRows: Record<string, unknown>[] = [];
  let wrong = 0;
  let single = false;
  for (const { precision, portable = false, checked = false, cases } of PLANS) {
    const half = await openGpu({ precision, portable, checked });
    // Where the software adapter has no 16-bit floats, a rehearsal takes 32 bits in their place.
    const instead = typeof half === "string" && SMALL;
    const opened = instead ? await openGpu({ precision: "f32", checked }) : half;
    single ||= instead;
    if (single && precision === "f32") continue;
    if (typeof opened === "string") {
      log(`${precision}: ${opened}`);
      continue;
    }
    const { device: { label } } = opened;
    results.set("card", label);
    results.set("peaks", peaksOf(label));
    const compared = portable && !rows.some(({ tiles }) => hasMatrices(tiles as Tiles["kind"]));
    for (const each of compared ? [] : allOf(cases())) {
      if (secondsLeft() < 4) break;
      const row = await rowOf(opened, each);
      if (row.problem || !(row.error === undefined || (row.error as number) <= TOLERANCE)) wrong++;
      (checked ? checkedRows : rows).push(row);
      results.set("rows", rows);
      results.set("checked", checkedRows);
      log(JSON.stringify(row));
    }
    opened.device.dispose();
  }
  if (rows.length === 0) throw new Error("no operator was measured");
  if (wrong > 0) throw new Error(`${wrong} operators failed or gave wrong numbers`);
});

function* allOf<T>(parts: readonly Iterable<T>[]): Iterable<T> {
  for (const part of parts) yield* part;
}

async function rowOf(opened: OpenGpu, each: SpeedCase): Promise<Record<string, unknown>> {
  const { device: { precision }, tiles } = opened;
  const about = { group: each.group, id: each.id, precision, tiles };
  try {
    return { ...about, ...await measure(opened, each) };
  } catch (error) {
    return { ...about, problem: messageOf(error).slice(0, 300) };
  }
}

async function measure({ device, tiles }: OpenGpu, each: SpeedCase): Promise<Record<string, unknown>> {
  const { flops, floats, size, inputs, element } = each;
  const bytes = device.precision === "f16" ? 2 : 4;
  // As many in one graph as make some milliseconds, so that starting a run is a small part of what is measured.
  const guess = Math.max(flops / (hasMatrices(tiles) ? 200e12 : 20e12), floats * bytes / 1e12);
  const most = Math.max(1, Math.floor(2e9 / (size * bytes)));
  const turns = SMALL ? 1 : Math.min(32, most, Math.max(1, Math.ceil(4e-3 / guess)));
  const graph = new Graph();
  const values = Object.fromEntries(Object.entries(inputs).map(([name, t]) => [name, graph.input(name, t.shape)]));
  for (let turn = 0; turn < turns; turn++) graph.output(`y${turn}`, each.build(graph, values, turn));
  const start = performance.now();
  const program = await device.compile(graph);
  const compileMs = performance.now() - start;
  const feeds = Object.fromEntries(Object.entries(inputs).map(([name, t]) => [name, device.upload(t)]));
  const timed = async (runs: number) => {
    const begin = performance.now();
    for (let i = 0; i < runs; i++) for (const t of Object.values(await program.run(feeds))) t.release();
    await device.idle();
    return (performance.now() - begin) / runs;
  };
  // The first runs teach the device its pace.
  for (let i = 0; i < (SMALL ? 1 : 3); i++) await timed(1);
  const runs = SMALL ? 1 : Math.max(2, Math.min(30, Math.ceil(40 / await timed(1))));
  const samples: number[] = [];
  const until = performance.now() + (SMALL ? 0 : 250);
  while (samples.length < (SMALL ? 1 : 5) || performance.now() < until && samples.length < 40) {
    samples.push(await timed(runs) / turns);
  }
  const error = element && difference(await firstResult(), element);
  for (const t of Object.values(feeds)) t.release();
  program.dispose();
  const ms = median(samples);
  const peaks = peaksOf(device.label);
  const peak = peaks && (device.precision === "f16" ? peaks.half : peaks.single);
  return {
    ...{ ms, fastestMs: Math.min(...samples), slowestMs: Math.max(...samples), compileMs, turns },
    ...(flops > 0 && { tflops: flops / ms / 1e9, ofPeak: peak && flops / ms / 1e9 / peak }),
    gbps: floats * bytes / ms / 1e6,
    error,
  };

  async function firstResult(): Promise<ArrayLike<number>> {
    const outputs = await program.run(feeds);
    const { data } = await outputs.y0.read();
    for (const t of Object.values(outputs)) t.release();
    return data;
  }
}

/** The largest difference of 48 elements, as a share of the largest of them. */
function difference(data: ArrayLike<number>, element: (index: number) => number): number {
  let [most, scale] = [0, 0];
  for (let i = 0; i < 48; i++) {
    const index = Math.floor((i + 0.5) / 48 * data.length + i * 7919) % data.length;
    const expected = element(index);
    const apart = Math.abs(expected - data[index]);
    if (!(apart <= most)) most = apart; // also where it is not a number
    scale = Math.max(scale, Math.abs(expected));
  }
  return most / scale;
}
