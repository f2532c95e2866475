/**
 * GEGLU (Shazeer 2020).
 *
 * @module
 */
import { geluErf, mul, split, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { dense } from "../checkpoint/dense.ts";

/** `net.2`(value * gelu(gate)) where `net.0.proj` gives the value first and the gate second; x [..,C] -> same. */
export function gatedGelu(x: Value, weights: Weights): Value {
  const both = dense(x, weights.at("net.0.proj"));
  const width = both.shape[both.shape.length - 1] / 2;
  const [value, gate] = split(both, [width, width], -1);
  return dense(mul(value, geluErf(gate)), weights.at("net.2"));
}
