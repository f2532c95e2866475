/**
 * Weights of which only the shapes are known.
 *
 * @module
 */
import { sizeOf, type TensorFile } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "./tensor_shapes.ts";
import { describeWeight } from "./stored_weight.ts";
import { Weights } from "./weights.ts";

/** Graphs are built with the numbers of small weights. */
const SMALL = 2 ** 14;

/** The weights of a file whose names and shapes were checked, quantised where they are, without elements. */
export function describeWeights(
  file: TensorFile,
  shapes: TensorShapes,
  nameInFile: (name: string) => string = same,
): Weights {
  return new Weights(
    new Map(Array.from(shapes, ([name, shape]) => [name, describeWeight(file, nameInFile(name), shape)])),
  );
}

/** Weights without elements, small ones with zeros: enough to build graphs and to plan with. */
export function describedWeights(shapes: TensorShapes): Weights {
  return new Weights(
    new Map(Array.from(shapes, ([name, shape]) => {
      const size = sizeOf(shape);
      return [name, { dtype: "f32", shape, data: new Float32Array(size <= SMALL ? size : 0) }];
    })),
  );
}

function same(name: string): string {
  return name;
}
