/**
 * Finds the graph among a model's files.
 *
 * @module
 */
import type { ModelFiles } from "../contract/engine_entry.ts";

/** Suffixes of quantizations in file names, most exact first. */
const suffixes = ["", "_fp16", "_quantized", "_int8", "_uint8", "_q8", "_q4f16", "_q4", "_bnb4"];

/**
 * Name of the graph, in `onnx/` or beside the other files; the most exact one if there are several. Undefined for none.
 */
export function graphFile({ names }: ModelFiles): string | undefined {
  const known = suffixes.flatMap((suffix) => [`onnx/model${suffix}.onnx`, `model${suffix}.onnx`]);
  return known.find((name) => names.includes(name)) ??
    // Such as model_O3.onnx, model_qint8_avx512.onnx and model_no_gather_q4.onnx.
    [...names].sort().find((name) => /^(onnx\/)?model_[^/]+\.onnx$/.test(name));
}
