/**
 * Resizes images exactly as Pillow does, byte for byte.
 * Filters grow with the shrink factor. Rows are resampled first, then columns, with 22-bit fixed-point weights and
 * rounding to 8 bits after each.
 *
 * @module
 */
import type { RgbImage } from "./rgb_image.ts";

/** Interpolation methods; all but `nearest` take every pixel into account when shrinking. */
export type ResizeKernel = "nearest" | "linear" | "cubic" | "lanczos";

const WEIGHT_BITS = 22;
const HALF = 1 << (WEIGHT_BITS - 1);

/** For every output pixel: the first input pixel and `taps` fixed-point weights, zero where fewer are needed. */
interface Filter {
  readonly taps: number;
  readonly first: Int32Array;
  readonly weights: Int32Array;
}

/** A weight by the distance in pixels; 0 from `support` on. */
interface Kernel {
  readonly support: number;
  readonly weight: (distance: number) => number;
}

/** Steepness of the cubic kernel (Keys 1981). */
const A = -0.5;

const kernels: Readonly<Record<ResizeKernel, Kernel | undefined>> = {
  nearest: undefined,
  linear: { support: 1, weight: (x) => Math.max(0, 1 - x) },
  cubic: {
    support: 2,
    weight: (x) => x < 1 ? ((A + 2) * x - (A + 3)) * x * x + 1 : x < 2 ? (((x - 5) * x + 8) * x - 4) * A : 0,
  },
  lanczos: { support: 3, weight: (x) => x < 3 ? sinc(x) * sinc(x / 3) : 0 },
};

/**
 * The image stretched to `width` x `height`; the image itself when it has that size.
 *
 * @example
 * ```ts
 * import { resizeImage } from "@svc/sdk/media";
 * const grey = { width: 4, height: 2, data: new Uint8Array(24).fill(128) };
 * const small = resizeImage(grey, 2, 2, "cubic");
 * console.assert(small.data.length === 12 && small.data[0] === 128);
 * ```
 */
export function resizeImage(
  image: RgbImage,
  width: number,
  height: number,
  kernel: "nearest" | "linear" | "cubic" | "lanczos" = "linear",
): RgbImage {
  let { data } = image;
  if (width !== image.width) {
    data = resampleRows(data, image.width, width, image.height, filterOf(kernel, image.width, width));
  }
  if (height !== image.height) {
    data = resampleColumns(data, width * 3, image.height, height, filterOf(kernel, image.height, height));
  }
  return { width, height, data };
}

function filterOf(kernel: ResizeKernel, size: number, target: number): Filter {
  const found = kernels[kernel];
  const scale = size / target;
  if (found === undefined) {
    const first = Int32Array.from({ length: target }, (_, i) => Math.trunc((i + 0.5) * scale));
    return { taps: 1, first, weights: new Int32Array(target).fill(1 << WEIGHT_BITS) };
  }
  const stretch = Math.max(scale, 1);
  const support = found.support * stretch;
  const taps = Math.ceil(support) * 2 + 1;
  const first = new Int32Array(target);
  const weights = new Int32Array(target * taps);
  for (let i = 0; i < target; i++) {
    const center = (i + 0.5) * scale;
    const from = Math.max(Math.trunc(center - support + 0.5), 0);
    const to = Math.min(Math.trunc(center + support + 0.5), size);
    const exact = Array.from(
      { length: to - from },
      (_, k) => found.weight(Math.abs((k + from - center + 0.5) * (1 / stretch))),
    );
    const sum = exact.reduce((a, b) => a + b, 0);
    first[i] = from;
    exact.forEach((w, k) => weights[i * taps + k] = fixed(w / sum));
  }
  return { taps, first, weights };
}

function fixed(weight: number): number {
  return Math.trunc(Math.sign(weight) * 0.5 + weight * (1 << WEIGHT_BITS));
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function resampleRows(data: Uint8Array, size: number, target: number, rows: number, filter: Filter): Uint8Array {
  const { taps, first, weights } = filter;
  const out = new Uint8Array(rows * target * 3);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < target; x++) {
      let r = HALF, g = HALF, b = HALF;
      let from = (row * size + first[x]) * 3;
      const end = Math.min(taps, size - first[x]);
      for (let k = 0; k < end; k++, from += 3) {
        const w = weights[x * taps + k];
        r += data[from] * w;
        g += data[from + 1] * w;
        b += data[from + 2] * w;
      }
      out[at++] = toByte(r);
      out[at++] = toByte(g);
      out[at++] = toByte(b);
    }
  }
  return out;
}

function resampleColumns(data: Uint8Array, stride: number, size: number, target: number, filter: Filter): Uint8Array {
  const { taps, first, weights } = filter;
  const out = new Uint8Array(target * stride);
  const sums = new Int32Array(stride);
  for (let y = 0; y < target; y++) {
    sums.fill(HALF);
    const end = Math.min(taps, size - first[y]);
    for (let k = 0; k < end; k++) {
      const w = weights[y * taps + k];
      if (w === 0) continue;
      const from = (first[y] + k) * stride;
      for (let i = 0; i < stride; i++) sums[i] += data[from + i] * w;
    }
    for (let i = 0; i < stride; i++) out[y * stride + i] = toByte(sums[i]);
  }
  return out;
}

function toByte(sum: number): number {
  const value = sum >> WEIGHT_BITS;
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
