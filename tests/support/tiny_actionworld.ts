/**
 * An actionworld with random weights, small enough for tests, as files in memory.
 *
 * @module
 */
import { parseActionworldConfig } from "../../lib/models/actionworld/parse_config.ts";
import { actionTransformerShapes, visionShapes } from "../../lib/models/actionworld/config.ts";
import { diffusersVaeName, vaeShapes } from "../../lib/models/video_vae/vae_config.ts";
import { encodeSafetensors, type Shape, type Tensor } from "../../lib/compute/tensor/mod.ts";
import { seededRandom } from "./random.ts";
import { json, randomWeight, type RootFiles } from "./tiny_arworld.ts";

export const tinyRootConfig = {
  vision_config: { hidden_size: 8, intermediate_size: 12, num_hidden_layers: 1, num_patches: 4, patch_size: 2 },
  projector_config: {
    input_hidden_size: 8,
    merger_intermediate_size: 16,
    out_hidden_size: 32,
    spatial_merge_size: 2,
  },
  default_width: 48,
  default_height: 32,
  default_fps: 8,
  default_steps: 2,
};

export const tinyTransformerConfig = {
  hidden_size: 32,
  intermediate_size: 48,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 8,
  hidden_act: "relu2",
  attention_bias: false,
  qk_norm_for_text: false,
  use_und_k_norm_for_gen: true,
  rms_norm_eps: 1e-5,
  rope_theta: 1e8,
  rope_axes_dim: [2, 1, 1],
  vocab_size: 300,
  latent_channel: 4,
  latent_patch_size: 2,
  patch_latent_dim: 16,
  timestep_scale: 0.001,
  base_fps: 24,
  enable_fps_modulation: true,
  temporal_compression_factor: 4,
  unified_3d_mrope_reset_spatial_ids: true,
  unified_3d_mrope_temporal_modality_margin: 15000,
  action_gen: true,
  action_dim: 12,
  num_embodiment_domains: 3,
};

export const tinyVaeConfig = {
  base_dim: 4,
  decoder_base_dim: 4,
  z_dim: 4,
  dim_mult: [1, 2, 2, 2],
  num_res_blocks: 1,
  temperal_downsample: [false, true, true],
  is_residual: true,
  patch_size: 2,
  in_channels: 12,
  out_channels: 12,
  latents_mean: [0.1, -0.2, 0, 0.3],
  latents_std: [1, 0.5, 2, 1.5],
};

/** Tokens that a byte-level tokenizer of this kind has besides the bytes, by their ids. */
const SPECIAL_TOKENS = {
  "<unk>": 0,
  "<s>": 1,
  "<|im_start|>": 10,
  "<|im_end|>": 11,
  "<think>": 12,
  "<|vision_start|>": 20,
};

/** First id of the 256 bytes. */
export const FIRST_BYTE = 32;

/** A byte-level BPE tokenizer without any merges but that of "a" and "l". */
export function tinyTokenizer() {
  const vocab: Record<string, number> = { al: FIRST_BYTE + 256 };
  byteCharacters().forEach((character, byte) => vocab[character] = FIRST_BYTE + byte);
  return {
    version: "1.0",
    added_tokens: Object.entries(SPECIAL_TOKENS).map(([content, id]) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
    decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: { type: "BPE", unk_token: null, vocab: { ...SPECIAL_TOKENS, ...vocab }, merges: [["a", "l"]] },
  };
}

/** Files of a tiny snapshot by their paths; the same seed gives the same weights. */
export function tinyActionworld(seed = 1): RootFiles {
  const { config, vision } = parseActionworldConfig({
    root: tinyRootConfig,
    transformer: tinyTransformerConfig,
    vae: tinyVaeConfig,
  });
  const random = seededRandom(seed);
  const draw = (shapes: ReadonlyMap<string, Shape>) =>
    new Map(Array.from(shapes, ([name, shape]) => [name, randomWeight(name, shape, random)]));
  const vae = new Map(Array.from(draw(vaeShapes(config.vae)), ([name, t]) => [diffusersVaeName(name), t]));
  const shards = splitInTwo(draw(actionTransformerShapes(config.transformer)));
  const index = Object.fromEntries(shards.flatMap((shard, i) => [...shard.keys()].map((name) => [name, shardName(i)])));
  return new Map([
    ["config.json", json(tinyRootConfig)],
    ["tokenizer.json", json(tinyTokenizer())],
    ["scheduler/scheduler_config.json", json({ _class_name: "UniPCMultistepScheduler" })],
    ["transformer/config.json", json(tinyTransformerConfig)],
    ["transformer/diffusion_pytorch_model.safetensors.index.json", json({ weight_map: index })],
    ...shards.map((shard, i): [string, Uint8Array] => [`transformer/${shardName(i)}`, encodeSafetensors(shard)]),
    ["vae/config.json", json(tinyVaeConfig)],
    ["vae/diffusion_pytorch_model.safetensors", encodeSafetensors(vae)],
    ["vision_encoder/model.safetensors", encodeSafetensors(draw(visionShapes(vision)))],
  ]);
}

function shardName(i: number): string {
  return `diffusion_pytorch_model-0000${i + 1}-of-00002.safetensors`;
}

function splitInTwo(tensors: ReadonlyMap<string, Tensor>): Map<string, Tensor>[] {
  const entries = [...tensors];
  const half = Math.ceil(entries.length / 2);
  return [new Map(entries.slice(0, half)), new Map(entries.slice(half))];
}

/** The character that stands for each byte: itself where it can be printed, else one from 256 on (Radford et al. 2019). */
function byteCharacters(): string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const prints = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    return String.fromCharCode(prints ? byte : next++);
  });
}
