/**
 * ONNX models as files.
 *
 * @module
 */
import type { OnnxModel } from "../../lib/onnx/model_builder.ts";
import type { ModelFiles } from "./model_files.ts";

/** The file of a model, and the one of its weights when it has one. */
export function onnxFiles(path: string, { bytes, weights }: OnnxModel): ModelFiles {
  if (weights.length === 0) return { [path]: bytes };
  const data = new Uint8Array(Math.max(...weights.map(({ offset, data }) => offset + data.length)));
  for (const weight of weights) data.set(weight.data, weight.offset);
  return { [path]: bytes, [`${path}_data`]: data };
}
