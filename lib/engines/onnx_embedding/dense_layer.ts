/**
 * Dense layers after pooling.
 *
 * @module
 */
import { toFloat32 } from "../../compute/tensor/half.ts";
import { byteSource, openSafetensors } from "../../compute/tensor/safetensors_reader.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { type JsonObject, MAX_WIDTH, readModelJson, sizeIn } from "../files/model_json.ts";

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
