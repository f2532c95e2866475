/**
 * The configurations of the image goldens in the words of the code; what they leave out has the released values.
 *
 * @module
 */
import type { Flux2TransformerConfig, Flux2VaeConfig } from "../../../lib/models/flux2/config.ts";
import { parseQwen3Config, type Qwen3Config } from "../../../lib/models/qwen3/config.ts";
import type { Golden } from "../golden.ts";

type Json = Record<string, number & readonly number[]>;

export function qwen3Config(golden: Golden): Qwen3Config {
  const problems: string[] = [];
  const config = parseQwen3Config("config", golden.config.qwen, problems);
  if (!config) throw new Error(problems.join("; "));
  return config;
}

export function flux2TransformerConfig(golden: Golden): Flux2TransformerConfig {
  const c = golden.config.transformer as Json;
  const hiddenSize = c.num_attention_heads * c.attention_head_dim;
  return {
    hiddenSize,
    numHeads: c.num_attention_heads,
    headDim: c.attention_head_dim,
    numDoubleBlocks: c.num_layers,
    numSingleBlocks: c.num_single_layers,
    latentChannels: c.in_channels,
    textChannels: c.joint_attention_dim,
    feedForwardSize: hiddenSize * c.mlp_ratio,
    timeChannels: c.timestep_guidance_channels,
    ropeAxes: c.axes_dims_rope,
    ropeTheta: c.rope_theta,
    normEps: c.eps,
  };
}

export function flux2VaeConfig(golden: Golden): Flux2VaeConfig {
  const c = golden.config.vae as Json;
  return {
    latentChannels: c.latent_channels,
    encoderChannels: c.block_out_channels,
    decoderChannels: c.block_out_channels,
    layersPerBlock: c.layers_per_block,
    normGroups: c.norm_num_groups,
    batchNormEps: c.batch_norm_eps,
  };
}
