/**
 * What precedes and follows the video autoencoder: pixels as patches, and latents with mean 0 and deviation 1 a
 * channel, as the transformer sees them.
 *
 * @module
 */
import { add, f32, mul, reshape, transpose, type Value } from "../../compute/tensor/mod.ts";

/** Rows and columns of a latent frame. */
export interface LatentSize {
  /** Rows. */
  readonly height: number;
  /** Columns. */
  readonly width: number;
}

/** (x - mean) / std; x [N,z,h,w], mean and std [z]. */
export function normaliseLatents(x: Value, mean: ArrayLike<number>, std: ArrayLike<number>): Value {
  const shift = perChannel(x, mean, (m) => -m);
  const scale = perChannel(x, std, (s) => 1 / s);
  return mul(add(x, shift), scale);
}

/** x * std + mean; x [N,z,h,w], mean and std [z]. */
export function denormaliseLatents(x: Value, mean: ArrayLike<number>, std: ArrayLike<number>): Value {
  return add(mul(x, perChannel(x, std, (s) => s)), perChannel(x, mean, (m) => m));
}

function perChannel(x: Value, numbers: ArrayLike<number>, map: (n: number) => number): Value {
  return x.graph.constant(f32([1, numbers.length, 1, 1], Float32Array.from(numbers, map)));
}

/** 2x2 pixels as channels, channel = c * 4 + column parity * 2 + row parity; [T,3,H,W] -> [T,12,H/2,W/2]. */
export function patchifyPixels(x: Value): Value {
  const [t, c, h, w] = x.shape;
  const cells = reshape(x, [t, c, h / 2, 2, w / 2, 2]);
  return reshape(transpose(cells, [0, 1, 5, 3, 2, 4]), [t, c * 4, h / 2, w / 2]);
}

/** The inverse of {@linkcode patchifyPixels}; [T,12,h,w] -> [T,3,2h,2w]. */
export function unpatchifyPixels(x: Value): Value {
  const [t, c, h, w] = x.shape;
  const cells = reshape(x, [t, c / 4, 2, 2, h, w]);
  return reshape(transpose(cells, [0, 1, 4, 3, 5, 2]), [t, c / 4, 2 * h, 2 * w]);
}

/** The same in the order of image files, in one movement; [T,12,h,w] -> [T,2h,2w,3]. */
export function unpatchifyToImages(x: Value): Value {
  const [t, c, h, w] = x.shape;
  const cells = reshape(x, [t, c / 4, 2, 2, h, w]);
  return reshape(transpose(cells, [0, 4, 3, 5, 2, 1]), [t, 2 * h, 2 * w, c / 4]);
}
