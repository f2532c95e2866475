/**
 * Variants of the same weights, recognized by their file names.
 *
 * @module
 */

/** One weights file with what belongs to it: external data, or the other parts of a split file. */
export interface WeightVariant {
  /** What it is a variant of: variants with the same stem hold the same weights. */
  readonly stem: string;
  /** Such as `q4` or `Q4_K_M`. */
  readonly quantization: string;
  readonly paths: string[];
}

/** Suffixes of ONNX file names with their bits per weight, best for a CPU first. */
const onnxKinds: readonly (readonly [string, readonly [string, number]])[] = [
  ["q4", ["_q4", 4]],
  ["q8", ["_quantized", 8]],
  ["int8", ["_int8", 8]],
  ["uint8", ["_uint8", 8]],
  ["q4f16", ["_q4f16", 4]],
  ["fp16", ["_fp16", 16]],
  ["fp32", ["", 32]],
  ["bnb4", ["_bnb4", 4]],
  ["q2", ["_q2", 2]],
  ["q2f16", ["_q2f16", 2]],
  ["q1", ["_q1", 1]],
  ["q1f16", ["_q1f16", 1]],
];

/** Bits per weight by quantization, best for a CPU first. */
export const onnxBits: ReadonlyMap<string, number> = new Map(onnxKinds.map(([name, [, bits]]) => [name, bits]));

/** The graphs among the files of a model, each with its external data. */
export function onnxVariants(paths: readonly string[]): WeightVariant[] {
  const all = paths.filter((path) => path.endsWith(".onnx") && !path.startsWith("openvino/"));
  // Other folders hold graphs for other runtimes, unless the model has several networks in folders of their own.
  const places = [/^onnx\/[^/]+$/, /^[^/]+$/, /./].map((place) => all.filter((path) => place.test(path)));
  const graphs = places.find((found) => found.length > 0) ?? [];
  const variants = graphs.map((path) => {
    const base = path.slice(0, -".onnx".length);
    const data = paths.filter((one) =>
      one.startsWith(base) && /^(\.onnx)?[._]data(_\d+)?$/.test(one.slice(base.length))
    );
    return { ...splitOnnxName(base), paths: [path, ...data] };
  });
  // Older exports contain the decoder three times; the merged one replaces both others.
  const stems = new Set(variants.map((one) => one.stem));
  return variants.filter(({ stem }) => {
    const merged = stem.replace(/decoder(_with_past)?_model$/, "decoder_model_merged");
    return merged === stem || !stems.has(merged);
  });
}

function splitOnnxName(base: string): { readonly stem: string; readonly quantization: string } {
  for (const [quantization, [suffix]] of onnxKinds) {
    // Exports of NeMo write a full stop where others write the line.
    const ends = base.endsWith(suffix) || base.endsWith(suffix.replace("_", "."));
    if (suffix === "" || !ends) continue;
    const stem = base.slice(0, -suffix.length);
    // The same weights for runtimes without the operator that looks up quantized rows.
    const plain = stem.replace(/_no_gather$/, "");
    return { stem: plain, quantization: plain === stem ? quantization : `${quantization}_no_gather` };
  }
  const other = /^(.*)_(O[1-4]|qu?int8_\w+)$/.exec(base);
  return other ? { stem: other[1], quantization: other[2] } : { stem: base, quantization: "fp32" };
}

/** Files beside models: what turns images into vectors, drafts for speculation, statistics of quantization. */
const besideModels = /mmproj|imatrix|^mtp-/i;

/**
 * The GGUF models among the files of a repository, each with all its parts. Where a model is there in one file and in
 * parts, the one file is taken.
 */
export function ggufVariants(paths: readonly string[]): WeightVariant[] {
  const variants = new Map<string, WeightVariant>();
  for (const path of [...paths].sort()) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!/\.gguf$/i.test(name) || besideModels.test(name)) continue;
    const [ending] = /(-\d{5}-of-\d{5})?\.gguf$/i.exec(path) ?? [""];
    const whole = path.slice(0, -ending.length);
    if (ending.includes("-of-") && paths.includes(`${whole}.gguf`)) continue;
    const [, quantization = "unknown"] = /[-._]((?:I?Q\d\w*)|BF16|F16|F32|MXFP4\w*)$/i.exec(whole) ?? [];
    const variant = variants.get(whole) ?? { stem: "", quantization, paths: [] };
    variant.paths.push(path);
    variants.set(whole, variant);
  }
  return [...variants.values()];
}
