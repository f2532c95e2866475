/**
 * Chooses the files of a repository or folder that a model needs, with those of its pipeline and projector.
 *
 * @module
 */
import { show } from "../../errors/show.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { isModelPath } from "./model_id.ts";
import { RECORD_NAME } from "./model_record.ts";
import { ggufVariants, onnxBits, onnxVariants, type WeightVariant } from "./weight_variants.ts";
import { bestProjector } from "../../engines/files/projector_files.ts";

/** The files of a model with one choice of weights. */
interface ChosenFiles {
  readonly paths: readonly string[];
  /** Such as `q4` or `Q4_K_M`. */
  readonly quantization: string;
}

/** GGUF quantizations in order of preference. */
const ggufOrder = ["q4_k_m", "q4_0", "q4_k_s", "q5_k_m", "q8_0", "q6_k", "bf16", "f16", "f32"];

/**
 * Chooses one set of weights, and the small files that belong to it.
 *
 * @param paths All files, with `/`.
 * @param quantization The wanted one, such as `q4`, `fp16` or `Q4_K_M`; the best for a CPU when undefined.
 * @param what The folder or repository, for the error sentence.
 * @throws {SvcError} `unsuitable_files` when there are no such weights, or a file of them has a dangerous name.
 */
export function chooseFiles(paths: readonly string[], quantization: string | undefined, what: string): ChosenFiles {
  // In the store the record of the model itself has this name.
  const chosen = choose(paths.filter((path) => path !== RECORD_NAME), quantization, what);
  const bad = chosen.paths.find((path) => !isModelPath(path));
  if (bad === undefined) return chosen;
  throw unsuitable(what, `its file name ${show(bad)} is unsafe`, "expected plain names with / between them");
}

function choose(paths: readonly string[], quantization: string | undefined, what: string): ChosenFiles {
  const pipeline = pipelineFiles(paths);
  if (pipeline && quantization === undefined && pipeline.some((path) => path.endsWith(".safetensors"))) {
    return { paths: pipeline, quantization: "stored" };
  }
  const wanted = quantization?.toLowerCase();
  const onnx = onnxVariants(paths);
  const gguf = ggufVariants(paths);
  if (onnx.length === 0 && gguf.length === 0) {
    const network = wanted === undefined ? networkFiles(paths) : undefined;
    if (network) return { paths: network, quantization: "stored" };
    const packaged = wanted === undefined ? ortFiles(paths) : undefined;
    if (packaged) return { paths: packaged, quantization: "stored" };
    throw noWeights(paths, what);
  }
  const has = (variants: readonly WeightVariant[]) => variants.some((one) => one.quantization.toLowerCase() === wanted);
  if (wanted !== undefined && !has(onnx) && !has(gguf)) {
    const there = [...new Set([...onnx, ...gguf].map((one) => one.quantization))];
    throw unsuitable(what, `it has no weights in ${quantization}`, `expected one of ${there.join(", ")}`);
  }
  const useGguf = onnx.length === 0 || (wanted !== undefined && !has(onnx));
  if (useGguf) {
    const [best] = inOrder(gguf, wanted, ggufOrder);
    checkParts(best, what);
    const projector = projectorOf(best.paths[0], paths);
    return { paths: [...best.paths, ...projector === undefined ? [] : [projector]], quantization: best.quantization };
  }
  const order = [...onnxBits.keys()];
  const stems = [...new Set(onnx.map((one) => one.stem))];
  const chosen = stems.map((stem) => inOrder(onnx.filter((one) => one.stem === stem), wanted, order)[0]);
  const [main] = inOrder(chosen, wanted, order);
  return {
    paths: [...paths.filter(isSmallFile), ...chosen.flatMap((one) => one.paths)].sort(),
    quantization: main.quantization,
  };
}

/**
 * The wanted quantization first, then those with a similar number of bits, preferring more over fewer; then the others.
 */
function inOrder(
  variants: readonly WeightVariant[],
  wanted: string | undefined,
  order: readonly string[],
): WeightVariant[] {
  const bits = onnxBits.get(wanted ?? "");
  const rank = ({ quantization }: WeightVariant) => {
    const name = quantization.toLowerCase();
    const at = order.indexOf(name);
    if (name === wanted) return -1;
    if (at < 0) return Infinity;
    const there = onnxBits.get(name);
    if (bits === undefined || there === undefined) return at;
    return order.length * (Math.abs(Math.log2(there / bits)) + (there < bits ? 0.5 : 0)) + at;
  };
  const ranked = variants.map((variant) => ({ variant, rank: rank(variant) }));
  ranked.sort((a, b) => a.rank === b.rank ? (a.variant.paths[0] < b.variant.paths[0] ? -1 : 1) : a.rank - b.rank);
  return ranked.map(({ variant }) => variant);
}

function checkParts({ paths }: WeightVariant, what: string): void {
  const [, whole, count, ending] = /^(.*)-\d{5}-of-(\d{5})(\.gguf)$/i.exec(paths[0]) ?? [];
  if (count === undefined || Number(count) === paths.length) return;
  const numbers = Array.from({ length: Math.min(Number(count), MAX_PARTS) }, (_, i) => `${i + 1}`.padStart(5, "0"));
  const missing = numbers.map((number) => `${whole}-${number}-of-${count}${ending}`)
    .filter((path) => !paths.includes(path));
  const named = missing.length > 3 ? `${missing[0]} and ${missing.length - 1} others are` : missing.join(", ");
  const verb = missing.length > 3 ? "" : missing.length === 1 ? " is" : " are";
  const problem = `it has ${paths.length} of the ${Number(count)} parts of ${paths[0]}`;
  throw unsuitable(what, problem, `expected all: ${named}${verb} missing`);
}

/** More than any model has. */
const MAX_PARTS = 1000;

/** Formats of weights that no engine reads, by the endings of their files. */
const otherFormats: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["a PyTorch checkpoint", /\.(bin|pth?|ckpt|pkl)$/i],
  ["safetensors of a kind that no engine reads", /\.safetensors$/i],
  ["a model for Keras or TensorFlow", /\.(h5|keras|pb|tflite)$/i],
  ["a model for JAX", /\.msgpack$/i],
  ["a model for Core ML", /\.(mlmodel|mlpackage)$|\.mlpackage\//i],
];

function noWeights(paths: readonly string[], what: string): SvcError {
  if (!paths.includes(INDEX) && paths.some((path) => /^(transformer|unet|vae)\/[^/]+\.safetensors$/.test(path))) {
    return unsuitable(what, `it has no ${INDEX}`, "add the file, as the model's repository has it");
  }
  if (
    paths.some((path) => /(^|\/)model\.bin$/.test(path)) &&
    paths.some((path) => /(^|\/)vocabulary\.(json|txt)$/.test(path))
  ) {
    const remedy = "expected .onnx or .gguf files: add its folder with svc model add, which converts a Whisper model";
    return unsuitable(what, "its model.bin has weights for CTranslate2", remedy);
  }
  for (const [name, pattern] of otherFormats) {
    const found = paths.find((path) => pattern.test(path));
    if (found === undefined) continue;
    const remedy =
      "expected .onnx or .gguf files: get a version with them, or convert it (optimum-cli export onnx, or " +
      "convert_hf_to_gguf.py of llama.cpp)";
    return unsuitable(what, `its weights have another format: ${found} is ${name}`, remedy);
  }
  const others = paths.length === 0 ? "" : `: there ${paths.length === 1 ? "is" : "are"} ${summary(paths)}`;
  return unsuitable(what, `it has no weights${others}`, "expected .onnx or .gguf files");
}

function summary(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).map((path) => show(path).slice(1, -1)).join(", ");
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}

/**
 * The tensors of a network that has no tokenizer, such as one that looks at images, with the small files beside them;
 * undefined where there are none. Language models in this format have other exports.
 */
function networkFiles(paths: readonly string[]): string[] | undefined {
  const tensors = paths.filter((path) => /^model(-\d{5}-of-\d{5})?\.safetensors(\.index\.json)?$/.test(path));
  if (tensors.length === 0 || paths.some((path) => /(^|\/)(tokenizer|vocab|merges)[^/]*$/.test(path))) return undefined;
  return [...new Set([...tensors, ...paths.filter((path) => !path.includes("/") && isSmallFile(path))])].sort();
}

/** Graphs in the format of ONNX Runtime, as the package `moonshine-voice` has them; undefined without any. */
function ortFiles(paths: readonly string[]): string[] | undefined {
  const top = paths.filter((path) => !path.includes("/"));
  const graphs = top.filter((path) => path.endsWith(".ort"));
  if (graphs.length === 0) return undefined;
  return [...graphs, ...top.filter((path) => path === "tokenizer.bin" || isSmallFile(path))].sort();
}

/** Configuration, tokenizer, lexicons, templates, voices, licenses, and the small modules of sentence-transformers. */
function isSmallFile(path: string): boolean {
  if (/^(openvino|onnxruntime)\/|\.index\.json$/.test(path)) return false;
  return /\.(json|json\.gz|jinja|txt|model|tiktoken)$/.test(path) || /^(\d+_\w+|voices)\//.test(path) ||
    /^(LICEN[CS]E|NOTICE)/i.test(path);
}

function unsuitable(what: string, problem: string, expected: string): SvcError {
  return new SvcError("unsuitable_files", `Cannot use ${what}: ${problem}, ${expected}`);
}

/** The file at the top of a pipeline. */
const INDEX = "model_index.json";

/** Components that image models read. */
const COMPONENTS = ["scheduler", "text_encoder", "tokenizer", "transformer", "vae"];

/**
 * The files that a pipeline is made of: configurations, templates, tokenizers and weights of its components; undefined for
 * other folders. What repositories hold besides, such as all weights in one file, is left out.
 */
function pipelineFiles(paths: readonly string[]): string[] | undefined {
  if (!paths.includes(INDEX)) return undefined;
  return paths.filter((path) =>
    path === INDEX || /^(LICEN[CS]E|NOTICE|README)[^/]*$/i.test(path) || isPart(path.split("/"))
  ).sort();
}

function isPart([folder, name, ...more]: readonly string[]): boolean {
  if (!COMPONENTS.includes(folder) || name === undefined || more.length > 0) return false;
  // Variants such as model.fp16.safetensors would be a second set of weights.
  return /\.(json|jinja|txt|model)$/.test(name) || /^[^.]+\.safetensors$/.test(name);
}

/**
 * The projector of a GGUF model among the files around it: it is in the model's folder. Where several models do, it
 * has the name of its model.
 */
export function projectorOf(model: string, paths: readonly string[]): string | undefined {
  const folder = folderOf(model);
  const near = paths.filter((path) => folderOf(path) === folder);
  const stem = stemOf(model);
  const alone = ggufVariants(near).every((variant) => stemOf(variant.paths[0]) === stem);
  return bestProjector(alone ? near : near.filter((path) => nameOf(path).toLowerCase().includes(stem)));
}

/** The name of a model without its quantization, part and ending. */
function stemOf(path: string): string {
  const whole = nameOf(path).toLowerCase().replace(/(-\d{5}-of-\d{5})?\.gguf$/, "");
  return whole.replace(/[-._](ud[-._])?(i?q\d\w*|bf16|f16|f32|mxfp4\w*)$/, "");
}

/** The GGUF models among the files that are not variants of one: their first files. */
export function ggufModels(paths: readonly string[]): readonly string[] {
  const models = new Map<string, string>();
  for (const { paths: [first] } of ggufVariants(paths)) {
    if (!models.has(stemOf(first))) models.set(stemOf(first), first);
  }
  return [...models.values()];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
