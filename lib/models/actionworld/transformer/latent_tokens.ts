/**
 * Converts latents to tokens and back: one token is a patch of latent pixels.
 *
 * @module
 */
import { pad, reshape, slice, transpose, type Value } from "../../../compute/tensor/mod.ts";

/** Tokens along a latent side of `size` pixels; the last one may exceed the edge. */
export function patchesOf(size: number, patch: number): number {
  return Math.ceil(size / patch);
}

/**
 * [F,C,h,w] -> [F*rows*columns, patch^2*C] with zeros beyond the lower and the right edge: tokens by frame, row,
 * column; inside a token row, column, channel.
 */
export function packLatents(latents: Value, patch: number): Value {
  const [f, c, h, w] = latents.shape;
  const [rows, columns] = [patchesOf(h, patch), patchesOf(w, patch)];
  const whole = pad(latents, [0, 0, 0, 0], [0, 0, rows * patch - h, columns * patch - w]);
  const cells = reshape(whole, [f, c, rows, patch, columns, patch]);
  return reshape(transpose(cells, [0, 2, 4, 3, 5, 1]), [f * rows * columns, patch * patch * c]);
}

/** The inverse of {@linkcode packLatents}, without what exceeds the edges. */
export function unpackLatents(tokens: Value, height: number, width: number, patch: number): Value {
  const [rows, columns] = [patchesOf(height, patch), patchesOf(width, patch)];
  const c = tokens.shape[1] / (patch * patch);
  const cells = reshape(tokens, [-1, rows, columns, patch, patch, c]);
  const whole = reshape(transpose(cells, [0, 5, 1, 3, 2, 4]), [-1, c, rows * patch, columns * patch]);
  return slice(whole, { axis: 2, end: height }, { axis: 3, end: width });
}
