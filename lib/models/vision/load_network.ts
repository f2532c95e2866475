/**
 * Loads the network of a vision model from its folder.
 *
 * @module
 */
import type { TensorFile } from "../../compute/tensor/mod.ts";
import { invalidModelFiles } from "../checkpoint/model_errors.ts";
import { checkTensors, type ModelRoot, openTensors } from "../checkpoint/model_root.ts";
import { type LoadOptions, readWeights } from "../checkpoint/read_weights.ts";
import type { TensorShapes, Weights } from "../checkpoint/weights.ts";
import { readVisionSettings, TensorCensus, type VisionSettings } from "./network_sizes.ts";

/** A family of networks: how to read sizes from tensors, and which tensors that makes. */
export interface NetworkFamily<C> {
  /** For error sentences. */
  readonly name: string;
  readonly configOf: (census: TensorCensus, settings: VisionSettings, problems: string[]) => C;
  readonly shapesOf: (config: C) => TensorShapes;
}

/** A network's sizes and weights. */
export interface LoadedNetwork<C> {
  readonly config: C;
  readonly weights: Weights;
}

/** The one file of weights in a folder. */
export const WEIGHTS_FILE = "model.safetensors";

/** A network's sizes and the shapes of its weights, none of which were read. */
interface InspectedNetwork<C> {
  readonly config: C;
  readonly shapes: TensorShapes;
  readonly file: TensorFile;
}

/**
 * Reads the header of `model.safetensors` (or of its shards) and the optional `config.json`: enough to plan with.
 *
 * @throws {SvcError} `model_invalid` with everything that is wrong with the files.
 */
export async function inspectNetwork<C>(root: ModelRoot, family: NetworkFamily<C>): Promise<InspectedNetwork<C>> {
  const problems: string[] = [];
  const file = await openTensors(root, WEIGHTS_FILE, problems);
  const settings = await readVisionSettings(root, problems);
  if (!file) throw invalidModelFiles(problems, family.name);
  const config = family.configOf(new TensorCensus(file, problems), settings, problems);
  if (problems.length > 0) throw invalidModelFiles(problems, family.name);
  const shapes = family.shapesOf(config);
  checkTensors(file, shapes, problems);
  if (problems.length > 0) throw invalidModelFiles(problems, family.name);
  return { config, shapes, file };
}

/**
 * Reads the network and its weights.
 *
 * @throws {SvcError} `model_invalid` with everything that is wrong with the files.
 */
export async function loadNetwork<C>(
  root: ModelRoot,
  family: NetworkFamily<C>,
  options: LoadOptions = {},
): Promise<LoadedNetwork<C>> {
  const { config, shapes, file } = await inspectNetwork(root, family);
  const problems: string[] = [];
  const [weights] = await readWeights([{ file, shapes }], problems, options);
  if (problems.length > 0) throw invalidModelFiles(problems, family.name);
  return { config, weights };
}
