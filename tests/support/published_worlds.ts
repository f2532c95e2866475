import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { sizeOf } from "../../lib/compute/tensor/mod.ts";
import { parseActionworldConfig } from "../../lib/models/actionworld/parse_config.ts";
import { actionTransformerShapes, type ActionworldConfig, visionShapes } from "../../lib/models/actionworld/config.ts";
import { parseArworldConfig } from "../../lib/models/arworld/parse_config.ts";
import { type ArworldConfig, textEncoderShapes, transformerShapes } from "../../lib/models/arworld/config.ts";
import type { TensorShapes } from "../../lib/models/checkpoint/weights.ts";
import { diffusersVaeName, vaeShapes } from "../../lib/models/video_vae/vae_config.ts";
import { tinyTokenizer, tinyTransformerConfig, tinyVaeConfig } from "./tiny_actionworld.ts";

const statistics = Array.from({ length: 48 }, () => 1);

/** The configuration of the base root of Wan2.2-TI2V-5B, latent statistics apart. */
export const wanBase = {
  vae: {
    z_dim: 48,
    dim: 160,
    dec_dim: 256,
    dim_mult: [1, 2, 4, 4],
    num_res_blocks: 2,
    temperal_downsample: [false, true, true],
  },
  t5: { vocab: 256384, dim: 4096, dim_attn: 4096, dim_ffn: 10240, num_heads: 64, num_layers: 24, num_buckets: 32 },
  latents_mean: statistics,
  latents_std: statistics,
};

/** The configuration of DreamX-World-5B. */
export const dreamxCausal = {
  dim: 3072,
  ffn_dim: 14336,
  num_heads: 24,
  num_layers: 30,
  freq_dim: 256,
  text_len: 512,
  attn_compress: 4,
  in_dim: 48,
  out_dim: 48,
};

/** DreamX-World-5B on Wan2.2-TI2V-5B. */
export function dreamx(): ArworldConfig {
  return parseArworldConfig(wanBase, dreamxCausal);
}

/** The configurations of Cosmos3-Edge, latent statistics apart. */
export const cosmosConfigs = {
  root: {
    vision_config: {
      ...{ hidden_size: 1152, intermediate_size: 4304, num_hidden_layers: 27, num_channels: 3, num_patches: 256 },
      patch_size: 16,
    },
    projector_config: {
      ...{ input_hidden_size: 1152, merger_intermediate_size: 11520, out_hidden_size: 2048, spatial_merge_size: 2 },
      use_postshuffle_norm: false,
    },
  },
  transformer: {
    ...tinyTransformerConfig,
    ...{ hidden_size: 2048, intermediate_size: 9216, num_hidden_layers: 28, num_attention_heads: 16 },
    ...{ num_key_value_heads: 8, head_dim: 128, rope_axes_dim: [24, 20, 20], vocab_size: 131072 },
    ...{ latent_channel: 48, patch_latent_dim: 192, action_dim: 64, num_embodiment_domains: 32 },
  },
  vae: {
    ...tinyVaeConfig,
    ...{ base_dim: 160, decoder_base_dim: 256, z_dim: 48, dim_mult: [1, 2, 4, 4], num_res_blocks: 2 },
    ...{ latents_mean: statistics, latents_std: statistics },
  },
};

/** Cosmos3-Edge. */
export function cosmosEdge(): ActionworldConfig {
  return parseActionworldConfig(cosmosConfigs).config;
}

/** Writes the snapshot of Cosmos3-Edge into a folder: true names, shapes and sizes, nothing in them. */
export function writeSparseCosmos(folder: string): void {
  const { config, vision } = parseActionworldConfig(cosmosConfigs);
  const write = (name: string, value: unknown) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(value));
  };
  write("config.json", cosmosConfigs.root);
  write("tokenizer.json", tinyTokenizer());
  write("scheduler/scheduler_config.json", {});
  for (const part of ["transformer", "vae"] as const) write(`${part}/config.json`, cosmosConfigs[part]);
  mkdirSync(join(folder, "vision_encoder"), { recursive: true });
  const name = "diffusion_pytorch_model.safetensors";
  writeSparse(join(folder, "transformer", name), actionTransformerShapes(config.transformer), "BF16");
  writeSparse(join(folder, "vae", name), diffusersShapes(vaeShapes(config.vae)), "BF16");
  writeSparse(join(folder, "vision_encoder", "model.safetensors"), visionShapes(vision), "BF16");
}

function diffusersShapes(shapes: TensorShapes): TensorShapes {
  return new Map(Array.from(shapes, ([name, shape]) => [diffusersVaeName(name), shape]));
}

/** Writes a file of zeros with these tensors that takes next to no space on a disk. */
export function writeSparse(path: string, shapes: TensorShapes, dtype: "F32" | "F16" | "BF16"): void {
  const bytes = dtype === "F32" ? 4 : 2;
  const header: Record<string, unknown> = {};
  let at = 0;
  for (const [name, shape] of shapes) header[name] = { dtype, shape, data_offsets: [at, at += sizeOf(shape) * bytes] };
  const json = new TextEncoder().encode(JSON.stringify(header));
  const head = new Uint8Array(8 + json.length);
  new DataView(head.buffer).setBigUint64(0, BigInt(json.length), true);
  head.set(json, 8);
  const file = openSync(path, "w");
  writeSync(file, head);
  ftruncateSync(file, head.length + at);
  closeSync(file);
}

/** Writes both roots of DreamX-World-5B below a folder: true names, shapes and sizes, nothing in them. */
export function writeSparseDreamx(folder: string, dtype: "F32" | "F16" = "F32"): void {
  const config = dreamx();
  const [base, causal] = ["base", "causal"].map((name) => join(folder, name));
  for (const each of [base, causal]) mkdirSync(each, { recursive: true });
  writeFileSync(join(base, "config.json"), JSON.stringify(wanBase));
  writeFileSync(join(base, "tokenizer.json"), "{}");
  writeFileSync(join(causal, "config.json"), JSON.stringify(dreamxCausal));
  writeSparse(join(base, "vae.safetensors"), vaeShapes(config.vae), dtype);
  writeSparse(join(base, "t5_encoder.safetensors"), textEncoderShapes(config.textEncoder), "BF16");
  writeSparse(join(causal, "model.safetensors"), transformerShapes(config.transformer), dtype);
}
