/**
 * What the layers of a program lose in 16-bit floats, against the same device in 32.
 *
 * @module
 */
import { type Device, f32, type Graph, type Tensor, toFloat32, type Value } from "../../../lib/compute/tensor/mod.ts";
import { type GraphLayer, graphLayers, separateLayers, type WeightNames } from "./graph_layers.ts";
import type { RecordedProgram } from "./recording_device.ts";

/** How far numbers are off. */
export interface HalfError {
  /** Largest difference. */
  readonly maxAbs: number;
  /** Root of the summed squares of the differences, as a share of that of the numbers. */
  readonly relative: number;
  /** Largest difference as a share of the largest number. */
  readonly ofLargest: number;
}

/** What became of one layer. */
export interface LayerError {
  readonly name: string;
  /** Layers on the longest way to its results, itself included. */
  readonly depth: number;
  /** Largest number in 32 bits; 16 bits end at 65504. */
  readonly largest: number;
  /** Where its inputs are those of 32 bits, stored in 16. */
  readonly alone: HalfError;
  /** Where all layers before it ran in 16 bits, too. */
  readonly chained: HalfError;
}

/** Both precisions of one adapter. */
export interface BothPrecisions {
  readonly f32: Device;
  readonly f16: Device;
}

/** The layers of a program in the order in which they run. */
export async function layerErrors(
  { graph, feeds }: RecordedProgram,
  nameOf: WeightNames,
  devices: BothPrecisions,
): Promise<LayerError[]> {
  const layers = graphLayers(graph, nameOf);
  layers.forEach(({ gives }, i) => gives.forEach((value, j) => graph.output(`${i}.${j}`, value)));
  const exact = await runOnce(devices.f32, graph, feeds);
  const chained = await runOnce(devices.f16, graph, feeds);
  const separate = separateLayers(layers);
  const alone = await runOnce(devices.f16, separate, layerFeeds(separate, layers, feeds, exact));
  return layers.map((layer, i) => {
    const keys = layer.gives.map((_, j) => `${i}.${j}`);
    const join = (from: ReadonlyMap<string, Float32Array>) => keys.map((key) => from.get(key)!);
    const numbers = join(exact);
    return {
      name: layer.name,
      depth: layer.depth,
      largest: Math.max(...numbers.map(largestOf)),
      alone: halfError(join(alone), numbers),
      chained: halfError(join(chained), numbers),
    };
  });
}

/** How far some arrays are off from those in 32 bits. */
export function halfError(found: readonly Float32Array[], exact: readonly Float32Array[]): HalfError {
  let [maxAbs, noise, power, largest] = [0, 0, 0, 0];
  exact.forEach((numbers, part) =>
    numbers.forEach((x, i) => {
      const difference = Math.abs(found[part][i] - x);
      maxAbs = Number.isNaN(difference) ? Infinity : Math.max(maxAbs, difference);
      noise += difference ** 2;
      power += x * x;
      largest = Math.max(largest, Math.abs(x));
    })
  );
  return {
    maxAbs,
    relative: noise === 0 ? 0 : Math.sqrt(noise / power),
    ofLargest: maxAbs === 0 ? 0 : maxAbs / largest,
  };
}

function layerFeeds(
  separate: Graph,
  layers: readonly GraphLayer[],
  feeds: Readonly<Record<string, Tensor>>,
  exact: ReadonlyMap<string, Float32Array>,
): Record<string, Tensor> {
  const made = new Map<string, readonly [string, Value]>();
  layers.forEach(({ gives }, i) => gives.forEach((value, j) => made.set(`v${value.id}`, [`${i}.${j}`, value])));
  return Object.fromEntries(
    [...separate.inputs.keys()].map((name) => {
      const own = made.get(name);
      return [name, own ? f32(own[1].shape, exact.get(own[0])!) : feeds[name]];
    }),
  );
}

/** Runs a graph and reads all outputs; one after another, as they may be large. */
async function runOnce(
  device: Device,
  graph: Graph,
  feeds: Readonly<Record<string, Tensor>>,
): Promise<Map<string, Float32Array>> {
  const program = await device.compile(graph);
  const outputs = await program.run(Object.fromEntries([...program.inputs.keys()].map((name) => [name, feeds[name]])));
  const numbers = new Map<string, Float32Array>();
  for (const [name, t] of Object.entries(outputs)) {
    numbers.set(name, toFloat32(await t.read()));
    t.release();
  }
  program.dispose();
  return numbers;
}

function largestOf(numbers: Float32Array): number {
  return numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}
