/**
 * Sizes of a network: read from the shapes of its tensors and, where those do not contain them, from settings.
 *
 * @module
 */
import * as v from "valibot";
import { checkConfig, size } from "../checkpoint/model_errors.ts";
import type { TensorFile } from "../../compute/tensor/mod.ts";
import { type ModelRoot, readJson } from "../checkpoint/model_root.ts";

/** Layers beyond which a file is not looked at. */
const MAX_LAYERS = 256;

/** Looks up sizes in the header of a file; a missing tensor is a problem and counts as 1. */
export class TensorCensus {
  readonly #file: TensorFile;
  readonly #problems: string[];

  constructor(file: TensorFile, problems: string[]) {
    this.#file = file;
    this.#problems = problems;
  }

  /** Whether the file has the tensor. */
  has(name: string): boolean {
    return this.#file.tensors.has(name);
  }

  /** Size of an axis of a tensor. */
  size(name: string, axis: number): number {
    const size = this.#file.tensors.get(name)?.shape[axis];
    if (size !== undefined && size > 0) return size;
    this.#problems.push(`${this.#file.name} lacks tensor "${name}", from which its sizes are read`);
    return 1;
  }

  /** How many layers there are, by a tensor that each has; `{i}` stands for the layer's number. */
  layers(pattern: string): number {
    let count = 0;
    while (count < MAX_LAYERS && this.has(pattern.replace("{i}", `${count}`))) count++;
    return count;
  }

  /** Side of the square that a position table [1,1+side*side,D] was trained on. */
  gridSide(name: string): number {
    const length = this.size(name, 1) - 1;
    const side = Math.round(Math.sqrt(Math.max(length, 1)));
    if (side * side !== length) {
      this.#problems.push(`${this.#file.name} has ${length} positions in "${name}", expected a square number`);
    }
    return side;
  }
}

const schema = v.object({
  heads: v.optional(size),
  transformer_heads: v.optional(size),
  camera_heads: v.optional(size),
  image_size: v.optional(size),
});

/** Numbers of an optional `config.json`; the published models need none of them. */
export interface VisionSettings {
  /** Attention heads of the image encoder; default one for 64 channels. */
  readonly heads?: number | undefined;
  /** Attention heads of the transformer after it; default one for 64 channels. */
  readonly transformerHeads?: number | undefined;
  /** Attention heads of the camera encoder; default 16. */
  readonly cameraHeads?: number | undefined;
  /** Pixels on the side of the images that the model was trained on. */
  readonly imageSize?: number | undefined;
}

const FILE = "config.json";
const HEAD_WIDTH = 64;

/** Reads the settings; adds what is invalid in them to `problems`. */
export async function readVisionSettings(root: ModelRoot, problems: string[]): Promise<VisionSettings> {
  if (!(await root.open(FILE))) return {};
  const read = await readJson(root, FILE, problems);
  const c = read && checkConfig(`${root.name}/${FILE}`, schema, read.value, problems);
  return c
    ? {
      heads: c.heads,
      transformerHeads: c.transformer_heads,
      cameraHeads: c.camera_heads,
      imageSize: c.image_size,
    }
    : {};
}

/** Heads of a layer of `width` channels; adds to `problems` when they do not divide it. */
export function headsOf(what: string, width: number, given: number | undefined, problems: string[]): number {
  const heads = given ?? width / HEAD_WIDTH;
  if (Number.isInteger(heads) && heads > 0 && width % heads === 0) return heads;
  problems.push(
    `${FILE}: ${what} is ${given ?? "not given"}, expected a divisor of the ${width} channels that the tensors have`,
  );
  return 1;
}
