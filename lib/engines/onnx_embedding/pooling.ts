/**
 * From token vectors to a text vector: poolings, and the dense layers after them.
 *
 * @module
 */
import { toFloat32 } from "../../compute/tensor/half.ts";
import { byteSource, openSafetensors } from "../../compute/tensor/safetensors_reader.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { type JsonObject, MAX_WIDTH, readModelJson, sizeIn } from "../files/model_json.ts";

/** Pooling modes, in the order in which sentence-transformers concatenates them. */
export const POOLINGS = ["cls", "max", "mean", "mean_sqrt_len", "weighted_mean", "last_token"] as const;

/** One of {@linkcode POOLINGS}. */
export type Pooling = typeof POOLINGS[number];

/**
 * Pools the vectors of a text's tokens (Reimers and Gurevych 2019, Sentence-BERT; the weights of `weighted_mean` are
 * the token positions counted from 1, Muennighoff 2022, SGPT).
 *
 * @param tokens Vectors of `width` numbers, concatenated.
 * @param from Tokens before this one are an excluded prompt.
 * @param to Tokens from this one on are padding.
 */
export function pool(
  tokens: Float32Array,
  width: number,
  from: number,
  to: number,
  pooling: Pooling,
): Float64Array<ArrayBuffer> {
  switch (pooling) {
    case "cls":
      return row(tokens, width, 0);
    case "last_token":
      return row(tokens, width, to - 1);
    case "max":
      return largest(tokens, width, from, to);
    case "mean":
      return scaled(sum(tokens, width, from, to, () => 1), 1 / (to - from));
    case "mean_sqrt_len":
      return scaled(sum(tokens, width, from, to, () => 1), 1 / Math.sqrt(to - from));
    case "weighted_mean":
      return scaled(sum(tokens, width, from, to, (at) => at + 1), 2 / ((to - from) * (from + to + 1)));
  }
}

/** The normalized vector; a zero vector stays unchanged. */
export function normalized(vector: Float64Array): Float64Array<ArrayBuffer> {
  const length = Math.sqrt(vector.reduce((total, x) => total + x * x, 0));
  return scaled(vector, 1 / Math.max(length, 1e-12));
}

function row(tokens: Float32Array, width: number, at: number): Float64Array<ArrayBuffer> {
  return Float64Array.from(tokens.subarray(at * width, (at + 1) * width));
}

function largest(tokens: Float32Array, width: number, from: number, to: number): Float64Array<ArrayBuffer> {
  const out = row(tokens, width, from);
  for (let at = from + 1; at < to; at++) {
    for (let i = 0; i < width; i++) out[i] = Math.max(out[i], tokens[at * width + i]);
  }
  return out;
}

function sum(
  tokens: Float32Array,
  width: number,
  from: number,
  to: number,
  weight: (at: number) => number,
): Float64Array<ArrayBuffer> {
  const out = new Float64Array(width);
  for (let at = from; at < to; at++) {
    const factor = weight(at);
    for (let i = 0; i < width; i++) out[i] += factor * tokens[at * width + i];
  }
  return out;
}

function scaled(vector: Float64Array, factor: number): Float64Array<ArrayBuffer> {
  return vector.map((x) => x * factor);
}

/** A layer of sentence-transformers' `Dense` module. */
export interface DenseLayer {
  /** Width of its input. */
  readonly from: number;
  /** Width of its output. */
  readonly to: number;
  /** Subfolder of the model. */
  readonly path: string;
  readonly bias: boolean;
  readonly activation: (x: number) => number;
}

/** A dense layer with its weights. */
export type LoadedDense = (vector: Float64Array) => Float64Array<ArrayBuffer>;

/** By the last part of the PyTorch class name. */
const activations: Readonly<Record<string, DenseLayer["activation"]>> = {
  Identity: (x) => x,
  Tanh: Math.tanh,
  ReLU: (x) => Math.max(x, 0),
  Sigmoid: (x) => 1 / (1 + Math.exp(-x)),
};

/**
 * Reads a module's configuration.
 *
 * @throws {Error} when it is missing, or its activation is unsupported.
 */
export async function readDenseLayer(files: ModelFiles, path: string): Promise<DenseLayer> {
  const name = `${path}/config.json`;
  const config = await readModelJson(files, name);
  if (config === undefined) throw new Error(`Cannot open the model: modules.json names ${name}, which is missing`);
  const written = String(config.activation_function ?? "torch.nn.modules.linear.Identity");
  const activation = activations[written.slice(written.lastIndexOf(".") + 1)];
  if (activation === undefined) {
    const known = Object.keys(activations).join(", ");
    throw new Error(`Cannot use ${name}: activation_function is "${written}", expected one of ${known}`);
  }
  return {
    from: width(name, config, "in_features"),
    to: width(name, config, "out_features"),
    path,
    bias: config.bias !== false,
    activation,
  };
}

/**
 * Reads the weights of a layer from its `model.safetensors`.
 *
 * @throws {Error} when they are missing or their sizes differ from the configuration.
 */
export async function loadDense(files: ModelFiles, layer: DenseLayer): Promise<LoadedDense> {
  const { from, to, activation } = layer;
  const name = `${layer.path}/model.safetensors`;
  if (!files.names.includes(name)) {
    throw new Error(`Cannot open the model: it has no ${name}, expected the weights of that layer`);
  }
  const file = await openSafetensors(name, byteSource(await files.read(name)));
  const weights = async (tensor: string, shape: readonly number[]): Promise<Float32Array> => {
    const found = await file.read(tensor);
    if (found.shape.join() === shape.join()) return toFloat32(found);
    throw new Error(`Cannot use ${name}: ${tensor} is [${found.shape}], expected [${shape}]`);
  };
  const weight = await weights("linear.weight", [to, from]);
  const bias = layer.bias ? await weights("linear.bias", [to]) : new Float32Array(to);
  return (vector) =>
    Float64Array.from(bias, (start, row) => {
      let total = start;
      for (let i = 0; i < from; i++) total += weight[row * from + i] * vector[i];
      return activation(total);
    });
}

function width(file: string, config: JsonObject, key: string): number {
  const found = sizeIn(file, config, key, MAX_WIDTH);
  if (found !== undefined) return found;
  throw new Error(`Cannot use ${file}: it has no "${key}", expected a whole number from 1 to ${MAX_WIDTH}`);
}
