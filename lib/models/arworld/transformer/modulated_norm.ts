/**
 * Layer norm with scale and shift of each frame.
 *
 * @module
 */
import { add, layerNorm, mul, reshape, type Value } from "../../../compute/tensor/mod.ts";

/** LN(x) * scale + shift; x [F*S,D], scale (1 already added) and shift [F,1,D] -> [F*S,D]. */
export function modulatedNorm(x: Value, scale: Value, shift: Value): Value {
  const frames = perFrame(layerNorm(x), scale);
  return reshape(add(mul(frames, scale), shift), x.shape);
}

/** x + y * gate; x and y [F*S,D], gate [F,1,D] -> [F*S,D]. */
export function addGated(x: Value, y: Value, gate: Value): Value {
  return add(x, reshape(mul(perFrame(y, gate), gate), x.shape));
}

function perFrame(x: Value, vectors: Value): Value {
  const [f, , d] = vectors.shape;
  return reshape(x, [f, x.shape[0] / f, d]);
}
