/**
 * How each weight of a world is stored.
 *
 * @module
 */
import { formatShape, halfToFloat, type Shape, sizeOf, toFloat32, viewElements } from "../../../compute/tensor/mod.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import type { CheckpointTensor } from "../../../models/checkpoint/torch/state_dict.ts";

/** What a part is converted to. */
export type WeightType = "f32" | "f16" | "q8" | "q4";

/** One weight in its file. */
export type StoredForm =
  | { readonly kind: "floats"; readonly dtype: "F32" | "F16" }
  | { readonly kind: "quantised"; readonly bits: 4 | 8; readonly groupSize: number };

/** Small, used in every pass, and what everything else hangs on: they stay floats. */
const KEPT: Readonly<Record<"arworld" | "actionworld", RegExp>> = {
  arworld: /^(time_embedding|time_projection|text_embedding|head|patch_embedding)\.|pos_embedding|modulation$/,
  actionworld: /^(time_embedder|proj_in|proj_out|action_proj_in|action_proj_out)\.|\.embeddings\./,
};

/** Groups by measured error: with 4 bits a wider group costs more than its scales save. */
const GROUPS: Readonly<Record<4 | 8, number>> = { 8: 64, 4: 32 };

/** The form of a weight by its name in the file. Vectors stay in 32 bits: they are few and scale everything. */
export function storedForm(name: string, shape: Shape, type: WeightType): StoredForm {
  const isVector = shape.filter((length) => length > 1).length <= 1 || /modulation$/.test(name);
  if (type === "f32" || isVector) return { kind: "floats", dtype: "F32" };
  if (type === "f16" || shape.length !== 2 || Object.values(KEPT).some((kept) => kept.test(name))) {
    return { kind: "floats", dtype: "F16" };
  }
  // A table of tokens is looked up, not multiplied by: its errors go straight into the text.
  const bits = type === "q8" || /^(token_embedding|embed_tokens)\.weight$/.test(name) ? 8 : 4;
  return { kind: "quantised", bits, groupSize: GROUPS[bits] };
}

/** A tensor of the file to write. */
export interface StoredPart {
  readonly name: string;
  readonly dtype: "F32" | "F16" | "U8";
  readonly shape: Shape;
  readonly byteLength: number;
}

/** The tensors that a weight becomes. */
export function storedParts(name: string, shape: Shape, form: StoredForm): readonly StoredPart[] {
  if (form.kind === "floats") {
    return [{ name, dtype: form.dtype, shape, byteLength: sizeOf(shape) * (form.dtype === "F32" ? 4 : 2) }];
  }
  const [rows, columns] = shape;
  if (columns === undefined) throw new Error(`Cannot quantise ${name} ${formatShape(shape)}: it is not a matrix`);
  const groups = Math.ceil(columns / form.groupSize);
  const width = groups * form.groupSize * form.bits / 8;
  return [
    { name: `${name}.q${form.bits}`, dtype: "U8", shape: [rows, width], byteLength: rows * width },
    { name: `${name}.scales`, dtype: "F32", shape: [rows, groups], byteLength: rows * groups * 4 },
  ];
}

/** Numbers that are in memory together, at least a row of them. */
const NUMBERS = 2 ** 22;

const eight: Readonly<Record<"F8_E4M3" | "F8_E5M2", Float32Array>> = {
  F8_E4M3: Float32Array.from({ length: 256 }, (_, bits) => e4m3(bits)),
  // The upper half of a 16-bit float.
  F8_E5M2: Float32Array.from({ length: 256 }, (_, bits) => halfToFloat(bits << 8)),
};

/** No infinities: only the two patterns of all ones are not numbers (OCP 8-bit floating point, E4M3). */
function e4m3(bits: number): number {
  const sign = bits & 0x80 ? -1 : 1;
  const exponent = (bits >> 3) & 15;
  const mantissa = bits & 7;
  if (exponent === 15 && mantissa === 7) return NaN;
  return sign * (exponent === 0 ? mantissa * 2 ** -9 : (8 + mantissa) * 2 ** (exponent - 10));
}

/** Whether numbers of this type need the scale beside them. */
export function isEightBit({ dtype }: CheckpointTensor): boolean {
  return dtype === "F8_E4M3" || dtype === "F8_E5M2" || dtype === "I8";
}

/**
 * The numbers in whole rows of the last axis; each array is used before the next is asked for.
 *
 * @param scales Of 8-bit numbers: one, or one per row.
 * @throws {SvcError} `checkpoint_refused` for types that are not numbers of weights.
 */
export async function* readNumbers(
  name: string,
  tensor: CheckpointTensor,
  scales?: Float32Array,
): AsyncGenerator<Float32Array> {
  const width = tensor.shape.at(-1) ?? 1;
  const count = tensor.shape.reduce((n, length) => n * length, 1);
  const bytesEach = tensor.byteLength / count;
  const rows = Math.max(1, Math.floor(NUMBERS / width));
  const outer = tensor.shape[0] ?? 1;
  if (scales && scales.length !== 1 && scales.length !== outer) {
    throw refuse(name, tensor, `${scales.length} scales for ${outer} rows`);
  }
  let row = 0;
  for await (const bytes of pieces(tensor.read(), Math.min(tensor.byteLength, rows * width * bytesEach))) {
    const numbers = decode(name, tensor, bytes);
    if (scales) {
      const each = count / outer;
      for (let i = 0; i < numbers.length; i++) {
        numbers[i] *= scales.length === 1 ? scales[0] : scales[Math.floor((row * width + i) / each)];
      }
    }
    row += numbers.length / width;
    yield numbers;
  }
}

function decode(name: string, tensor: CheckpointTensor, bytes: Uint8Array): Float32Array {
  const { dtype } = tensor;
  const view = <D extends "f32" | "f16" | "bf16">(type: D, size: number) => ({
    dtype: type,
    shape: [bytes.length / size],
    data: viewElements(type, bytes.buffer, bytes.byteOffset, bytes.length / size),
  });
  switch (dtype) {
    case "F32":
      return toFloat32(view("f32", 4)).slice();
    case "F16":
      return toFloat32(view("f16", 2));
    case "BF16":
      return toFloat32(view("bf16", 2));
    case "F8_E4M3":
    case "F8_E5M2":
      return Float32Array.from(bytes, (bits) => eight[dtype][bits]);
    case "I8":
      return Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length));
    case "F64": {
      const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      return Float32Array.from({ length: bytes.length / 8 }, (_, i) => data.getFloat64(8 * i, true));
    }
    default:
      throw refuse(name, tensor, `numbers of the type ${dtype}`);
  }
}

function refuse(source: string, { name }: CheckpointTensor, found: string): SvcError {
  return new SvcError(
    "checkpoint_refused",
    `Cannot convert ${source}: its tensor ${JSON.stringify(name.slice(0, 80))} has ${found}, expected floats`,
  );
}

/** The bytes of a stream in pieces of one size, the last one shorter. */
async function* pieces(parts: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(size);
  let filled = 0;
  for await (const part of parts) {
    for (let at = 0; at < part.length;) {
      const taken = Math.min(size - filled, part.length - at);
      piece.set(part.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < size) continue;
      yield piece;
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}
