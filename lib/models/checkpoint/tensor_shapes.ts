/**
 * The expected contents of a checkpoint.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";

/** Shape of every tensor by its name. */
export type TensorShapes = ReadonlyMap<string, Shape>;
