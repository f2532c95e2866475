/**
 * Antialiased bicubic resampling without rounding to bytes.
 *
 * @module
 */
import { type ImageSize, resamplePlanes } from "./resample.ts";
import { antialiasedTaps, cubicKernel } from "./taps.ts";

const kernel = cubicKernel(-0.5);

/**
 * Planes [channels,height,width] stretched to [channels,toHeight,toWidth]; the same array where nothing changes.
 * Values may reach beyond those of the input.
 */
export function resizeBicubic(planes: Float32Array, from: ImageSize, to: ImageSize): Float32Array {
  return resamplePlanes(planes, from, to, (size, target) => antialiasedTaps(size, target, kernel));
}
