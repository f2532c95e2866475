/**
 * Inputs of the transformer from golden files.
 *
 * @module
 */
import type { Intrinsics } from "../../lib/models/arworld/camera.ts";
import type { GridSize } from "../../lib/models/arworld/transformer/window_inputs.ts";
import { f32, type Tensor } from "../../lib/compute/tensor/mod.ts";
import type { Golden } from "./golden.ts";

/** Tokens of a frame from the latent size in the configuration. */
export function gridOf(golden: Golden): GridSize {
  return { rows: golden.number("h") / 2, columns: golden.number("w") / 2 };
}

/** Focal lengths of `in.K`; its principal point has no meaning for the model. */
export function intrinsicsOf(golden: Golden): Intrinsics {
  const { data } = golden.input("K");
  return { fx: data[0], fy: data[4] };
}

/** Zero rows after the last, up to `length`. */
export function padRows(rows: Tensor<"f32">, length: number): Tensor<"f32"> {
  const data = new Float32Array(length * rows.shape[1]);
  data.set(rows.data);
  return f32([length, rows.shape[1]], data);
}
