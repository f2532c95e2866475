/**
 * Reads the configurations of a Z-Image pipeline in its published layout.
 *
 * @module
 */
import * as v from "valibot";
import { checkConfig, finite, invalidModelConfig, positive, size } from "../checkpoint/model_errors.ts";
import type { PipelineConfigs } from "../image_pipeline/open_components.ts";
import { parseQwen3Config } from "../qwen3/config.ts";
import type { ZImageConfig } from "./config.ts";

/** Of Z-Image-Turbo, which was distilled to eight steps without guidance. */
const RELEASED = { textLength: 512, steps: 8, side: 1024 };

const indexSchema = v.object({
  _class_name: v.literal("ZImagePipeline"),
  // Ours, for models that are not as large as the released ones.
  max_sequence_length: v.optional(v.pipe(size, v.maxValue(4096)), RELEASED.textLength),
  default_steps: v.optional(v.pipe(size, v.maxValue(100)), RELEASED.steps),
});

const transformerSchema = v.object({
  all_patch_size: v.optional(v.tuple([v.literal(2)])),
  all_f_patch_size: v.optional(v.tuple([v.literal(1)])),
  in_channels: size,
  dim: size,
  n_layers: size,
  n_refiner_layers: size,
  n_heads: size,
  n_kv_heads: size,
  norm_eps: v.optional(positive, 1e-5),
  qk_norm: v.optional(v.literal(true)),
  cap_feat_dim: size,
  rope_theta: v.optional(positive, 256),
  t_scale: v.optional(v.literal(1000)),
  axes_dims: v.pipe(v.array(v.pipe(size, v.multipleOf(2))), v.length(3)),
});

const vaeSchema = v.object({
  block_out_channels: v.pipe(v.array(size), v.length(4)),
  layers_per_block: v.optional(size, 1),
  latent_channels: size,
  norm_num_groups: v.optional(size, 32),
  scaling_factor: positive,
  shift_factor: v.nullish(finite),
  in_channels: v.optional(v.literal(3)),
  out_channels: v.optional(v.literal(3)),
  act_fn: v.optional(v.literal("silu")),
  use_quant_conv: v.literal(false),
  use_post_quant_conv: v.literal(false),
  mid_block_add_attention: v.optional(v.literal(true)),
});

const schedulerSchema = v.object({
  _class_name: v.optional(v.literal("FlowMatchEulerDiscreteScheduler")),
  num_train_timesteps: v.optional(v.literal(1000)),
  use_dynamic_shifting: v.optional(v.literal(false)),
  shift: v.optional(positive, 1),
});

/**
 * Checks and joins the configurations of a pipeline.
 *
 * @throws {SvcError} `model_invalid`, whose `problems` name every wrong field of all five.
 */
export function parseZImageConfig(configs: PipelineConfigs): ZImageConfig {
  const problems: string[] = [];
  const index = checkConfig("model_index.json", indexSchema, configs.index, problems);
  const textEncoder = parseQwen3Config("text_encoder/config.json", configs.textEncoder, problems);
  const t = checkConfig("transformer/config.json", transformerSchema, configs.transformer, problems);
  const vae = checkConfig("vae/config.json", vaeSchema, configs.vae, problems);
  const scheduler = checkConfig("scheduler/scheduler_config.json", schedulerSchema, configs.scheduler, problems);
  if (!index || !textEncoder || !t || !vae || !scheduler) throw invalidModelConfig(problems, "image model");
  const expect = (is: number, expected: number, field: string, why: string) => {
    if (is !== expected) problems.push(`${field} is ${is}, expected ${expected} (${why})`);
  };
  const file = "transformer/config.json:";
  const axes = t.axes_dims.reduce((a, b) => a + b, 0);
  expect(axes, t.dim / t.n_heads, `${file} the sum of axes_dims`, "dim / n_heads");
  expect(t.n_kv_heads, t.n_heads, `${file} n_kv_heads`, "n_heads");
  expect(t.in_channels, vae.latent_channels, `${file} in_channels`, "latent_channels of the vae");
  expect(t.cap_feat_dim, textEncoder.hiddenSize, `${file} cap_feat_dim`, "hidden_size of the text encoder");
  for (const channels of vae.block_out_channels) {
    expect(
      channels % vae.norm_num_groups,
      0,
      `vae/config.json: the rest of ${channels} by norm_num_groups`,
      "whole groups",
    );
  }
  if (textEncoder.numLayers < 2) problems.push("text_encoder/config.json: num_hidden_layers is 1, expected 2 or more");
  if (problems.length > 0) throw invalidModelConfig(problems, "image model");
  return {
    textEncoder,
    transformer: {
      hiddenSize: t.dim,
      numHeads: t.n_heads,
      numBlocks: t.n_layers,
      numRefiners: t.n_refiner_layers,
      latentChannels: t.in_channels,
      textChannels: t.cap_feat_dim,
      ropeAxes: t.axes_dims,
      ropeTheta: t.rope_theta,
      normEps: t.norm_eps,
    },
    vae: {
      latentChannels: vae.latent_channels,
      encoderChannels: vae.block_out_channels,
      decoderChannels: vae.block_out_channels,
      layersPerBlock: vae.layers_per_block,
      normGroups: vae.norm_num_groups,
      batchNormEps: 0,
      shift: vae.shift_factor ?? 0,
      scale: vae.scaling_factor,
    },
    shift: scheduler.shift,
    textLength: index.max_sequence_length,
    defaultSteps: index.default_steps,
    defaultSize: [RELEASED.side, RELEASED.side],
  };
}
