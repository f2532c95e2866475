/**
 * Weights as files hold them: plain tensors, matrices of 8 or 4 bits in several tensors, or integers with a scale a row.
 *
 * A quantised weight `W` is stored as `W.q8` or `W.q4` (the numbers), `W.scales` and, where zero is not in the middle,
 * `W.zeros`; see {@linkcode QuantizedMatrix} for their shapes. Linear layers and embeddings may be quantised, nothing
 * else.
 *
 * An integer weight `W` is stored under its own name as `I8`, and a scale for each index of its first axis as `W_scale`
 * (the names of compressed-tensors). Any weight may be one, kernels of convolutions too: 8 bits are its form in the file
 * alone, it is widened to 32 bits as it is read.
 *
 * @module
 */
import {
  dequantize,
  f32,
  FileTensor,
  formatShape,
  type QuantizedMatrix,
  quantizedMatrix,
  sameShape,
  type Shape,
  ShapeError,
  sizeOf,
  type Tensor,
  type TensorFile,
  tensorPart,
  toFloat32,
} from "../../compute/tensor/mod.ts";

/** A weight in ordinary memory. */
export type StoredWeight = Tensor | QuantizedMatrix;

/** Bytes of all tensors of some files. */
export function storedBytes(files: readonly TensorFile[]): number {
  return files.flatMap(({ tensors }) => [...tensors.values()]).reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Whether the weight is quantised. */
export function isQuantized(weight: StoredWeight): weight is QuantizedMatrix {
  return "kind" in weight;
}

/** Names of the tensors of a quantised weight in a file. */
interface QuantizedNames {
  readonly bits: 4 | 8;
  readonly values: string;
  readonly scales: string;
  readonly zeroPoints: string | undefined;
}

/** Where a file keeps the quantised form of a weight; undefined when it has none. */
function quantizedNames({ tensors }: TensorFile, name: string): QuantizedNames | undefined {
  const bits = ([8, 4] as const).find((bits) => tensors.has(`${name}.q${bits}`));
  if (bits === undefined) return undefined;
  const zeros = `${name}.zeros`;
  return {
    bits,
    values: `${name}.q${bits}`,
    scales: `${name}.scales`,
    zeroPoints: tensors.has(zeros) ? zeros : undefined,
  };
}

function scaleName(name: string): string {
  return `${name}_scale`;
}

/** Whether a file has the weight as integers. */
function hasIntegers({ tensors }: TensorFile, name: string): boolean {
  return tensors.get(name)?.dtype === "I8";
}

/** All tensors of a file that make a weight, none when it has no such weight. */
export function partsOfWeight(file: TensorFile, name: string): string[] {
  if (hasIntegers(file, name)) return [name, scaleName(name)];
  if (file.tensors.has(name)) return [name];
  const names = quantizedNames(file, name);
  if (!names) return [];
  return [names.values, names.scales, ...(names.zeroPoints ? [names.zeroPoints] : [])];
}

/** Adds a missing weight, or one of another shape, to `problems`. */
export function checkWeight(file: TensorFile, name: string, shape: Shape, problems: string[]): void {
  const stored = file.tensors.get(name);
  if (stored && !sameWeight(stored.shape, shape)) {
    problems.push(
      `${file.name} has tensor "${name}" with shape ${formatShape(stored.shape)}, expected ${formatShape(shape)}`,
    );
  }
  if (stored) {
    if (hasIntegers(file, name)) checkScales(file, name, shape, problems);
    return;
  }
  const names = shape.length === 2 ? quantizedNames(file, name) : undefined;
  if (!names) {
    problems.push(`${file.name} lacks tensor "${name}" ${formatShape(shape)}`);
    return;
  }
  if (!file.tensors.has(names.scales)) {
    problems.push(`${file.name} lacks tensor "${names.scales}" beside "${names.values}"`);
    return;
  }
  try {
    quantizedMatrix({
      bits: names.bits,
      shape: [shape[0], shape[1]],
      values: described(file, names.values),
      scales: described(file, names.scales),
      zeroPoints: names.zeroPoints === undefined ? undefined : described(file, names.zeroPoints),
    });
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    problems.push(`${file.name} has a wrong weight "${name}": ${error.message}`);
  }
}

function checkScales(file: TensorFile, name: string, [rows]: Shape, problems: string[]): void {
  const scales = file.tensors.get(scaleName(name));
  const expected = `floats ${formatShape([rows])}, since "${name}" has 8-bit integers`;
  if (!scales) {
    problems.push(`${file.name} lacks tensor "${scaleName(name)}", expected ${expected}`);
  } else if (!["F32", "F16", "BF16"].includes(scales.dtype) || !sameWeight(scales.shape, [rows])) {
    const found = `${scales.dtype} ${formatShape(scales.shape)}`;
    problems.push(`${file.name} has tensor "${scales.name}" as ${found}, expected ${expected}`);
  }
}

/** A tensor of the file without its elements, for checks of shapes and types. */
function described(file: TensorFile, name: string): Tensor<"u8"> {
  const { dtype, shape } = file.tensors.get(name)!;
  return { dtype: dtype.toLowerCase() as "u8", shape, data: new Uint8Array(0) };
}

/**
 * A weight whose shape was checked before, without its elements: enough to plan with. Vectors are there, filled with
 * zeros, since graphs are built with some of them.
 */
export function describeWeight(file: TensorFile, name: string, shape: Shape): StoredWeight {
  const [rows, columns] = shape;
  if (columns !== undefined && hasIntegers(file, name)) return { dtype: "f32", shape, data: new Float32Array(0) };
  const names = file.tensors.has(name) ? undefined : quantizedNames(file, name);
  if (names) {
    return quantizedMatrix({
      bits: names.bits,
      shape: [rows, columns],
      values: described(file, names.values),
      scales: described(file, names.scales),
      zeroPoints: names.zeroPoints === undefined ? undefined : described(file, names.zeroPoints),
    });
  }
  return columns === undefined ? f32([rows], new Float32Array(rows)) : described(file, name);
}

/** Tensors up to this size are read at once even where they could be left in their file: graphs look at some of them. */
const SMALL = 2 ** 16;

/**
 * Reads a weight whose shape was checked before.
 *
 * @param later Leaves large tensors in the file, where it can, until they are used.
 */
export async function readWeight(file: TensorFile, name: string, shape: Shape, later = false): Promise<StoredWeight> {
  const names = file.tensors.has(name) ? undefined : quantizedNames(file, name);
  const read = async (part: string): Promise<Tensor> =>
    later && file.later && file.tensors.get(part)!.byteLength > SMALL ? file.later(part) : await file.read(part);
  if (hasIntegers(file, name)) return widened(await read(name), await file.read(scaleName(name)));
  if (!names) return await read(name);
  const [rows, columns] = shape;
  return quantizedMatrix({
    bits: names.bits,
    shape: [rows, columns],
    values: await read(names.values) as Tensor<"u8">,
    scales: await read(names.scales),
    zeroPoints: names.zeroPoints === undefined ? undefined : await file.read(names.zeroPoints) as Tensor<"u8">,
  });
}

/** Integers times the scale of their row, as 32-bit floats; those that are in a file stay there until they are used. */
function widened(integers: Tensor, scales: Tensor): Tensor<"f32"> {
  if (!(integers instanceof FileTensor)) return widenIntegers(integers, scales);
  const factors = toFloat32(scales);
  return new FileTensor("f32", integers.shape, (offset, length) => {
    const part = widenedPart(integers, factors, offset / 4, length / 4);
    return new Uint8Array(part.buffer);
  });
}

/** Integers times the scale of their row, as 32-bit floats. */
export function widenIntegers(integers: Tensor, scales: Tensor): Tensor<"f32"> {
  return f32(integers.shape, widenedPart(integers, toFloat32(scales), 0, sizeOf(integers.shape)));
}

/** Some neighbouring elements of them. */
function widenedPart(integers: Tensor, factors: Float32Array, first: number, count: number): Float32Array {
  const each = sizeOf(integers.shape) / factors.length;
  const { data } = tensorPart(integers, [count], first);
  const out = new Float32Array(count);
  for (let i = 0; i < count;) {
    const row = Math.floor((first + i) / each);
    const end = Math.min(count, (row + 1) * each - first);
    for (; i < end; i++) out[i] = data[i] * factors[row];
  }
  return out;
}

/** Converters store per-channel vectors with or without their axes of size 1. */
function sameWeight(stored: Shape, expected: Shape): boolean {
  const squeezed = (shape: Shape) => (shape.slice(1).every((d) => d === 1) ? shape.slice(0, 1) : shape);
  return sameShape(squeezed(stored), squeezed(expected));
}

/**
 * Rows of an embedding table [vocabulary,D] as 32-bit floats [length,D], zero after the last id. The table is large and
 * few rows are used, so it is never uploaded.
 *
 * @throws {Error} when an id is not in the table.
 */
export function embeddingRows(table: StoredWeight, ids: ArrayLike<number>, length: number): Tensor {
  const [count, width] = table.shape;
  const rows = new Float32Array(length * width);
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] >= count) {
      throw new Error(`Cannot encode the prompt: token ${ids[i]} is out of range, expected an id below ${count}`);
    }
    rows.set(rowOf(table, ids[i]), i * width);
  }
  return f32([length, width], rows);
}

function rowOf(table: StoredWeight, id: number): Float32Array {
  if (isQuantized(table)) return dequantize(table, id, 1).data;
  const [, width] = table.shape;
  return toFloat32(tensorPart(table, [width], id * width));
}
