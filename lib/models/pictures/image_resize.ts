/**
 * Stretches an image to a size exactly as Pillow's antialiased bilinear filter does, byte for byte.
 *
 * The filter is a triangle whose width grows with the shrink factor. Rows are resampled first, then columns, with
 * 22-bit fixed-point weights and a rounding to 8 bits after each.
 *
 * @module
 */
import type { RgbImage } from "../../media/rgb_image.ts";

const WEIGHT_BITS = 22;
const HALF = 1 << (WEIGHT_BITS - 1);

/** For every output place: the first input place and `taps` fixed-point weights, zero where fewer are needed. */
interface Filter {
  readonly taps: number;
  readonly first: Int32Array;
  readonly weights: Int32Array;
}

/** The image stretched to `width` x `height`; the image itself when it has that size. */
export function resizeImage(image: RgbImage, width: number, height: number): RgbImage {
  let { data } = image;
  if (width !== image.width) data = resampleRows(data, image.width, width, image.height);
  if (height !== image.height) data = resampleColumns(data, width * 3, image.height, height);
  return { width, height, data };
}

function triangleFilter(size: number, target: number): Filter {
  const scale = size / target;
  const support = Math.max(scale, 1);
  const taps = Math.ceil(support) * 2 + 1;
  const first = new Int32Array(target);
  const weights = new Int32Array(target * taps);
  for (let i = 0; i < target; i++) {
    const center = (i + 0.5) * scale;
    const from = Math.max(Math.trunc(center - support + 0.5), 0);
    const to = Math.min(Math.trunc(center + support + 0.5), size);
    const exact = Array.from({ length: to - from }, (_, k) => {
      return Math.max(0, 1 - Math.abs((k + from - center + 0.5) * (1 / support)));
    });
    const sum = exact.reduce((a, b) => a + b, 0);
    first[i] = from;
    exact.forEach((w, k) => weights[i * taps + k] = Math.trunc(0.5 + (w / sum) * (1 << WEIGHT_BITS)));
  }
  return { taps, first, weights };
}

function resampleRows(data: Uint8Array, size: number, target: number, rows: number): Uint8Array {
  const { taps, first, weights } = triangleFilter(size, target);
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

function resampleColumns(data: Uint8Array, stride: number, size: number, target: number): Uint8Array {
  const { taps, first, weights } = triangleFilter(size, target);
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
