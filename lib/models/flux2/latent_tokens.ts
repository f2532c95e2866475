/**
 * Latent pixels to tokens and back: four latent pixels make one channel stack, one place of it is one token.
 *
 * @module
 */
import { reshape, transpose, type Value } from "../../compute/tensor/mod.ts";

/** [C,2h,2w] -> [4C,h,w]; channel c * 4 + dy * 2 + dx holds row parity dy and column parity dx of channel c. */
export function patchifyLatents(z: Value): Value {
  const [c, height, width] = z.shape;
  const cells = reshape(z, [c, height / 2, 2, width / 2, 2]);
  return reshape(transpose(cells, [0, 2, 4, 1, 3]), [4 * c, height / 2, width / 2]);
}

/** The way back of {@linkcode patchifyLatents}: [4C,h,w] -> [C,2h,2w]. */
export function unpatchifyLatents(patches: Value): Value {
  const [channels, h, w] = patches.shape;
  const cells = reshape(patches, [channels / 4, 2, 2, h, w]);
  return reshape(transpose(cells, [0, 3, 1, 4, 2]), [channels / 4, 2 * h, 2 * w]);
}

/** [C,h,w] -> tokens by rows [h*w,C]. */
export function packTokens(latents: Value): Value {
  const [c, h, w] = latents.shape;
  return transpose(reshape(latents, [c, h * w]), [1, 0]);
}

/** The way back of {@linkcode packTokens}: [h*w,C] -> [C,h,w]. */
export function unpackTokens(tokens: Value, h: number, w: number): Value {
  const [, c] = tokens.shape;
  return reshape(transpose(tokens, [1, 0]), [c, h, w]);
}
