/**
 * The form in which goldens are stored in the repository. A tensor is what can be foretold of it and a remainder:
 * weights and noise that a seed makes are made again, so that hardly any remainder is left, smooth numbers are
 * predicted from their neighbours, and what has few digits is a whole number of steps. The remainders, byte by byte,
 * are compressed by Brotli. Every element that is unpacked has the bits that were packed; a hash says so.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import { type DType, encodeSafetensors, floatToHalf, sizeOf, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import { numpyNormals } from "./numpy_normals.ts";
import { TorchNormals } from "./torch_normals.ts";

/** How the names of packed goldens end. */
export const PACKED = ".golden";

/** How the names of JSON goldens end that Brotli has packed. */
export const PACKED_JSON = ".json.br";

/** The text of a JSON golden. */
export function jsonText(name: string, bytes: Uint8Array): string {
  return new TextDecoder().decode(name.endsWith(PACKED_JSON) ? brotliDecompressSync(bytes) : bytes);
}

/** What the elements of a tensor are foretold from. */
export type Forecast =
  /** `shift + scale` times the normal numbers of torch after `offset` words of its generator. */
  | { readonly torch: number; readonly offset: number; readonly scale: number; readonly shift: number }
  /** The same of the first normal numbers of numpy. */
  | { readonly numpy: number; readonly scale: number; readonly shift: number }
  /** A whole number of steps, and its neighbours at these distances. */
  | { readonly step: number; readonly near: readonly number[] }
  /** The neighbours at these distances, among bits in the order of the numbers. */
  | { readonly near: readonly number[] }
  | Record<never, never>;

/** A packed tensor; its remainder follows in the order of the tensors. */
export interface PackedTensor {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly from: Forecast;
}

/** What precedes the remainders. */
export interface PackedHead {
  readonly metadata: Readonly<Record<string, string>>;
  /** SHA-256 of what is unpacked. */
  readonly sha256: string;
  readonly tensors: readonly PackedTensor[];
}

/** The elements of a tensor as unsigned words. */
export type Words = Uint8Array | Uint16Array | Uint32Array;

const wordsOf = {
  u8: Uint8Array,
  i8: Uint8Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  f32: Uint32Array,
  i32: Uint32Array,
};
const arrays = {
  u8: Uint8Array,
  i8: Int8Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  f32: Float32Array,
  i32: Int32Array,
};

/** Makes the safetensors file of a packed golden. */
export function unpackGolden(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = brotliDecompressSync(packed);
  const length = bytes.readUInt32LE(0);
  const head = JSON.parse(bytes.toString("utf8", 4, 4 + length)) as PackedHead;
  const sources = new Forecasts();
  const tensors = new Map<string, Tensor>();
  let at = 4 + length;
  for (const { name, dtype, shape, from } of head.tensors) {
    const words = new wordsOf[dtype](sizeOf(shape));
    readPlanes(bytes, at, words);
    at += words.byteLength;
    sources.complete(words, from);
    tensors.set(name, { dtype, shape, data: new arrays[dtype](words.buffer) } as Tensor);
  }
  const file = encodeSafetensors(tensors, new Map(Object.entries(head.metadata)));
  const sha256 = hashOf(file);
  if (sha256 !== head.sha256) {
    throw new Error(`Cannot unpack the golden: its hash is ${sha256}, expected ${head.sha256}`);
  }
  return file;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Turns elements into remainders and back; keeps what seeds have made. */
export class Forecasts {
  readonly #torch = new Map<number, TorchNormals>();

  torch(seed: number): TorchNormals {
    let normals = this.#torch.get(seed);
    if (!normals) this.#torch.set(seed, normals = new TorchNormals(seed));
    return normals;
  }

  /** The remainder of elements, in place. */
  remainder(words: Words, from: Forecast): void {
    if ("step" in from) {
      toSteps(words as Uint32Array, from.step);
      for (const distance of from.near) subtractNeighbours(words, distance);
    } else if ("near" in from) {
      order(words);
      for (const distance of from.near) subtractNeighbours(words, distance);
    } else {
      const made = this.#made(words, from);
      if (!made) return;
      for (let i = 0; i < words.length; i++) words[i] -= made[i];
    }
    fold(words);
  }

  /** The elements of a remainder, in place. */
  complete(words: Words, from: Forecast): void {
    const isMade = "torch" in from || "numpy" in from;
    if (!isMade && !("near" in from)) return;
    unfold(words);
    if ("near" in from) {
      for (const distance of from.near.toReversed()) addNeighbours(words, distance);
      if ("step" in from) fromSteps(words as Uint32Array, from.step);
      else disorder(words);
      return;
    }
    const made = this.#made(words, from)!;
    for (let i = 0; i < words.length; i++) words[i] += made[i];
  }

  #made(words: Words, from: Forecast): Words | undefined {
    if (!("torch" in from) && !("numpy" in from)) return undefined;
    const normals = "torch" in from
      ? this.torch(from.torch).at(from.offset, words.length)
      : numpyNormals(from.numpy, words.length);
    // torch scales and shifts 32-bit floats.
    const values = Float32Array.from(normals, (z) => Math.fround(Math.fround(z) * from.scale) + from.shift);
    return words instanceof Uint16Array ? Uint16Array.from(values, floatToHalf) : new Uint32Array(values.buffer);
  }
}

/** Infinite numbers among whole numbers of steps. */
const ENDLESS = 0x7fffffff;

function toSteps(words: Uint32Array, step: number): void {
  const values = new Float32Array(words.buffer, words.byteOffset, words.length);
  const steps = new Int32Array(words.buffer, words.byteOffset, words.length);
  for (let i = 0; i < values.length; i++) {
    steps[i] = Number.isFinite(values[i]) ? values[i] / step : Math.sign(values[i]) * ENDLESS;
  }
}

function fromSteps(words: Uint32Array, step: number): void {
  const values = new Float32Array(words.buffer, words.byteOffset, words.length);
  const steps = new Int32Array(words.buffer, words.byteOffset, words.length);
  for (let i = 0; i < values.length; i++) {
    values[i] = Math.abs(steps[i]) === ENDLESS ? Math.sign(steps[i]) * Infinity : steps[i] * step;
  }
}

/** Bits of floats so that larger numbers have larger bits, as two's complement; bytes stay as they are. */
function order(words: Words): void {
  if (words instanceof Uint8Array) return;
  const sign = words instanceof Uint16Array ? 0x8000 : 0x80000000;
  for (let i = 0; i < words.length; i++) if (words[i] >= sign) words[i] = ~(words[i] - sign);
}

function disorder(words: Words): void {
  if (words instanceof Uint8Array) return;
  const sign = words instanceof Uint16Array ? 0x8000 : 0x80000000;
  for (let i = 0; i < words.length; i++) if (words[i] >= sign) words[i] = ~words[i] + sign;
}

function subtractNeighbours(words: Words, distance: number): void {
  for (let i = words.length - 1; i >= distance; i--) words[i] -= words[i - distance];
}

function addNeighbours(words: Words, distance: number): void {
  for (let i = distance; i < words.length; i++) words[i] += words[i - distance];
}

/** Small numbers of either sign as small numbers: 0, -1, 1, -2, ... */
function fold(words: Words): void {
  const unused = 32 - 8 * words.BYTES_PER_ELEMENT;
  for (let i = 0; i < words.length; i++) {
    const signed = (words[i] << unused) >> unused;
    words[i] = (signed << 1) ^ (signed >> 31);
  }
}

function unfold(words: Words): void {
  for (let i = 0; i < words.length; i++) words[i] = (words[i] >>> 1) ^ -(words[i] & 1);
}

/** All first bytes of the words, then all second ones, and so on. */
export function planesOf(words: Words): Uint8Array {
  const size = words.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  return Uint8Array.from(bytes, (_, i) => bytes[(i % words.length) * size + Math.floor(i / words.length)]);
}

function readPlanes(from: Uint8Array, at: number, words: Words): void {
  const size = words.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(words.buffer);
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0; i < words.length; i++) bytes[i * size + plane] = from[at++];
  }
}
