/**
 * An arworld with random weights, small enough for tests, as files in memory.
 *
 * @module
 */
import type { ModelRoot } from "../../lib/models/checkpoint/model_root.ts";
import { parseArworldConfig } from "../../lib/models/arworld/parse_config.ts";
import { textEncoderShapes, transformerShapes } from "../../lib/models/arworld/config.ts";
import { vaeShapes } from "../../lib/models/video_vae/vae_config.ts";
import { byteSource, encodeSafetensors, f32, type Shape, sizeOf, type Tensor } from "../../lib/compute/tensor/mod.ts";
import { seededRandom } from "./random.ts";

/** Files of one root by name; tests change them before they load. */
export type RootFiles = Map<string, Uint8Array>;

export const tinyBaseConfig = {
  vae: {
    z_dim: 4,
    dim: 4,
    dec_dim: 4,
    dim_mult: [1, 2, 2, 2],
    num_res_blocks: 1,
    temperal_downsample: [false, true, true],
  },
  t5: { vocab: 8, dim: 8, dim_attn: 8, dim_ffn: 12, num_heads: 2, num_layers: 1, num_buckets: 8 },
  latents_mean: [0.1, -0.2, 0, 0.3],
  latents_std: [1, 0.5, 2, 1.5],
  default_width: 64,
  default_height: 32,
  default_fps: 8,
};

export const tinyCausalConfig = {
  dit: { dim: 16, ffn_dim: 24, num_heads: 2, num_layers: 2, freq_dim: 8, text_dim: 8, text_len: 6, attn_compress: 2 },
  color_strength: 0.5,
};

const tokenizer = {
  model: {
    type: "Unigram",
    unk_id: 3,
    vocab: [["<pad>", 0], ["</s>", 0], ["<s>", 0], ["<unk>", 0], ["▁red", -1], ["▁hall", -2], ["▁", -3], ["a", -4]],
  },
  pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: false },
};

/** Files of the two roots of a tiny model; the same seed gives the same weights, the others replace fields. */
export function tinyArworld(
  seed = 1,
  causal: Readonly<Record<string, unknown>> = {},
  base: Partial<typeof tinyBaseConfig> = {},
): { base: RootFiles; causal: RootFiles } {
  const baseConfig = { ...tinyBaseConfig, ...base };
  const config = parseArworldConfig(baseConfig, tinyCausalConfig);
  const random = seededRandom(seed);
  const weights = (shapes: ReadonlyMap<string, Shape>) =>
    encodeSafetensors(new Map([...shapes].map(([name, shape]) => [name, randomWeight(name, shape, random)])));
  return {
    base: new Map([
      ["config.json", json(baseConfig)],
      ["tokenizer.json", json(tokenizer)],
      ["vae.safetensors", weights(vaeShapes(config.vae))],
      ["t5_encoder.safetensors", weights(textEncoderShapes(config.textEncoder))],
    ]),
    causal: new Map([
      ["config.json", json({ ...tinyCausalConfig, ...causal })],
      ["model.safetensors", weights(transformerShapes(config.transformer))],
    ]),
  };
}

/** The files as a folder called `name`. */
export function memoryRoot(name: string, files: RootFiles): ModelRoot {
  return {
    name,
    open(file) {
      const bytes = files.get(file);
      return Promise.resolve(bytes && byteSource(bytes));
    },
  };
}

export function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Norms near 1, everything else of a size that keeps activations of a size. */
export function randomWeight(name: string, shape: Shape, random: () => number): Tensor {
  const isNorm = /(gamma|norm\d?(_[qk])?\.weight)$/.test(name);
  const scale = name.endsWith("bias") ? 0.1 : Math.sqrt(3 / sizeOf(shape.slice(1)));
  const draw = () => (isNorm ? 1 + 0.1 * (2 * random() - 1) : scale * (2 * random() - 1));
  return f32(shape, Float32Array.from({ length: sizeOf(shape) }, draw));
}
