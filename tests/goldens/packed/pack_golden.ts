/**
 * Packs a golden: tries for each tensor what foretells it best.
 *
 * @module
 */
import { brotliCompressSync, constants } from "node:zlib";
import { encodeSafetensors, openSafetensors, sizeOf, type Tensor, toFloat32 } from "../../../lib/compute/tensor/mod.ts";
import { numpyNormals } from "./numpy_normals.ts";
import {
  type Forecast,
  Forecasts,
  hashOf,
  type PackedHead,
  type PackedTensor,
  planesOf,
  type Words,
} from "./packed_golden.ts";

/** Words of torch's generator in which tensors are sought. */
const SOUGHT = 1_200_000;
/** Seeds beyond the one that a file names which its tensors are sought with. */
const MORE_SEEDS = 3;

/** Packs the bytes of a safetensors file; its elements come back bit for bit. */
export async function packGolden(file: Uint8Array): Promise<Uint8Array> {
  const { metadata, tensors } = await readTensors(file);
  const named = Number(metadata.get("seed"));
  const seeds = Number.isInteger(named) ? Array.from({ length: 1 + MORE_SEEDS }, (_, i) => named + i) : [];
  const forecasts = new Forecasts();
  const packed: PackedTensor[] = [];
  const remainders: Uint8Array[] = [];
  for (const [name, { dtype, shape, data }] of tensors) {
    const t = { dtype, shape, data } as Tensor;
    let best: { from: Forecast; planes: Uint8Array; size: number } | undefined;
    for (const from of candidates(name, t, seeds, forecasts)) {
      const words = wordsOf(t);
      forecasts.remainder(words, from);
      const planes = planesOf(words);
      const size = entropyOf(planes, words.length);
      if (!best || size < best.size) best = { from, planes, size };
    }
    packed.push({ name, dtype, shape, from: best!.from });
    remainders.push(best!.planes);
  }
  const sha256 = hashOf(encodeSafetensors(tensors, metadata));
  const head: PackedHead = { metadata: Object.fromEntries(metadata), sha256, tensors: packed };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return compress(Buffer.concat([length, json, ...remainders]));
}

/** The metadata and tensors of a safetensors file, in the order of their names. */
export async function readTensors(
  file: Uint8Array,
): Promise<{ metadata: ReadonlyMap<string, string>; tensors: Map<string, Tensor> }> {
  const opened = await openSafetensors("golden", file);
  const tensors = new Map<string, Tensor>();
  for (const [name, { shape }] of [...opened.tensors].sort(([a], [b]) => (a < b ? -1 : 1))) {
    tensors.set(name, shape.includes(0) ? { dtype: "f32", shape, data: new Float32Array() } : await opened.read(name));
  }
  return { metadata: opened.metadata, tensors };
}

/** Bits of planes of bytes, each byte by how often its plane has it. */
function entropyOf(planes: Uint8Array, length: number): number {
  let bits = 0;
  for (let at = 0; at < planes.length; at += length) {
    const counts = new Uint32Array(256);
    for (let i = at; i < at + length; i++) counts[planes[i]]++;
    for (const count of counts) if (count > 0) bits -= count * Math.log2(count / length);
  }
  return bits;
}

/** Compresses as well as Brotli can. */
export function compress(bytes: Uint8Array): Uint8Array {
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params });
}

function wordsOf({ dtype, data }: Tensor): Words {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
  if (dtype === "u8" || dtype === "i8") return bytes;
  return dtype === "f16" || dtype === "bf16" ? new Uint16Array(bytes.buffer) : new Uint32Array(bytes.buffer);
}

function candidates(name: string, t: Tensor, seeds: readonly number[], forecasts: Forecasts): Forecast[] {
  const isFloat = t.dtype === "f16" || t.dtype === "f32";
  if (isFloat && !name.startsWith("out.") && t.data.length >= 16) {
    const made = foundInSeeds(t, seeds, forecasts);
    if (made) return [made];
  }
  const width = t.shape.at(-1) ?? 1;
  const plane = width * (t.shape.at(-2) ?? 1);
  const distances = new Set([1, width, plane].filter((distance) => distance > 0 && distance < t.data.length));
  const nears: number[][] = [...distances].flatMap((a) => [[a], [a, a], ...[...distances].map((b) => [a, b])]);
  const step = t.dtype === "f32" ? commonStep(t.data as Float32Array) : undefined;
  return [
    {},
    ...nears.map((near) => ({ near })),
    ...(step === undefined ? [] : [[], ...nears].map((near) => ({ step, near }))),
  ];
}

/** The seed, offset, scale and shift that a tensor was made with. */
function foundInSeeds(t: Tensor, seeds: readonly number[], forecasts: Forecasts): Forecast | undefined {
  const values = toFloat32(t);
  for (const seed of seeds) {
    const normals = forecasts.torch(seed);
    for (const offset of normals.offsetsOf(values, SOUGHT)) {
      const fit = fitLine(normals.at(offset, values.length), values, t.shape);
      if (fit) return { torch: seed, offset, ...fit };
    }
  }
  for (const seed of values.length > 4096 ? seeds : []) {
    const forecast = fitLine(numpyNormals(seed, values.length), values, t.shape);
    if (forecast) return { numpy: seed, ...forecast };
  }
}

/** The line through normal numbers and the elements made from them; undefined where they are not. */
function fitLine(
  normals: ArrayLike<number>,
  values: Float32Array,
  shape: readonly number[],
): { scale: number; shift: number } | undefined {
  const count = values.length;
  let [sz, sv, szz, szv, svv] = [0, 0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    sz += normals[i];
    sv += values[i];
    szz += normals[i] ** 2;
    szv += normals[i] * values[i];
    svv += values[i] ** 2;
  }
  const [covariance, variance, power] = [szv - sz * sv / count, szz - sz * sz / count, svv - sv * sv / count];
  if (!(covariance ** 2 > 0.9999 * variance * power)) return undefined;
  const scale = covariance / variance;
  const shift = (sv - scale * sz) / count;
  const inputs = shape.length > 1 ? sizeOf(shape.slice(1)) : shape[0];
  const round = Math.round(scale * 1000) / 1000;
  const scales = [scale, round, ...[1, 0.5, 2, 1.5, 0.8, 1.2, 0.9, 1.1, Math.SQRT2].map((k) => k / Math.sqrt(inputs))];
  const shifts = [Math.round(shift * 20) / 20, Math.round(shift * 100) / 100, shift];
  let best = { scale, shift, error: Infinity };
  for (const s of scales) {
    for (const c of shifts) {
      let error = 0;
      for (let i = 0; i < count; i++) error += (c + s * normals[i] - values[i]) ** 2;
      if (error < best.error * (1 - 1e-9)) best = { scale: s, shift: c, error };
    }
  }
  return { scale: best.scale, shift: best.shift };
}

/** The largest power of two of which all numbers are multiples, where they are below 2^31 of them. */
function commonStep(values: Float32Array): number | undefined {
  let step = 2 ** 30;
  let largest = 0;
  for (const value of values) {
    if (Number.isNaN(value) || Object.is(value, -0)) return undefined;
    if (!Number.isFinite(value)) continue;
    largest = Math.max(largest, Math.abs(value));
    while (value % step !== 0) step /= 2;
  }
  return largest > 0 && largest / step < 2 ** 31 - 1 ? step : undefined;
}
