/**
 * Chooses one of a model's graphs.
 *
 * @module
 */

/** Suffixes of quantizations in file names; fastest on a CPU first. */
const suffixes = ["_q4", "_quantized", "_int8", "_uint8", "_q4f16", "_bnb4", "", "_fp16"];

/** Names of decoder graphs with a cache. */
const bases = ["decoder_model_merged", "model"];

/** A graph among the files of a model; undefined when there is none with this name. */
export function chooseGraph(names: readonly string[], ...bases: readonly string[]): string | undefined {
  const known = suffixes.flatMap((suffix) => bases.map((base) => `onnx/${base}${suffix}.onnx`));
  return known.find((name) => names.includes(name));
}

/** The decoder graph among the files of a model; undefined when there is none. */
export function chooseWeights(names: readonly string[]): string | undefined {
  return chooseGraph(names, ...bases) ??
    names.find((name) => /^(?:onnx\/)?(?:decoder_)?model[^/]*\.onnx$/.test(name));
}
