/**
 * Reads the configurations of a FLUX.2 pipeline in its published layout.
 *
 * @module
 */
import * as v from "valibot";
import { checkConfig, invalidModelConfig, positive, size } from "../checkpoint/model_errors.ts";
import type { Flux2Config, Flux2VaeConfig } from "./config.ts";
import { parseQwen3Config } from "../qwen3/config.ts";
import type { PipelineConfigs } from "../image_pipeline/open_components.ts";

/** Tokens of a prompt and defaults of the released models. */
const RELEASED = { textLength: 512, steps: 4, baseSteps: 50, baseGuidance: 4, side: 1024 };

const side = v.pipe(size, v.multipleOf(16), v.maxValue(4096));

const indexSchema = v.object({
  _class_name: v.literal("Flux2KleinPipeline"),
  is_distilled: v.optional(v.boolean(), false),
  // Ours, for models that are not as large as the released ones.
  max_sequence_length: v.optional(v.pipe(size, v.maxValue(4096)), RELEASED.textLength),
  default_steps: v.optional(v.pipe(size, v.maxValue(100))),
  default_guidance_scale: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  default_width: v.optional(side, RELEASED.side),
  default_height: v.optional(side, RELEASED.side),
  native_width: v.optional(side),
  native_height: v.optional(side),
});

const transformerSchema = v.object({
  attention_head_dim: size,
  num_attention_heads: size,
  num_layers: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)),
  num_single_layers: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)),
  in_channels: size,
  out_channels: v.nullish(size),
  patch_size: v.optional(v.literal(1)),
  joint_attention_dim: size,
  timestep_guidance_channels: v.pipe(v.optional(size, 256), v.multipleOf(2)),
  mlp_ratio: v.optional(positive, 3),
  axes_dims_rope: v.pipe(v.array(v.pipe(size, v.multipleOf(2))), v.length(4)),
  rope_theta: positive,
  eps: v.optional(positive, 1e-6),
  guidance_embeds: v.literal(false),
});

const vaeSchema = v.object({
  block_out_channels: v.pipe(v.array(size), v.length(4)),
  decoder_block_out_channels: v.nullish(v.pipe(v.array(size), v.length(4))),
  layers_per_block: v.optional(size, 2),
  latent_channels: v.optional(size, 32),
  norm_num_groups: v.optional(size, 32),
  batch_norm_eps: v.optional(positive, 1e-4),
  in_channels: v.optional(v.literal(3)),
  out_channels: v.optional(v.literal(3)),
  act_fn: v.optional(v.literal("silu")),
  patch_size: v.optional(v.tuple([v.literal(2), v.literal(2)])),
  use_quant_conv: v.optional(v.literal(true)),
  use_post_quant_conv: v.optional(v.literal(true)),
  mid_block_add_attention: v.optional(v.literal(true)),
});

const schedulerSchema = v.object({
  _class_name: v.optional(v.literal("FlowMatchEulerDiscreteScheduler")),
  num_train_timesteps: v.optional(v.literal(1000)),
  use_dynamic_shifting: v.literal(true),
  time_shift_type: v.optional(v.literal("exponential")),
  shift_terminal: v.nullish(v.null()),
  invert_sigmas: v.optional(v.literal(false)),
  stochastic_sampling: v.optional(v.literal(false)),
  use_beta_sigmas: v.optional(v.nullable(v.literal(false))),
  use_exponential_sigmas: v.optional(v.nullable(v.literal(false))),
  use_karras_sigmas: v.optional(v.nullable(v.literal(false))),
});

/**
 * Checks and joins the configurations of a pipeline.
 *
 * @throws {SvcError} `model_invalid`, whose `problems` name every wrong field of all five.
 */
export function parseFlux2Config(configs: PipelineConfigs): Flux2Config {
  const problems: string[] = [];
  const index = checkConfig("model_index.json", indexSchema, configs.index, problems);
  const textEncoder = parseQwen3Config("text_encoder/config.json", configs.textEncoder, problems);
  const t = checkConfig("transformer/config.json", transformerSchema, configs.transformer, problems);
  const vae = checkConfig("vae/config.json", vaeSchema, configs.vae, problems);
  checkConfig("scheduler/scheduler_config.json", schedulerSchema, configs.scheduler, problems);
  if (!index || !textEncoder || !t || !vae) throw invalidModelConfig(problems, "image model");
  const width = t.num_attention_heads * t.attention_head_dim;
  const distilled = index.is_distilled;
  const config: Flux2Config = {
    textEncoder,
    transformer: {
      hiddenSize: width,
      numHeads: t.num_attention_heads,
      headDim: t.attention_head_dim,
      numDoubleBlocks: t.num_layers,
      numSingleBlocks: t.num_single_layers,
      latentChannels: t.in_channels,
      textChannels: t.joint_attention_dim,
      feedForwardSize: Math.trunc(width * t.mlp_ratio),
      timeChannels: t.timestep_guidance_channels,
      ropeAxes: t.axes_dims_rope,
      ropeTheta: t.rope_theta,
      normEps: t.eps,
    },
    vae: {
      latentChannels: vae.latent_channels,
      encoderChannels: vae.block_out_channels,
      decoderChannels: vae.decoder_block_out_channels ?? vae.block_out_channels,
      layersPerBlock: vae.layers_per_block,
      normGroups: vae.norm_num_groups,
      batchNormEps: vae.batch_norm_eps,
    },
    textStates: textStates(textEncoder.numLayers),
    textLength: index.max_sequence_length,
    distilled,
    defaultSteps: index.default_steps ?? (distilled ? RELEASED.steps : RELEASED.baseSteps),
    defaultGuidance: index.default_guidance_scale ?? (distilled ? 1 : RELEASED.baseGuidance),
    defaultSize: [index.default_width, index.default_height],
    ...index.native_width && index.native_height &&
      { native: { width: index.native_width, height: index.native_height } },
  };
  problems.push(...transformerProblems(config, t.out_channels ?? t.in_channels), ...vaeProblems(config.vae));
  if (problems.length > 0) throw invalidModelConfig(problems, "image model");
  return config;
}

/**
 * Numbers of the hidden states that make a text token: after a quarter, a half and three quarters of the layers, as in
 * the released models, whose 36 layers give the states 9, 18 and 27. No file of a pipeline names them.
 */
function textStates(layers: number): number[] {
  return [1, 2, 3].map((quarters) => Math.ceil(quarters * layers / 4));
}

function transformerProblems(config: Flux2Config, outputs: number): string[] {
  const problems: string[] = [];
  const { transformer: t, textEncoder, textStates, vae } = config;
  const expect = (ok: boolean, field: string, is: unknown, expected: string) => {
    if (!ok) problems.push(`${field} is ${is}, expected ${expected}`);
  };
  const axes = t.ropeAxes.reduce((a, b) => a + b, 0);
  const file = "transformer/config.json:";
  expect(axes === t.headDim, `${file} the sum of axes_dims_rope`, axes, `${t.headDim} (attention_head_dim)`);
  const latents = 4 * vae.latentChannels;
  expect(
    t.latentChannels === latents,
    `${file} in_channels`,
    t.latentChannels,
    `${latents}: 4 latent_channels of the vae`,
  );
  expect(outputs === t.latentChannels, `${file} out_channels`, outputs, `${t.latentChannels} as in_channels`);
  const text = textStates.length * textEncoder.hiddenSize;
  expect(
    t.textChannels === text,
    `${file} joint_attention_dim`,
    t.textChannels,
    `${text}: ${textStates.length} hidden states of ${textEncoder.hiddenSize}`,
  );
  return problems;
}

function vaeProblems({ encoderChannels, decoderChannels, normGroups }: Flux2VaeConfig): string[] {
  const wrong = [...encoderChannels, ...decoderChannels].find((channels) => channels % normGroups !== 0);
  return wrong === undefined
    ? []
    : [`vae/config.json: block_out_channels has ${wrong}, expected multiples of norm_num_groups ${normGroups}`];
}
