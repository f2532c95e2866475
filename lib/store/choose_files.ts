/**
 * Which files of a repository or folder a model needs.
 *
 * @module
 */
import { show } from "../words/show.ts";
import { isModelPath } from "./model_path.ts";
import { StoreError } from "./store_error.ts";

/** The files of a model with one choice of weights. */
export interface ChosenFiles {
  readonly paths: readonly string[];
  /** Such as `q4` or `Q4_K_M`. */
  readonly quantization: string;
}

/** Ends of ONNX file names for each way of keeping weights, best for a CPU first. */
const onnxSuffixes: Readonly<Record<string, string>> = {
  ...{ q4: "_q4", q8: "_quantized", int8: "_int8", uint8: "_uint8", q4f16: "_q4f16", fp16: "_fp16", fp32: "" },
  ...{ bnb4: "_bnb4", q2: "_q2", q2f16: "_q2f16", q1: "_q1", q1f16: "_q1f16" },
};

/** GGUF quantisations that are chosen when nobody says which, best first. */
const ggufOrder = ["q4_k_m", "q4_0", "q4_k_s", "q5_k_m", "q8_0", "q6_k", "bf16", "f16", "f32"];

/** One weights file with what belongs to it: external data, or the other parts of a split file. */
interface Variant {
  /** What it is a variant of: other variants of the same stem hold the same weights. */
  readonly stem: string;
  readonly quantization: string;
  readonly paths: string[];
}

/**
 * Chooses one set of weights, and the small files that go with it.
 *
 * @param paths All files, with `/`.
 * @param quantization The wanted one, such as `q4`, `fp16` or `Q4_K_M`; the best for a CPU when undefined.
 * @param what The folder or repository, for the error sentence.
 * @throws {StoreError} `unsuitable_files` when there are no such weights, or a file of them has a dangerous name.
 */
export function chooseFiles(paths: readonly string[], quantization: string | undefined, what: string): ChosenFiles {
  const chosen = choose(paths, quantization, what);
  const bad = chosen.paths.find((path) => !isModelPath(path));
  if (bad === undefined) return chosen;
  throw unsuitable(what, `the name of its file ${show(bad)} is not safe`, "expected plain names with / between them");
}

function choose(paths: readonly string[], quantization: string | undefined, what: string): ChosenFiles {
  const wanted = quantization?.toLowerCase();
  const onnx = onnxVariants(paths);
  const gguf = ggufVariants(paths);
  if (onnx.length === 0 && gguf.length === 0) {
    const found = paths.some((path) => /\.(safetensors|bin|pth?|h5|msgpack)$/.test(path));
    throw unsuitable(
      what,
      found ? "its weights are in another form" : "it has no weights",
      "expected .onnx or .gguf files",
    );
  }
  const has = (variants: readonly Variant[]) => variants.some((one) => one.quantization.toLowerCase() === wanted);
  if (wanted !== undefined && !has(onnx) && !has(gguf)) {
    const there = [...new Set([...onnx, ...gguf].map((one) => one.quantization))];
    throw unsuitable(what, `it has no weights in ${quantization}`, `expected one of ${there.join(", ")}`);
  }
  const useGguf = onnx.length === 0 || (wanted !== undefined && !has(onnx));
  if (useGguf) {
    const [best] = inOrder(gguf, wanted, ggufOrder);
    checkParts(best, what);
    return { paths: best.paths, quantization: best.quantization };
  }
  const order = Object.keys(onnxSuffixes);
  const stems = [...new Set(onnx.map((one) => one.stem))];
  const chosen = stems.map((stem) => inOrder(onnx.filter((one) => one.stem === stem), wanted, order)[0]);
  const [main] = inOrder(chosen, wanted, order);
  return {
    paths: [...paths.filter(isSmallFile), ...chosen.flatMap((one) => one.paths)].sort(),
    quantization: main.quantization,
  };
}

/** The wanted quantisation first, then those of the order, then the rest. */
function inOrder(variants: readonly Variant[], wanted: string | undefined, order: readonly string[]): Variant[] {
  const rank = ({ quantization }: Variant) => {
    const name = quantization.toLowerCase();
    const at = order.indexOf(name);
    return name === wanted ? -1 : at < 0 ? order.length : at;
  };
  return [...variants].sort((a, b) => rank(a) - rank(b) || (a.paths[0] < b.paths[0] ? -1 : 1));
}

function onnxVariants(paths: readonly string[]): Variant[] {
  const all = paths.filter((path) => path.endsWith(".onnx") && !path.startsWith("openvino/"));
  // Repositories keep graphs for other runtimes in other folders; models of several networks have a folder for each.
  const usual = all.filter((path) => /^(onnx\/)?[^/]+$/.test(path));
  const graphs = usual.length > 0 ? usual : all;
  const variants = graphs.map((path) => {
    const base = path.slice(0, -".onnx".length);
    const data = paths.filter((one) =>
      one.startsWith(base) && /^(\.onnx)?[._]data(_\d+)?$/.test(one.slice(base.length))
    );
    return { ...splitOnnxName(base), paths: [path, ...data] };
  });
  // Older exports hold the decoder three times; the merged one does the work of both others.
  const stems = new Set(variants.map((one) => one.stem));
  return variants.filter(({ stem }) => {
    const merged = stem.replace(/decoder(_with_past)?_model$/, "decoder_model_merged");
    return merged === stem || !stems.has(merged);
  });
}

function splitOnnxName(base: string): { readonly stem: string; readonly quantization: string } {
  for (const [quantization, suffix] of Object.entries(onnxSuffixes)) {
    if (suffix !== "" && base.endsWith(suffix)) return { stem: base.slice(0, -suffix.length), quantization };
  }
  const other = /^(.*)_(O[1-4]|qu?int8_\w+)$/.exec(base);
  return other ? { stem: other[1], quantization: other[2] } : { stem: base, quantization: "fp32" };
}

function ggufVariants(paths: readonly string[]): Variant[] {
  const variants = new Map<string, Variant>();
  for (const path of [...paths].sort()) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!/\.gguf$/i.test(name) || /^mmproj/i.test(name)) continue;
    const whole = path.replace(/(-\d{5}-of-\d{5})?\.gguf$/i, "");
    const [, quantization = "unknown"] = /[-._]((?:I?Q\d\w*)|BF16|F16|F32|MXFP4\w*)$/i.exec(whole) ?? [];
    const variant = variants.get(whole) ?? { stem: "", quantization, paths: [] };
    variant.paths.push(path);
    variants.set(whole, variant);
  }
  return [...variants.values()];
}

function checkParts({ paths }: Variant, what: string): void {
  const [, count] = /-of-(\d{5})\.gguf$/i.exec(paths[0]) ?? [];
  if (count === undefined || Number(count) === paths.length) return;
  throw unsuitable(what, `it has ${paths.length} of the ${Number(count)} parts of ${paths[0]}`, "expected all");
}

/** Configuration, tokenizer, templates, voices, licence, and the small modules of sentence-transformers. */
function isSmallFile(path: string): boolean {
  if (/^(openvino|onnxruntime)\/|\.index\.json$/.test(path)) return false;
  return /\.(json|jinja|txt|model|tiktoken)$/.test(path) || /^(\d+_\w+|voices)\//.test(path) ||
    /^LICEN[CS]E/i.test(path);
}

function unsuitable(what: string, problem: string, expected: string): StoreError {
  return new StoreError("unsuitable_files", `Cannot use ${what}: ${problem}, ${expected}`);
}
