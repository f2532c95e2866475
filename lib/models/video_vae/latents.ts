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

/**
 * p x p pixels as channels, channel = c * p * p + column in the patch * p + row in it;
 * [T,3,H,W] -> [T,3pp,H/p,W/p].
 */
export function patchifyPixels(x: Value, p = 2): Value {
  const [t, c, h, w] = x.shape;
  const cells = reshape(x, [t, c, h / p, p, w / p, p]);
  return reshape(transpose(cells, [0, 1, 5, 3, 2, 4]), [t, c * p * p, h / p, w / p]);
}

/** The inverse of {@linkcode patchifyPixels}; [T,3pp,h,w] -> [T,3,ph,pw]. */
export function unpatchifyPixels(x: Value, p = 2): Value {
  const [t, c, h, w] = x.shape;
  const cells = reshape(x, [t, c / (p * p), p, p, h, w]);
  return reshape(transpose(cells, [0, 1, 4, 3, 5, 2]), [t, c / (p * p), p * h, p * w]);
}

/** The same in the order of image files, in one movement; [T,3pp,h,w] -> [T,ph,pw,3]. */
export function unpatchifyToImages(x: Value, p = 2): Value {
  const [t, c, h, w] = x.shape;
  const cells = reshape(x, [t, c / (p * p), p, p, h, w]);
  return reshape(transpose(cells, [0, 4, 3, 5, 2, 1]), [t, p * h, p * w, c / (p * p)]);
}
