/**
 * The graph among a model's files.
 *
 * @module
 */
import type { ModelFiles } from "../model_files.ts";

/** Best first: what is exact, then what is small. Published exports are named so. */
const order = ["", "_fp16", "_quantized", "_int8", "_uint8", "_q8", "_q4f16", "_q4", "_bnb4"];

/**
 * Name of the graph, in `onnx/` or beside the other files. Of several ones the most exact.
 *
 * @throws {Error} when there is none.
 */
export function graphFile({ names }: ModelFiles): string {
  for (const suffix of order) {
    const name = `model${suffix}.onnx`;
    const found = [`onnx/${name}`, name].find((one) => names.includes(one));
    if (found !== undefined) return found;
  }
  throw new Error("Cannot open the model: it has no onnx/model.onnx, expected the export of one quantisation");
}
