/**
 * Chooses one of a model's graphs.
 *
 * @module
 */

/** Suffixes of quantizations in file names; fastest on a CPU first. */
const suffixes = ["_q4", "_quantized", "_int8", "_uint8", "_q4f16", "_bnb4", "", "_fp16"];

/** Fastest on a GPU first, where numbers of 16 bits are native and those of 8 are not. */
const gpuSuffixes = ["_q4f16", "_q4", "_fp16", "", "_bnb4", "_quantized", "_int8", "_uint8"];

/** Names of decoder graphs with a cache. */
const bases = ["decoder_model_merged", "model"];

/** A graph among the files of a model; undefined when there is none with this name. */
export function chooseGraph(names: readonly string[], ...bases: readonly string[]): string | undefined {
  return choose(names, suffixes, bases);
}

function choose(names: readonly string[], order: readonly string[], bases: readonly string[]): string | undefined {
  const known = order.flatMap((suffix) => bases.map((base) => `onnx/${base}${suffix}.onnx`));
  return known.find((name) => names.includes(name));
}

/**
 * The decoder graph among the files of a model; undefined when there is none.
 *
 * @param device That it will run on; the CPU unless it is given.
 */
export function chooseWeights(names: readonly string[], device = "cpu"): string | undefined {
  return choose(names, device === "cpu" ? suffixes : gpuSuffixes, bases) ??
    names.find((name) => /^(?:onnx\/)?(?:decoder_)?model[^/]*\.onnx$/.test(name));
}
