/**
 * Positions and visibility of the tokens of a prompt.
 *
 * @module
 */
import { f32, type Tensor } from "../../compute/tensor/mod.ts";
import type { Qwen3Config } from "./config.ts";

/** Added to the logits of keys that must not be seen; within the range of 16-bit floats. */
const UNSEEN = -30000;

/**
 * Rotary tables of the positions 0 to length - 1 and the mask of a prompt with `real` tokens before its padding: a token
 * sees the real tokens up to itself. Padding has positions and outputs too.
 *
 * Pair j of a head turns by position * theta^(-2j / headDim) (Su et al. 2021).
 */
export function textPositions(
  config: Pick<Qwen3Config, "headDim" | "ropeTheta">,
  length: number,
  real: number,
): { readonly cos: Tensor; readonly sin: Tensor; readonly mask: Tensor } {
  const pairs = config.headDim / 2;
  const angle = (i: number) => Math.floor(i / pairs) * config.ropeTheta ** (-(i % pairs) / pairs);
  const table = (fn: (angle: number) => number) =>
    f32([length, pairs], Float32Array.from({ length: length * pairs }, (_, i) => fn(angle(i))));
  const sees = (query: number, key: number) => key <= query && key < real;
  const mask = Float32Array.from(
    { length: length * length },
    (_, i) => sees(Math.floor(i / length), i % length) ? 0 : UNSEEN,
  );
  return { cos: table(Math.cos), sin: table(Math.sin), mask: f32([length, length], mask) };
}
