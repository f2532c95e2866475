/**
 * Parses the two `config.json` files of an arworld, and checks that their numbers fit together.
 *
 * @module
 */
import * as v from "valibot";
import { checkConfig, depth, finite, invalidModelConfig, positive, size } from "../checkpoint/model_errors.ts";
import { featureCount } from "../video_vae/latent_distance.ts";
import { vaeProblems } from "../video_vae/vae_config.ts";
import type { ArworldConfig, TransformerConfig } from "./config.ts";
import { LATENTS_PER_BLOCK } from "./trajectory.ts";

const knownSchema = v.object({
  mean: v.array(finite),
  std: v.array(positive),
  basis: v.array(v.array(finite)),
  variance: v.array(positive),
  rest: positive,
  limit: positive,
  place: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/))),
});

const baseSchema = v.object({
  vae: v.object({
    z_dim: size,
    dim: size,
    dec_dim: size,
    dim_mult: v.pipe(v.array(size), v.minLength(1), v.maxLength(16)),
    num_res_blocks: depth,
    temperal_downsample: v.array(v.boolean()),
    patch_size: v.optional(v.picklist([2, 4])),
  }),
  t5: v.object({
    vocab: size,
    dim: size,
    dim_attn: size,
    dim_ffn: size,
    num_heads: size,
    num_layers: depth,
    num_buckets: v.pipe(size, v.multipleOf(4)),
  }),
  latents_mean: v.array(finite),
  latents_std: v.array(positive),
  default_width: v.optional(v.pipe(size, v.multipleOf(32))),
  default_height: v.optional(v.pipe(size, v.multipleOf(32))),
  default_fps: v.optional(positive),
  default_prompt: v.optional(v.string()),
  knows: v.optional(v.object({
    // Statistics of one kind of pictures, or a list of several kinds.
    latents: v.optional(
      v.lazy((given) => Array.isArray(given) ? v.pipe(v.array(knownSchema), v.minLength(1)) : knownSchema),
    ),
  })),
});

const transformerSchema = v.object({
  dim: size,
  ffn_dim: size,
  num_heads: size,
  num_layers: depth,
  freq_dim: v.pipe(size, v.multipleOf(2)),
  text_len: size,
  attn_compress: size,
  text_dim: v.optional(size),
  z_dim: v.optional(size),
  in_dim: v.optional(size),
  out_dim: v.optional(size),
  sink_size: v.optional(v.literal(LATENTS_PER_BLOCK), LATENTS_PER_BLOCK),
  local_attn_size: v.optional(v.pipe(size, v.minValue(2 * LATENTS_PER_BLOCK), v.multipleOf(LATENTS_PER_BLOCK)), 12),
});

const strengthSchema = v.object({
  color_strength: v.optional(v.pipe(finite, v.minValue(0), v.maxValue(1)), 0),
});

/**
 * Checks and joins the configurations of a base root (`vae`, `t5`, latent statistics, defaults) and of a causal root
 * (the transformer under `dit` or, as upstream writes it, at the top level).
 *
 * @throws {SvcError} `model_invalid`, whose `problems` name every wrong field of both.
 */
export function parseArworldConfig(base: unknown, causal: unknown): ArworldConfig {
  const problems: string[] = [];
  const nested = typeof causal === "object" && causal !== null && "dit" in causal;
  const b = checkConfig("base config.json", baseSchema, base, problems);
  const t = nested
    ? checkConfig("causal config.json", v.object({ dit: transformerSchema }), causal, problems)?.dit
    : checkConfig("causal config.json", transformerSchema, causal, problems);
  const s = checkConfig("causal config.json", strengthSchema, causal, problems);
  if (!b || !t || !s) throw invalidModelConfig(problems);
  const config: ArworldConfig = {
    vae: {
      zDim: b.vae.z_dim,
      dim: b.vae.dim,
      decDim: b.vae.dec_dim,
      dimMult: b.vae.dim_mult,
      numResBlocks: b.vae.num_res_blocks,
      temporalDownsample: b.vae.temperal_downsample,
      ...(b.vae.patch_size !== undefined && { patchSize: b.vae.patch_size }),
    },
    textEncoder: {
      vocab: b.t5.vocab,
      dim: b.t5.dim,
      dimAttn: b.t5.dim_attn,
      dimFfn: b.t5.dim_ffn,
      numHeads: b.t5.num_heads,
      numLayers: b.t5.num_layers,
      numBuckets: b.t5.num_buckets,
    },
    transformer: {
      dim: t.dim,
      ffnDim: t.ffn_dim,
      numHeads: t.num_heads,
      numLayers: t.num_layers,
      zDim: t.z_dim ?? t.in_dim ?? b.vae.z_dim,
      freqDim: t.freq_dim,
      textDim: t.text_dim ?? b.t5.dim,
      textLen: t.text_len,
      attnCompress: t.attn_compress,
      windowFrames: t.local_attn_size,
    },
    latentsMean: b.latents_mean,
    latentsStd: b.latents_std,
    colorStrength: s.color_strength,
    ...(b.default_width !== undefined && { defaultWidth: b.default_width }),
    ...(b.default_height !== undefined && { defaultHeight: b.default_height }),
    ...(b.default_fps !== undefined && { defaultFps: b.default_fps }),
    ...(b.default_prompt !== undefined && { defaultPrompt: b.default_prompt }),
    ...(b.knows?.latents && { knownLatents: [b.knows.latents].flat() }),
  };
  problems.push(...configProblems(config));
  if (t.out_dim !== undefined && t.out_dim !== config.transformer.zDim) {
    problems.push(`causal config.json: out_dim is ${t.out_dim}, expected ${config.transformer.zDim}, the in_dim`);
  }
  if (problems.length > 0) throw invalidModelConfig(problems);
  return config;
}

/** One sentence per inconsistent number. */
function configProblems(config: ArworldConfig): string[] {
  return [
    ...vaeProblems(config, "base config.json", "vae."),
    ...latentProblems(config),
    ...knownProblems(config),
    ...textProblems(config),
    ...transformerProblems(config.transformer),
  ];
}

/** The latents of both roots must be the same. */
function latentProblems({ vae, transformer }: ArworldConfig): string[] {
  if (transformer.zDim === vae.zDim) return [];
  return [`causal config.json: in_dim is ${transformer.zDim}, expected ${vae.zDim}, the vae.z_dim of the base`];
}

/** The statistics of latents must be of as many features as the latents have, and have a variance for each direction. */
function knownProblems({ vae, knownLatents: kinds = [] }: ArworldConfig): string[] {
  const count = featureCount(vae.zDim);
  return kinds.flatMap(({ mean, std, basis, variance }, kind) => {
    const field = kinds.length > 1 ? `knows.latents.${kind}` : "knows.latents";
    const lists = { mean, std, ...Object.fromEntries(basis.map((row, i) => [`basis.${i}`, row])) };
    const problems = Object.entries(lists).filter(([, { length }]) => length !== count).map(([name, { length }]) =>
      `base config.json: ${field}.${name} has ${length} numbers, expected ${count}, the features of vae.z_dim ${vae.zDim}`
    );
    if (variance.length === basis.length) return problems;
    return [
      ...problems,
      `base config.json: ${field}.variance has ${variance.length} numbers, expected ${basis.length}, one for each basis`,
    ];
  });
}

function textProblems({ textEncoder, transformer }: ArworldConfig): string[] {
  const problems: string[] = [];
  if (textEncoder.dimAttn % textEncoder.numHeads) {
    problems.push(
      `base config.json: t5.dim_attn is ${textEncoder.dimAttn}, expected a multiple of t5.num_heads ${textEncoder.numHeads}`,
    );
  }
  if (transformer.textDim !== textEncoder.dim) {
    problems.push(
      `causal config.json: text_dim is ${transformer.textDim}, expected ${textEncoder.dim}, the t5.dim of the base`,
    );
  }
  return problems;
}

function transformerProblems(t: TransformerConfig): string[] {
  const problems: string[] = [];
  if (t.dim % (2 * t.numHeads)) {
    problems.push(`causal config.json: dim is ${t.dim}, expected a multiple of 2 * num_heads = ${2 * t.numHeads}`);
  }
  if (t.dim % (4 * t.numHeads * t.attnCompress)) {
    problems.push(
      `causal config.json: attn_compress is ${t.attnCompress}, expected dim to be a multiple of 4 * num_heads * attn_compress`,
    );
  }
  return problems;
}
