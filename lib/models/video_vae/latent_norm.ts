/**
 * Latents with mean 0 and deviation 1 a channel, as the transformer sees them.
 *
 * @module
 */
import { add, f32, mul, type Value } from "../../compute/tensor/mod.ts";

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
