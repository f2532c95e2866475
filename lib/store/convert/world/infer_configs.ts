/**
 * Configurations of converted worlds: from the shapes of weights, and from files beside them.
 *
 * @module
 */
import { type Shape, sizeOf } from "../../../compute/tensor/mod.ts";
import { readFile, stat } from "../../../platform/files/file_system.ts";
import { dirname, join } from "../../../platform/files/paths.ts";
import { isObject } from "../../../json/json_text.ts";
import { replaceFile } from "../../../platform/files/atomic_write.ts";

/** The shape of a weight by its Wan name; undefined when the checkpoint has no such weight. */
export type ShapeOf = (wan: string) => Shape | undefined;

/** What a configuration beside the weights says. */
export type GivenConfig = Readonly<Record<string, unknown>>;

/** Channels of an attention head of every published Wan transformer. */
const HEAD = 128;

/** Latent cells of a token. */
const PATCH = 2 * 2;

const DEFAULT_SIZE = { default_width: 512, default_height: 320, default_fps: 16 };

/** `t5` of a base configuration. */
export function textConfig(shapeOf: ShapeOf): GivenConfig {
  const [vocab, dim] = shapeOf("token_embedding.weight") ?? [];
  const [buckets, heads] = shapeOf("blocks.0.pos_embedding.embedding.weight") ?? [];
  return {
    t5: {
      vocab,
      dim,
      dim_attn: shapeOf("blocks.0.attn.q.weight")?.[0],
      dim_ffn: shapeOf("blocks.0.ffn.fc1.weight")?.[0],
      num_heads: heads,
      num_layers: countOf((i) => shapeOf(`blocks.${i}.norm1.weight`)),
      num_buckets: buckets,
    },
  };
}

/** `vae` and the latent statistics of a base configuration; `given` is the one next to the weights. */
export function vaeConfig(shapeOf: ShapeOf, given: GivenConfig): GivenConfig {
  // The lengths of vectors: some tools join the axes of convolutions.
  const width = (vector: string) => shapeOf(vector)?.[0] ?? NaN;
  const dim = width("encoder.conv1.bias");
  const zDim = width("conv2.bias");
  const stage = (i: number) => `encoder.downsamples.${i}.downsamples`;
  const stages = countOf((i) => shapeOf(`${stage(i)}.0.residual.2.weight`));
  const multiples = Array.from(
    { length: stages },
    (_, i) => width(`${stage(i)}.0.residual.2.bias`) / dim,
  );
  const blocks = countOf((j) => shapeOf(`${stage(0)}.${j}.residual.2.weight`));
  const decoded = width("decoder.head.0.gamma");
  const patchSize = Math.sqrt(width("decoder.head.2.bias") / 3); // red, green and blue of its pixels
  const known = zDim === WAN_MEAN.length ? { latents_mean: WAN_MEAN, latents_std: WAN_STD } : {};
  const { latents_mean, latents_std } = given;
  return {
    vae: {
      z_dim: zDim,
      dim,
      dec_dim: decoded / multiples[0],
      dim_mult: multiples,
      num_res_blocks: blocks,
      temperal_downsample: multiples.slice(1).map((_, i) =>
        shapeOf(`${stage(i)}.${blocks}.time_conv.weight`) !== undefined
      ),
      // Where the bias is missing or of another kind, the list of wrong weights says so.
      ...Number.isInteger(patchSize) && patchSize !== 2 && { patch_size: patchSize },
    },
    ...known,
    ...latents_mean !== undefined && { latents_mean },
    ...latents_std !== undefined && { latents_std },
    ...DEFAULT_SIZE,
    ...pick(given, ["default_width", "default_height", "default_fps", "default_prompt"]),
  };
}

/** The configuration of a causal root. */
export function causalConfig(shapeOf: ShapeOf, given: GivenConfig): GivenConfig {
  const inside = typeof given.dit === "object" && given.dit !== null ? given.dit as GivenConfig : given;
  const [dim = NaN] = shapeOf("patch_embedding.bias") ?? [];
  const zDim = sizeOf(shapeOf("patch_embedding.weight") ?? [NaN]) / (dim * PATCH);
  const camera = shapeOf("blocks.0.cam_self_attn.q_proj.weight")?.[0] ?? NaN;
  return {
    dim,
    ffn_dim: shapeOf("blocks.0.ffn.0.weight")?.[0],
    num_heads: dim / HEAD,
    num_layers: countOf((i) => shapeOf(`blocks.${i}.norm3.weight`)),
    freq_dim: shapeOf("time_embedding.0.weight")?.[1],
    text_dim: shapeOf("text_embedding.0.weight")?.[1],
    text_len: 512,
    attn_compress: dim / camera,
    in_dim: zDim,
    ...pick(inside, ["num_heads", "text_len", "local_attn_size", "sink_size"]),
    ...pick(given, ["color_strength"]),
  };
}

function countOf(at: (i: number) => unknown): number {
  let count = 0;
  while (at(count) !== undefined) count++;
  return count;
}

function pick(given: GivenConfig, keys: readonly string[]): GivenConfig {
  return Object.fromEntries(keys.filter((key) => given[key] !== undefined).map((key) => [key, given[key]]));
}

/** Largest file that is read, in bytes. */
const MAX_BYTES = 64 * 2 ** 20;

/** The first of these that is a JSON object; an empty one when there is none. */
export async function readBeside(source: string, ...names: readonly string[]): Promise<Record<string, unknown>> {
  const isFolder = await stat(source).then((info) => info.isDirectory(), () => false);
  const folder = isFolder ? source : dirname(source);
  for (const name of names) {
    try {
      const path = join(folder, name);
      if ((await stat(path)).size > MAX_BYTES) continue;
      const value: unknown = JSON.parse(new TextDecoder().decode(await readFile(path)));
      if (isObject(value)) return value;
    } catch {
      // Not there, or something else: the next one may be.
    }
  }
  return {};
}

/** Adds fields to a JSON file, or makes one of them. */
export async function mergeJson(file: string, more: Readonly<Record<string, unknown>>): Promise<void> {
  const merged = { ...await readJsonObject(file), ...more };
  await replaceFile(file, new TextEncoder().encode(`${JSON.stringify(merged, undefined, 2)}\n`));
}

/** The object in a JSON file; an empty one where there is none. */
export async function readJsonObject(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await readFile(file)));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Mean of each of the 48 channels over the training data, as published with Wan2.2-TI2V-5B. */
const WAN_MEAN: readonly number[] = [
  ...[-0.2289, -0.0052, -0.1323, -0.2339, -0.2799, 0.0174, 0.1838, 0.1557, -0.1382, 0.0542, 0.2813, 0.0891],
  ...[0.157, -0.0098, 0.0375, -0.1825, -0.2246, -0.1207, -0.0698, 0.5109, 0.2665, -0.2108, -0.2158, 0.2502],
  ...[-0.2055, -0.0322, 0.1109, 0.1567, -0.0729, 0.0899, -0.2799, -0.123, -0.0313, -0.1649, 0.0117, 0.0723],
  ...[-0.2839, -0.2083, -0.052, 0.3748, 0.0152, 0.1957, 0.1433, -0.2944, 0.3573, -0.0548, -0.1681, -0.0667],
];

/** Standard deviation of each channel. */
const WAN_STD: readonly number[] = [
  ...[0.4765, 1.0364, 0.4514, 1.1677, 0.5313, 0.499, 0.4818, 0.5013, 0.8158, 1.0344, 0.5894, 1.0901],
  ...[0.6885, 0.6165, 0.8454, 0.4978, 0.5759, 0.3523, 0.7135, 0.6804, 0.5833, 1.4146, 0.8986, 0.5659],
  ...[0.7069, 0.5338, 0.4889, 0.4917, 0.4069, 0.4999, 0.6866, 0.4093, 0.5709, 0.6065, 0.6415, 0.4944],
  ...[0.5726, 1.2042, 0.5458, 1.6887, 0.3971, 1.06, 0.3943, 0.5537, 0.5444, 0.4089, 0.7468, 0.7744],
];
