/**
 * Configurations as the shapes of the weights tell them.
 *
 * @module
 */
import { type Shape, sizeOf } from "../../../compute/tensor/mod.ts";
import { WAN_MEAN, WAN_STD } from "./wan_latents.ts";

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

/** `vae` and the latent statistics of a base configuration; `given` is what lies beside the weights. */
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
