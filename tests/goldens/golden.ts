/**
 * A golden file: weights, inputs, expected outputs, and the comparisons made so far.
 *
 * @module
 */
import { sizeOf, type Tensor, type TensorFile, toFloat32 } from "../../lib/compute/tensor/mod.ts";
import { Weights } from "../../lib/models/checkpoint/weights.ts";
import { lineMeans, type SampledOutput, samplePlaces } from "./packed/sampled_output.ts";

/** One comparison of an expected output with ours. */
export interface Comparison {
  readonly name: string;
  readonly maxAbs: number;
  readonly tolerance: number;
}

/** Says that a golden cannot be compared on this machine, and why. */
export class GoldenSkip extends Error {}

/** What the numbers of a golden are compared with. */
export type Numbers = ArrayLike<number>;

/** The tensors of a golden file in memory. Every expected output has to be compared once, or the golden fails. */
export class Golden {
  readonly config: Record<string, unknown>;
  readonly comparisons: Comparison[] = [];
  readonly #tolerances = new Map<string, number>();
  readonly #given = new Set<string>();
  readonly #sampled: ReadonlyMap<string, SampledOutput>;
  readonly #tensors: ReadonlyMap<string, Tensor>;
  readonly #open: Set<string>;
  readonly #leftOut = new Map<string, string[]>();
  readonly #rounding: () => number;

  private constructor(
    config: Record<string, unknown>,
    tensors: ReadonlyMap<string, Tensor>,
    sampled: ReadonlyMap<string, SampledOutput>,
    rounding: () => number,
  ) {
    this.config = config;
    this.#rounding = rounding;
    this.#tensors = tensors;
    this.#sampled = sampled;
    const outputs = [...tensors.keys()].filter((name) => name.startsWith("out.")).map((name) => name.slice(4));
    this.#open = new Set([...outputs, ...sampled.keys()]);
  }

  /**
   * Reads a file.
   *
   * @param rounding What the device's rounding may have changed so far, as a share of a result's largest number. Where
   * it is more than a tolerance it takes its place; what must be equal must be so in any precision.
   */
  static async read(file: TensorFile, rounding: () => number = () => 0): Promise<Golden> {
    const tensors = new Map<string, Tensor>();
    for (const [name, { shape }] of file.tensors) {
      // A result can have no elements, which a weight cannot.
      const empty = shape.includes(0);
      tensors.set(name, empty ? { dtype: "f32", shape, data: new Float32Array() } : await file.read(name));
    }
    const shapes = JSON.parse(file.metadata.get("sampled") ?? "{}") as Record<string, number[]>;
    const sampled = Object.entries(shapes).map(([name, shape]) => {
      const [values, rows, columns] = ["sample", "rows", "columns"].map((part) =>
        toFloat32(tensors.get(`${part}.${name}`)!)
      );
      return [name, { shape, values, rows, columns }] as const;
    });
    return new Golden(JSON.parse(file.metadata.get("config") ?? "{}"), tensors, new Map(sampled), rounding);
  }

  /** A number of the configuration. */
  number(key: string): number {
    return asNumber(key, this.config[key]);
  }

  /** The weights below `w.` and an optional further prefix. */
  weights(prefix = ""): Weights {
    const start = `w.${prefix}`;
    const own = [...this.#tensors].filter(([name]) => name.startsWith(start));
    return new Weights(new Map(own.map(([name, t]) => [name.slice(start.length), t])));
  }

  has(name: string): boolean {
    return this.#tensors.has(name);
  }

  /** An input as it is stored. */
  stored(name: string): Tensor {
    const found = this.#tensors.get(`in.${name}`);
    if (!found) throw new Error(`Cannot find input "${name}": the golden file does not have it`);
    return found;
  }

  /** An input in 32-bit floats. */
  input(name: string): Tensor<"f32"> {
    const t = this.stored(name);
    return { dtype: "f32", shape: t.shape, data: toFloat32(t) };
  }

  /** Names of expected outputs that match and have not been compared yet. */
  outputs(pattern: RegExp): string[] {
    return [...this.#open].filter((name) => pattern.test(name));
  }

  /** An expected output that a check computes with: it is kept whole, and as it is. */
  expected(name: string): Tensor<"f32"> {
    this.#given.add(name);
    return this.#whole(name);
  }

  #whole(name: string): Tensor<"f32"> {
    if (this.#sampled.has(name)) throw new Error(`Cannot read output "${name}": the golden file has a sample of it`);
    const t = this.#tensors.get(`out.${name}`);
    if (!t) throw new Error(`Cannot find output "${name}": the golden file does not have it`);
    return { dtype: "f32", shape: t.shape, data: toFloat32(t) };
  }

  /** An output that the reference drew or chose and that ours computes with: an input, which is not compared. */
  given(name: string): Tensor<"f32"> {
    this.#open.delete(name);
    return this.expected(name);
  }

  /** Leaves outputs out, which cannot be compared on this machine; the result says so. */
  leaveOut(names: readonly string[], why: string): void {
    for (const name of names) this.#open.delete(name);
    this.#leftOut.set(why, [...this.#leftOut.get(why) ?? [], ...names]);
  }

  /** What {@linkcode leaveOut} has left out and why. */
  get leftOut(): string | undefined {
    const reasons = [...this.#leftOut].map(([why, names]) => `without ${names.join(", ")}: ${why}`);
    return reasons.length > 0 ? reasons.join("; ") : undefined;
  }

  /** The shape of an expected output. */
  shapeOf(name: string): readonly number[] {
    return this.#sampled.get(name)?.shape ?? this.#whole(name).shape;
  }

  /** The numbers of an expected output that are kept, and ours in their places. */
  kept(name: string, actual: Numbers): { readonly ours: Numbers; readonly theirs: Float32Array } {
    const sampled = this.#sampled.get(name);
    if (!sampled) return { ours: actual, theirs: this.#whole(name).data };
    const count = sizeOf(sampled.shape);
    if (actual.length !== count) return { ours: actual, theirs: new Float32Array(count) };
    return { ours: Float32Array.from(samplePlaces(count), (at) => actual[at]), theirs: sampled.values };
  }

  /**
   * Compares an output with ours; 0 as tolerance means equal.
   *
   * @param label What is compared, where the same output is compared more than once.
   */
  compare(name: string, actual: Numbers, tolerance: number, label = name): void {
    this.#open.delete(name);
    this.allow(name, tolerance);
    const { ours, theirs } = this.kept(name, actual);
    this.check(label, ours, theirs, tolerance);
    const sampled = this.#sampled.get(name);
    if (!sampled || ours === actual) return;
    // Where all numbers are within the tolerance, so are their means.
    const allowed = tolerance === 0 ? 0 : Math.max(tolerance, this.roundingOf(theirs));
    const { rows, columns } = lineMeans(actual, sampled.shape);
    for (
      const [lines, ours, theirs] of [["rows", rows, sampled.rows], ["columns", columns, sampled.columns]] as const
    ) {
      const maxAbs = largestDifference(ours, theirs);
      this.comparisons.push({ name: `${label}, means of ${lines}`, maxAbs, tolerance: allowed });
    }
  }

  /** Notes by how much the numbers of an output may differ. */
  allow(name: string, tolerance: number): void {
    this.#tolerances.set(name, Math.min(tolerance, this.#tolerances.get(name) ?? Infinity));
  }

  /** What {@linkcode allow} has noted of outputs that nothing is computed with. */
  get tolerances(): ReadonlyMap<string, number> {
    return new Map([...this.#tolerances].filter(([name]) => !this.#given.has(name)));
  }

  /** Compares an output by another measure than the largest difference; `maxAbs` is what is printed. */
  judge(name: string, maxAbs: number, tolerance: number): void {
    this.#open.delete(name);
    this.comparisons.push({ name, maxAbs, tolerance });
  }

  /** Compares numbers that are not outputs themselves. */
  check(name: string, actual: Numbers, expected: Numbers, tolerance: number): void {
    const allowed = tolerance === 0 ? 0 : Math.max(tolerance, this.roundingOf(expected));
    this.comparisons.push({ name, maxAbs: largestDifference(actual, expected), tolerance: allowed });
  }

  /** What the device's rounding may have changed in a result like this one; 0 on devices of 32-bit floats. */
  roundingOf(expected: Numbers): number {
    const share = this.#rounding();
    return share === 0 ? 0 : share * largestNumber(expected);
  }

  /** Marks outputs that say nothing that another comparison does not. */
  get uncompared(): readonly string[] {
    return [...this.#open];
  }
}

/** Largest absolute difference; infinite when the lengths differ or a number is not finite. */
export function largestDifference(a: Numbers, b: Numbers): number {
  if (a.length !== b.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < a.length; i++) {
    const d = Math.abs(a[i] - b[i]);
    if (!(d <= worst)) worst = Number.isNaN(d) ? Infinity : d;
  }
  return worst;
}

function largestNumber(numbers: Numbers): number {
  let largest = 0;
  for (let i = 0; i < numbers.length; i++) {
    if (Number.isFinite(numbers[i])) largest = Math.max(largest, Math.abs(numbers[i]));
  }
  return largest;
}

/** A part of a tensor along its first axes. */
export function part(t: Tensor<"f32">, ...indices: readonly number[]): Tensor<"f32"> {
  const shape = t.shape.slice(indices.length);
  const size = sizeOf(shape);
  const at = indices.reduce((n, index, axis) => n * t.shape[axis] + index, 0);
  return { dtype: "f32", shape, data: t.data.subarray(at * size, (at + 1) * size) };
}

/** [C,F,...] to [F,C,...] or back. */
export function swapFirstAxes(t: Tensor<"f32">): Tensor<"f32"> {
  const [a, b, ...rest] = t.shape;
  const size = sizeOf(rest);
  const data = new Float32Array(t.data.length);
  for (let i = 0; i < a; i++) {
    for (let j = 0; j < b; j++) {
      data.set(t.data.subarray((i * b + j) * size, (i * b + j + 1) * size), (j * a + i) * size);
    }
  }
  return { dtype: "f32", shape: [b, a, ...rest], data };
}

export function asNumber(key: string, value: unknown): number {
  if (typeof value !== "number") throw new Error(`Cannot read the golden's ${key}: it is ${value}, expected a number`);
  return value;
}
