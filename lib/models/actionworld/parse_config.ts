/**
 * Parses the configuration of an actionworld snapshot, and checks that its numbers fit together.
 *
 * @module
 */
import * as v from "valibot";
import { checkConfig, depth, finite, invalidModelConfig, positive, size } from "../checkpoint/model_errors.ts";
import { vaeProblems } from "../video_vae/vae_config.ts";
import {
  type ActionTransformerConfig,
  type ActionworldConfig,
  CAMERA_POSE_DOMAIN,
  CAMERA_POSE_NUMBERS,
  type VisionConfig,
} from "./config.ts";

/** The parsed files by their paths in a snapshot. */
interface SnapshotConfigs {
  /** `config.json` */
  readonly root: unknown;
  /** `transformer/config.json` */
  readonly transformer: unknown;
  /** `vae/config.json` */
  readonly vae: unknown;
}

const rootSchema = v.object({
  default_width: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16), v.multipleOf(16))),
  default_height: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16), v.multipleOf(16))),
  default_fps: v.optional(positive),
  default_steps: v.optional(size),
  default_prompt: v.optional(v.string()),
});

const transformerSchema = v.object({
  hidden_size: size,
  intermediate_size: size,
  num_hidden_layers: depth,
  num_attention_heads: size,
  num_key_value_heads: size,
  head_dim: v.pipe(size, v.multipleOf(2)),
  hidden_act: v.literal("relu2"),
  attention_bias: v.optional(v.literal(false)),
  qk_norm_for_text: v.literal(false),
  use_und_k_norm_for_gen: v.literal(true),
  rms_norm_eps: positive,
  rope_theta: positive,
  rope_axes_dim: v.tuple([size, size, size]),
  vocab_size: size,
  latent_channel: size,
  latent_patch_size: size,
  patch_latent_dim: size,
  timestep_scale: positive,
  base_fps: positive,
  enable_fps_modulation: v.literal(true),
  temporal_compression_factor: v.optional(v.literal(4), 4),
  unified_3d_mrope_reset_spatial_ids: v.literal(true),
  unified_3d_mrope_temporal_modality_margin: size,
  action_gen: v.literal(true),
  action_dim: v.pipe(size, v.minValue(CAMERA_POSE_NUMBERS)),
  num_embodiment_domains: v.pipe(size, v.minValue(CAMERA_POSE_DOMAIN + 1)),
});

const vaeSchema = v.object({
  base_dim: size,
  decoder_base_dim: v.optional(size),
  z_dim: size,
  dim_mult: v.pipe(v.array(size), v.minLength(1), v.maxLength(16)),
  num_res_blocks: depth,
  temperal_downsample: v.array(v.boolean()),
  is_residual: v.literal(true),
  patch_size: v.literal(2),
  in_channels: v.literal(12),
  out_channels: v.literal(12),
  scale_factor_spatial: v.optional(v.literal(16)),
  scale_factor_temporal: v.optional(v.literal(4)),
  latents_mean: v.array(finite),
  latents_std: v.array(positive),
});

const visionSchema = v.object({
  vision_config: v.object({
    hidden_size: size,
    intermediate_size: size,
    num_hidden_layers: depth,
    num_channels: v.optional(size, 3),
    num_patches: size,
    patch_size: size,
  }),
  projector_config: v.object({
    input_hidden_size: size,
    merger_intermediate_size: size,
    out_hidden_size: size,
    spatial_merge_size: size,
    use_postshuffle_norm: v.optional(v.boolean(), false),
  }),
});

/** What the configurations of a snapshot say. */
export interface ParsedActionworld {
  readonly config: ActionworldConfig;
  readonly vision: VisionConfig;
}

/**
 * Checks and joins the configurations of a snapshot.
 *
 * @throws {SvcError} `model_invalid`, whose `problems` name every wrong field of all three.
 */
export function parseActionworldConfig(configs: SnapshotConfigs): ParsedActionworld {
  const problems: string[] = [];
  const root = checkConfig("config.json", rootSchema, configs.root, problems);
  const t = checkConfig("transformer/config.json", transformerSchema, configs.transformer, problems);
  const vae = checkConfig("vae/config.json", vaeSchema, configs.vae, problems);
  const vision = parseVisionConfig(configs.root, problems);
  // Two readers report the same about a file that is not an object.
  if (!root || !t || !vae || !vision) throw invalidModelConfig([...new Set(problems)]);
  const config: ActionworldConfig = {
    transformer: {
      hiddenSize: t.hidden_size,
      intermediateSize: t.intermediate_size,
      numLayers: t.num_hidden_layers,
      numHeads: t.num_attention_heads,
      numKeyHeads: t.num_key_value_heads,
      headDim: t.head_dim,
      ropeAxes: t.rope_axes_dim,
      ropeTheta: t.rope_theta,
      normEps: t.rms_norm_eps,
      vocab: t.vocab_size,
      latentChannels: t.latent_channel,
      patchSize: t.latent_patch_size,
      actionDim: t.action_dim,
      domains: t.num_embodiment_domains,
      timestepScale: t.timestep_scale,
      baseFps: t.base_fps,
      framesPerLatent: t.temporal_compression_factor,
      modalityMargin: t.unified_3d_mrope_temporal_modality_margin,
    },
    vae: {
      zDim: vae.z_dim,
      dim: vae.base_dim,
      decDim: vae.decoder_base_dim ?? vae.base_dim,
      dimMult: vae.dim_mult,
      numResBlocks: vae.num_res_blocks,
      temporalDownsample: vae.temperal_downsample,
    },
    latentsMean: vae.latents_mean,
    latentsStd: vae.latents_std,
    ...(root.default_width !== undefined && { defaultWidth: root.default_width }),
    ...(root.default_height !== undefined && { defaultHeight: root.default_height }),
    ...(root.default_fps !== undefined && { defaultFps: root.default_fps }),
    ...(root.default_steps !== undefined && { defaultSteps: root.default_steps }),
    ...(root.default_prompt !== undefined && { defaultPrompt: root.default_prompt }),
  };
  problems.push(...transformerProblems(config.transformer, t.patch_latent_dim));
  problems.push(...vaeProblems(config, "vae/config.json", ""));
  if (vae.z_dim !== t.latent_channel) {
    problems.push(`vae/config.json: z_dim is ${vae.z_dim}, expected ${t.latent_channel}, the latent_channel`);
  }
  if (problems.length > 0) throw invalidModelConfig(problems);
  return { config, vision };
}

/** Reads the vision encoder from a snapshot's `config.json`; adds errors to `problems` and returns undefined then. */
function parseVisionConfig(root: unknown, problems: string[]): VisionConfig | undefined {
  const fields = checkConfig("config.json", visionSchema, root, problems);
  if (!fields) return undefined;
  const { vision_config: seen, projector_config: projected } = fields;
  if (projected.input_hidden_size !== seen.hidden_size) {
    problems.push(
      `config.json: projector_config.input_hidden_size is ${projected.input_hidden_size}, ` +
        `expected ${seen.hidden_size} the vision_config.hidden_size`,
    );
  }
  return {
    hiddenSize: seen.hidden_size,
    intermediateSize: seen.intermediate_size,
    numLayers: seen.num_hidden_layers,
    positions: seen.num_patches,
    patchNumbers: seen.num_channels * seen.patch_size ** 2,
    projector: {
      merged: projected.spatial_merge_size ** 2,
      normAfterMerge: projected.use_postshuffle_norm,
      intermediateSize: projected.merger_intermediate_size,
      outputSize: projected.out_hidden_size,
    },
  };
}

/**
 * One sentence per inconsistent number of the transformer.
 *
 * @param patchNumbers The length of a patch according to the file.
 */
function transformerProblems(t: ActionTransformerConfig, patchNumbers: number): string[] {
  const problems: string[] = [];
  const expect = (ok: boolean, field: string, is: unknown, expected: string) => {
    if (!ok) problems.push(`transformer/config.json: ${field} is ${is}, expected ${expected}`);
  };
  const width = t.numHeads * t.headDim;
  expect(t.hiddenSize === width, "hidden_size", t.hiddenSize, `${width}: num_attention_heads * head_dim`);
  expect(
    t.numHeads % t.numKeyHeads === 0,
    "num_key_value_heads",
    t.numKeyHeads,
    `a divisor of num_attention_heads ${t.numHeads}`,
  );
  const [time, row, column] = t.ropeAxes;
  expect(
    time + row + column === t.headDim / 2 && row === column && time >= row,
    "rope_axes_dim",
    `[${t.ropeAxes}]`,
    `three numbers with the sum ${t.headDim / 2} (head_dim / 2), the last two equal and not above the first`,
  );
  const patch = t.latentChannels * t.patchSize ** 2;
  expect(patchNumbers === patch, "patch_latent_dim", patchNumbers, `${patch}: latent_channel * latent_patch_size^2`);
  return problems;
}
