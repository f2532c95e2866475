/**
 * Conversions between 32-bit floats and the two 16-bit float formats.
 *
 * @module
 */
import { type Tensor, tensor } from "./tensor.ts";

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** Bits of an IEEE 754 binary16 number, widened exactly. */
export function halfToFloat(bits: number): number {
  const sign = (bits & 0x8000) << 16;
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 0) {
    const magnitude = mantissa * 2 ** -24;
    return sign ? -magnitude : magnitude;
  }
  word[0] = (sign | ((exponent === 31 ? 255 : exponent + 112) << 23) | (mantissa << 13)) >>> 0;
  return float[0];
}

/** Nearest IEEE 754 binary16 number (ties to even); overflow becomes infinity. */
export function floatToHalf(value: number): number {
  float[0] = value;
  const x = word[0];
  const sign = (x >>> 16) & 0x8000;
  const magnitude = x & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00; // NaN
  if (magnitude >= 0x477ff000) return sign | 0x7c00; // rounds past 65504
  if (magnitude < 0x33000001) return sign; // rounds to zero
  if (magnitude < 0x38800000) { // subnormal: shift the mantissa with its hidden bit
    const shift = 126 - (magnitude >>> 23);
    const mantissa = (magnitude & 0x7fffff) | 0x800000;
    const half = mantissa >>> shift;
    const rest = mantissa & ((1 << shift) - 1);
    const middle = 1 << (shift - 1);
    return sign | (half + (rest > middle || (rest === middle && half & 1) ? 1 : 0));
  }
  const rounded = magnitude + 0xfff + ((magnitude >>> 13) & 1);
  return sign | ((rounded - 0x38000000) >>> 13);
}

/** Bits of a bfloat16 number, widened exactly. */
export function bfloatToFloat(bits: number): number {
  word[0] = (bits << 16) >>> 0;
  return float[0];
}

/** Nearest bfloat16 number (ties to even). */
export function floatToBfloat(value: number): number {
  float[0] = value;
  const x = word[0];
  if ((x & 0x7fffffff) > 0x7f800000) return (x >>> 16) | 0x40;
  return ((x + 0x7fff + ((x >>> 16) & 1)) >>> 16) & 0xffff;
}

const halfTable = /* @__PURE__ */ lazyTable(halfToFloat);

function lazyTable(convert: (bits: number) => number): () => Float32Array {
  let table: Float32Array | undefined;
  return () => table ??= Float32Array.from({ length: 65536 }, (_, i) => convert(i));
}

/** The elements as 32-bit floats; the array itself when they already are. */
export function toFloat32(t: Tensor): Float32Array {
  switch (t.dtype) {
    case "f32":
      return t.data as Float32Array;
    case "f16": {
      // A table pays from a few thousand elements on; below that it would cost more than it saves.
      const source = t.data as Uint16Array;
      if (source.length < 4096) return Float32Array.from(source, halfToFloat);
      const table = halfTable();
      const out = new Float32Array(source.length);
      for (let i = 0; i < out.length; i++) out[i] = table[source[i]];
      return out;
    }
    case "bf16": {
      const source = t.data as Uint16Array;
      const out = new Float32Array(source.length);
      const bits = new Uint32Array(out.buffer);
      for (let i = 0; i < bits.length; i++) bits[i] = source[i] << 16;
      return out;
    }
    default:
      return Float32Array.from(t.data);
  }
}

/** The tensor rounded to 16-bit floats. */
export function toHalf(t: Tensor): Tensor<"f16"> {
  if (t.dtype === "f16") return t as Tensor<"f16">;
  return tensor("f16", t.shape, roundToHalf(toFloat32(t)));
}

/** {@linkcode floatToHalf} of all elements; normal numbers, nearly all there are, without a call. */
function roundToHalf(source: Float32Array): Uint16Array {
  const bits = new Uint32Array(source.buffer, source.byteOffset, source.length);
  const out = new Uint16Array(source.length);
  for (let i = 0; i < out.length; i++) {
    const x = bits[i];
    const magnitude = x & 0x7fffffff;
    out[i] = magnitude >= 0x38800000 && magnitude < 0x477ff000
      ? ((x >>> 16) & 0x8000) | ((magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13)
      : floatToHalf(source[i]);
  }
  return out;
}
