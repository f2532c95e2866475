/**
 * Separable resampling, as tensor and image libraries do it: how output places weigh their neighbours, and the sums,
 * with and without rounding to bytes.
 *
 * @module
 */
import type { RgbImage } from "../../media/images/rgb_image.ts";

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Chooses the neighbours of every place of an axis of `target` places, made from one of `size`. */
type ChooseTaps = (size: number, target: number) => readonly Tap[];

/**
 * Planes [channels,height,width] stretched to [channels,toHeight,toWidth], columns first; the same array where nothing
 * changes. An axis that keeps its size is left alone.
 */
export function resamplePlanes(planes: Float32Array, from: ImageSize, to: ImageSize, choose: ChooseTaps): Float32Array {
  const rows = planes.length / from.width;
  const wide = from.width === to.width
    ? planes
    : resampleAxis(planes, rows, from.width, 1, choose(from.width, to.width));
  if (from.height === to.height) return wide;
  return resampleAxis(wide, rows / from.height, from.height, to.width, choose(from.height, to.height));
}

/** Keys' own kernel. */
const keysKernel = cubicKernel(-0.5);

/**
 * Antialiased bicubic resampling: planes [channels,height,width] stretched to [channels,toHeight,toWidth]; the same array where nothing changes.
 * Values may reach beyond those of the input.
 */
export function resizeBicubic(planes: Float32Array, from: ImageSize, to: ImageSize): Float32Array {
  return resamplePlanes(planes, from, to, (size, target) => antialiasedTaps(size, target, keysKernel));
}

/** The image at another size, rounded to bytes once both axes are done. */
export function resampleBytes(image: RgbImage, { width, height }: ImageSize, choose: ChooseTaps): RgbImage {
  const source = Float32Array.from(image.data);
  const wide = resampleAxis(source, image.height, image.width, 3, choose(image.width, width));
  const values = resampleAxis(wide, 1, image.height, 3 * width, choose(image.height, height));
  // Clamped arrays round to the nearest byte, of two equally near ones to the even one.
  return { width, height, data: new Uint8Array(Uint8ClampedArray.from(values).buffer) };
}

/** Resamples the middle axis of [outer,size,inner] to one place a tap. */
export function resampleAxis(
  x: Float32Array,
  outer: number,
  size: number,
  inner: number,
  taps: readonly Tap[],
): Float32Array {
  const out = new Float32Array(outer * taps.length * inner);
  for (let o = 0; o < outer; o++) {
    taps.forEach(({ first, weights }, i) => {
      const to = (o * taps.length + i) * inner;
      weights.forEach((weight, k) => {
        const at = (o * size + first + k) * inner;
        for (let j = 0; j < inner; j++) out[to + j] += weight * x[at + j];
      });
    });
  }
  return out;
}

/** For one output place: the first input place and the weights from there on, with a sum of 1. */
interface Tap {
  readonly first: number;
  readonly weights: readonly number[];
}

/** A resampling kernel: its weight at a distance, and how far it reaches, both in input places. */
interface Kernel {
  readonly reach: number;
  readonly at: (distance: number) => number;
}

/** The hat of linear interpolation. */
export const linearKernel: Kernel = { reach: 1, at: (distance) => Math.max(0, 1 - Math.abs(distance)) };

/** Cubic convolution (Keys 1981) of steepness `a`: -0.5 is Keys' own, -0.75 what tensor and vision libraries take. */
export function cubicKernel(a: number): Kernel {
  return {
    reach: 2,
    at(distance) {
      const x = Math.abs(distance);
      if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
      if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
      return 0;
    },
  };
}

/** Kernels that grow with the shrink factor, cut at the edges. */
export function antialiasedTaps(size: number, target: number, kernel: Kernel): Tap[] {
  const scale = size / target;
  const stretch = Math.max(scale, 1);
  const reach = kernel.reach * stretch;
  return Array.from({ length: target }, (_, i) => {
    const center = (i + 0.5) * scale;
    const first = Math.max(Math.trunc(center - reach + 0.5), 0);
    const end = Math.min(Math.trunc(center + reach + 0.5), size);
    return normalised(
      first,
      Array.from({ length: end - first }, (_, k) => kernel.at((first + k - center + 0.5) / stretch)),
    );
  });
}

/**
 * Kernels of their own size whatever the shrink factor; beyond the edges the outermost places are repeated.
 *
 * @param step Distance of two output places in input places; default size / target.
 */
export function interpolationTaps(size: number, target: number, kernel: Kernel, step: number = size / target): Tap[] {
  return Array.from({ length: target }, (_, i) => {
    const place = (i + 0.5) * step - 0.5;
    const start = Math.floor(place) + 1 - kernel.reach;
    const inside = (k: number) => Math.min(Math.max(k, 0), size - 1);
    const first = inside(start);
    const weights = new Array<number>(inside(start + 2 * kernel.reach - 1) - first + 1).fill(0);
    for (let k = start; k < start + 2 * kernel.reach; k++) weights[inside(k) - first] += kernel.at(k - place);
    return normalised(first, weights);
  });
}

/** Linear interpolation whose outermost places of input and output lie upon each other. */
export function cornerTaps(size: number, target: number): Tap[] {
  const step = target > 1 ? (size - 1) / (target - 1) : 0;
  return Array.from({ length: target }, (_, i) => {
    const first = Math.min(Math.floor(i * step), size - 1);
    const share = i * step - first;
    return first === size - 1 ? { first, weights: [1] } : { first, weights: [1 - share, share] };
  });
}

/** The mean of the input that an output place covers, parts of a place by their share; for shrinking only. */
export function areaTaps(size: number, target: number): Tap[] {
  const scale = size / target;
  return Array.from({ length: target }, (_, i) => {
    const [from, to] = [i * scale, Math.min((i + 1) * scale, size)];
    // A share below a thousandth is rounding, not area; it would reach for a place too much.
    const first = Math.floor(from + 1e-3);
    const end = Math.max(Math.ceil(to - 1e-3), first + 1);
    return normalised(
      first,
      Array.from({ length: end - first }, (_, k) => Math.min(to, first + k + 1) - Math.max(from, first + k)),
    );
  });
}

function normalised(first: number, weights: readonly number[]): Tap {
  const sum = weights.reduce((a, b) => a + b, 0);
  return { first, weights: weights.map((w) => w / sum) };
}
