/**
 * Settings of a vision model that its tensors do not contain.
 *
 * @module
 */
import * as v from "valibot";
import { checkConfig, size } from "../checkpoint/model_errors.ts";
import { type ModelRoot, readJson } from "../checkpoint/model_root.ts";

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
  /** Attention heads of the transformer behind it; default one for 64 channels. */
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
