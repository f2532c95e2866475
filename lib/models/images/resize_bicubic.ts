/**
 * Antialiased bicubic resampling without rounding to bytes, as tensor libraries do it.
 *
 * @module
 */

/** Steepness of the kernel (Keys 1981). */
const A = -0.5;

/** For every output place: the first input place and the weights from there on. */
interface Tap {
  readonly first: number;
  readonly weights: readonly number[];
}

/**
 * Planes [channels,height,width] stretched to [channels,toHeight,toWidth]; the same array where nothing changes.
 * Values may reach beyond those of the input.
 */
export function resizeBicubic(
  planes: Float32Array,
  from: { readonly width: number; readonly height: number },
  to: { readonly width: number; readonly height: number },
): Float32Array {
  const rows = planes.length / from.width;
  const wide = from.width === to.width ? planes : resample(planes, rows, from.width, 1, to.width);
  if (from.height === to.height) return wide;
  return resample(wide, rows / from.height, from.height, to.width, to.height);
}

/** Resamples the middle axis of [outer,size,inner]. */
function resample(x: Float32Array, outer: number, size: number, inner: number, target: number): Float32Array {
  const taps = tapsOf(size, target);
  const out = new Float32Array(outer * target * inner);
  for (let o = 0; o < outer; o++) {
    taps.forEach(({ first, weights }, i) => {
      const to = (o * target + i) * inner;
      weights.forEach((weight, k) => {
        const at = (o * size + first + k) * inner;
        for (let j = 0; j < inner; j++) out[to + j] += weight * x[at + j];
      });
    });
  }
  return out;
}

/** Kernels that grow with the shrink factor, cut at the edges, with a sum of 1. */
function tapsOf(size: number, target: number): Tap[] {
  const scale = size / target;
  const stretch = Math.max(scale, 1);
  return Array.from({ length: target }, (_, i) => {
    const center = (i + 0.5) * scale;
    const first = Math.max(Math.trunc(center - 2 * stretch + 0.5), 0);
    const end = Math.min(Math.trunc(center + 2 * stretch + 0.5), size);
    const raw = Array.from({ length: end - first }, (_, k) => kernel((first + k - center + 0.5) / stretch));
    const sum = raw.reduce((a, b) => a + b, 0);
    return { first, weights: raw.map((w) => w / sum) };
  });
}

function kernel(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return ((A + 2) * x - (A + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * A;
  return 0;
}
