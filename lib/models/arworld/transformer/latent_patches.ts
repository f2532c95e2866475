/**
 * Latents to tokens and back: one token is a patch of 2x2 latent pixels.
 *
 * @module
 */
import { linear, reshape, transpose, type Value } from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";

/** [F,z,h,w] -> [F*(h/2)*(w/2), 4z]: tokens by frame, row, column; inside a token channel, row, column. */
export function patchifyLatents(latents: Value): Value {
  const [f, z, h, w] = latents.shape;
  const cells = reshape(latents, [f, z, h / 2, 2, w / 2, 2]);
  return reshape(transpose(cells, [0, 2, 4, 1, 3, 5]), [f * (h / 2) * (w / 2), z * 4]);
}

/** Projects patches into the model: [F,z,h,w] -> [F*(h/2)*(w/2), D]. */
export function embedPatches(latents: Value, weights: Weights): Value {
  const [d, z] = weights.get("weight").shape;
  return linear(
    patchifyLatents(latents),
    weights.in(latents.graph, "weight", [d, z * 4]),
    weights.in(latents.graph, "bias"),
  );
}

/** [F*(h/2)*(w/2), 4z] -> [F,z,h,w]; inside a token row, column, channel: not the order of {@linkcode patchifyLatents}. */
export function unpatchifyLatents(tokens: Value, frames: number, height: number, width: number): Value {
  const z = tokens.shape[1] / 4;
  const cells = reshape(tokens, [frames, height / 2, width / 2, 2, 2, z]);
  return reshape(transpose(cells, [0, 5, 1, 3, 2, 4]), [frames, z, height, width]);
}
