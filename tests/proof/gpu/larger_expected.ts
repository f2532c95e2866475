/**
 * What the larger operator cases give on the CPU: by ONNX Runtime in the same process, or, on a machine without it, as
 * it was recorded when the folder for that machine was made.
 *
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import {
  type Device,
  f32,
  Graph,
  openSafetensors,
  sizeOf,
  type Tensor,
  type TensorFile,
  type Value,
} from "../../../lib/compute/tensor/mod.ts";
import type { GraphCase } from "../../support/graph_cases.ts";
import { seededRandom } from "../../support/random.ts";
import { safetensorsBytes } from "../../support/safetensors_bytes.ts";

/** One graph with what it is fed. */
export interface LargerCase {
  readonly name: string;
  readonly graph: Graph;
  readonly feeds: Readonly<Record<string, Tensor>>;
}

/** Expected elements of a result, and where they are in it. */
export interface Expected {
  readonly indices: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** Elements of the whole result. */
  readonly size: number;
}

/** Elements of a case that are recorded: results are megabytes, and what is in one tile is like what is in the next. */
const RECORDED = 6000;

/** A case with seeded inputs between -1 and 1. */
export function largerCase(name: string, { shapes, build }: GraphCase): LargerCase {
  const random = seededRandom(7);
  const graph = new Graph();
  const feeds: Record<string, Tensor> = {};
  const inputs = shapes.map((shape, i): Value => {
    feeds[`x${i}`] = f32(shape, Float32Array.from({ length: sizeOf(shape) }, () => 2 * random() - 1));
    return graph.input(`x${i}`, shape);
  });
  graph.output("y", build(inputs));
  return { name, graph, feeds };
}

/** The result of a graph that has one, called `y`. */
export async function runCase(
  device: Device,
  { graph, feeds }: Pick<LargerCase, "graph" | "feeds">,
): Promise<ArrayLike<number>> {
  const program = await device.compile(graph);
  const { y } = await program.run(feeds);
  const { data } = await y.read();
  y.release();
  program.dispose();
  return data;
}

/** The whole result as ONNX Runtime gives it. */
export async function computedExpected(cpu: Device, each: LargerCase): Promise<Expected> {
  const values = await runCase(cpu, each);
  return { indices: Uint32Array.from({ length: values.length }, (_, i) => i), values, size: values.length };
}

/** The first and the last elements, and others spread over all rows and columns in a fixed order. */
function recordedIndices(size: number): Uint32Array {
  if (size <= RECORDED) return Uint32Array.from({ length: size }, (_, i) => i);
  const random = seededRandom(11);
  return Uint32Array.from({ length: RECORDED }, (_, i) => {
    if (i < 300) return i;
    return i < 600 ? size - 1 - (i - 300) : Math.floor(random() * size);
  });
}

/** A file of recorded elements of every case. */
export async function recordExpected(cpu: Device, cases: readonly LargerCase[]): Promise<Uint8Array> {
  const header: Record<string, unknown> = {};
  const parts: Float32Array[] = [];
  const sizes: Record<string, string> = {};
  let at = 0;
  for (const each of cases) {
    const all = await runCase(cpu, each);
    const values = Float32Array.from(recordedIndices(all.length), (index) => all[index]);
    header[each.name] = { dtype: "F32", shape: [values.length], data_offsets: [at, at += values.byteLength] };
    sizes[each.name] = String(all.length);
    parts.push(values);
  }
  const data = new Uint8Array(at);
  let offset = 0;
  for (const part of parts) {
    data.set(new Uint8Array(part.buffer), offset);
    offset += part.byteLength;
  }
  return safetensorsBytes(JSON.stringify({ __metadata__: sizes, ...header }), data);
}

/** The recorded file beside the programs; undefined where it was not made. */
export async function openRecorded(path: string | URL): Promise<TensorFile | undefined> {
  if (!existsSync(path)) return undefined;
  return await openSafetensors("larger_expected.safetensors", new Uint8Array(readFileSync(path)));
}

/** What was recorded for a case. */
export async function recordedExpected(file: TensorFile, name: string): Promise<Expected> {
  const size = Number(file.metadata.get(name));
  return { indices: recordedIndices(size), values: (await file.read(name)).data as Float32Array, size };
}
