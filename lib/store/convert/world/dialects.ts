/**
 * The names that published checkpoints give to the weights of worlds.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import { diffusersVaeName } from "../../../models/video_vae/vae_config.ts";

/** A part of a world that has weights; both kinds of worlds have the same autoencoder. */
export type WorldPart = "text encoder" | "vae" | "causal" | "tiny decoder" | "transformer" | "vision encoder";

/** A way of naming. */
export interface Dialect {
  readonly name: string;
  /** Its name of a weight that the part's first dialect calls so. */
  readonly of: (name: string) => string;
}

type Rule = readonly [pattern: RegExp, replacement: string];

function renamed(rules: readonly Rule[]): (wan: string) => string {
  return (wan) => rules.reduce((name, [pattern, replacement]) => name.replace(pattern, replacement), wan);
}

const huggingFaceText: readonly Rule[] = [
  [/^token_embedding\./, "shared."],
  [/^norm\./, "encoder.final_layer_norm."],
  [/^blocks\.(\d+)\.norm1\./, "encoder.block.$1.layer.0.layer_norm."],
  [/^blocks\.(\d+)\.norm2\./, "encoder.block.$1.layer.1.layer_norm."],
  [/^blocks\.(\d+)\.attn\./, "encoder.block.$1.layer.0.SelfAttention."],
  [/^blocks\.(\d+)\.pos_embedding\.embedding\./, "encoder.block.$1.layer.0.SelfAttention.relative_attention_bias."],
  [/^blocks\.(\d+)\.ffn\.gate\.0\./, "encoder.block.$1.layer.1.DenseReluDense.wi_0."],
  [/^blocks\.(\d+)\.ffn\.fc1\./, "encoder.block.$1.layer.1.DenseReluDense.wi_1."],
  [/^blocks\.(\d+)\.ffn\.fc2\./, "encoder.block.$1.layer.1.DenseReluDense.wo."],
];

const llamaText: readonly Rule[] = [
  [/^token_embedding\./, "token_embd."],
  [/^norm\./, "enc.output_norm."],
  [/^blocks\.(\d+)\.norm1\./, "enc.blk.$1.attn_norm."],
  [/^blocks\.(\d+)\.norm2\./, "enc.blk.$1.ffn_norm."],
  [/^blocks\.(\d+)\.attn\.([qkvo])\./, "enc.blk.$1.attn_$2."],
  [/^blocks\.(\d+)\.pos_embedding\.embedding\./, "enc.blk.$1.attn_rel_b."],
  [/^blocks\.(\d+)\.ffn\.gate\.0\./, "enc.blk.$1.ffn_gate."],
  [/^blocks\.(\d+)\.ffn\.fc1\./, "enc.blk.$1.ffn_up."],
  [/^blocks\.(\d+)\.ffn\.fc2\./, "enc.blk.$1.ffn_down."],
];

const diffusersTransformer: readonly Rule[] = [
  [/^text_embedding\.0\./, "condition_embedder.text_embedder.linear_1."],
  [/^text_embedding\.2\./, "condition_embedder.text_embedder.linear_2."],
  [/^time_embedding\.0\./, "condition_embedder.time_embedder.linear_1."],
  [/^time_embedding\.2\./, "condition_embedder.time_embedder.linear_2."],
  [/^time_projection\.1\./, "condition_embedder.time_proj."],
  [/^head\.modulation$/, "scale_shift_table"],
  [/^head\.head\./, "proj_out."],
  [/\.modulation$/, ".scale_shift_table"],
  [/\.self_attn\.([qkv])\./, ".attn1.to_$1."],
  [/(?<!cam)\.self_attn\.o\./, ".attn1.to_out.0."],
  [/\.self_attn\.norm_/, ".attn1.norm_"],
  [/\.cross_attn\.([qkv])\./, ".attn2.to_$1."],
  [/\.cross_attn\.o\./, ".attn2.to_out.0."],
  [/\.cross_attn\.norm_/, ".attn2.norm_"],
  [/\.norm3\./, ".norm2."],
  [/\.ffn\.0\./, ".ffn.net.0.proj."],
  [/\.ffn\.2\./, ".ffn.net.2."],
];

const wan: Dialect = { name: "Wan", of: (name) => name };

/** The names of a published snapshot, which are also those of the served one. */
const cosmos: Dialect = { name: "Cosmos3", of: (name) => name };

const dialects: Readonly<Record<WorldPart, readonly Dialect[]>> = {
  "text encoder": [
    wan,
    { name: "Hugging Face", of: renamed(huggingFaceText) },
    { name: "llama.cpp", of: renamed(llamaText) },
  ],
  vae: [wan, { name: "Diffusers", of: diffusersVaeName }],
  causal: [wan, { name: "Diffusers", of: renamed(diffusersTransformer) }],
  "tiny decoder": [{ name: "TAEHV", of: (name) => name }],
  transformer: [cosmos],
  "vision encoder": [cosmos],
};

/** Weights that show the dialect: each dialect calls them differently. */
const SIGNS: Readonly<Record<WorldPart, readonly string[]>> = {
  "text encoder": [
    ...["norm.weight", "blocks.0.attn.q.weight", "blocks.0.ffn.fc1.weight", "blocks.0.norm2.weight"],
    ...["blocks.0.ffn.gate.0.weight", "blocks.1.attn.q.weight", "blocks.1.norm1.weight"],
  ],
  vae: [
    ...["conv1.weight", "conv2.weight", "encoder.conv1.weight", "decoder.conv1.weight", "decoder.head.2.weight"],
    ...["decoder.middle.0.residual.2.weight", "encoder.middle.0.residual.2.weight"],
  ],
  causal: [
    ...["text_embedding.0.weight", "time_projection.1.weight", "head.head.weight", "blocks.0.self_attn.q.weight"],
    ...["blocks.0.cross_attn.q.weight", "blocks.0.ffn.0.weight", "blocks.1.self_attn.q.weight"],
  ],
  "tiny decoder": ["decoder.1.weight", "decoder.3.conv.0.weight", "decoder.7.conv.weight", "decoder.22.weight"],
  transformer: [
    ...["embed_tokens.weight", "norm_moe_gen.weight", "layers.0.self_attn.to_q.weight"],
    ...["layers.0.self_attn.add_q_proj.weight", "layers.0.mlp_moe_gen.up_proj.weight", "action_proj_in.fc.weight"],
  ],
  "vision encoder": [
    ...["model.visual.embeddings.patch_embedding.weight", "model.visual.post_layernorm.weight"],
    "model.projector.linear_fc1.weight",
  ],
};

/** What tools put in front of all names of a checkpoint: up to three of these. */
const PREFIX =
  /^(?:(?:model|diffusion_model|module|_orig_mod|_fsdp_wrapped_module|generator|generator_ema|ema|vae|text_encoder)\.){1,3}/;

/** The prefixes that names may have, with those that end before a part of them: it may belong to the name. */
function prefixesOf(names: ReadonlySet<string>): Set<string> {
  const found = new Set([""]);
  for (const name of names) {
    const prefix = PREFIX.exec(name)?.[0] ?? "";
    for (let at = prefix.indexOf("."); at >= 0; at = prefix.indexOf(".", at + 1)) found.add(prefix.slice(0, at + 1));
  }
  return found;
}

/**
 * The dialect of a checkpoint, found by its names alone.
 *
 * @throws {SvcError} `checkpoint_refused` for a mixture, which is named, and for any other format.
 */
export function findDialect(part: WorldPart, source: string, names: ReadonlySet<string>): Dialect {
  const refuse = (found: string) =>
    new SvcError(
      "checkpoint_refused",
      `Cannot convert ${source} as ${part}: ${found}, expected the names of ` +
        `${dialects[part].map(({ name }) => name).join(" or ")}`,
    );
  const found = [...prefixesOf(names)].flatMap((prefix) =>
    dialects[part].map(({ name, of }): { dialect: Dialect; signs: string[] } => {
      const dialect = { name, of: (each: string) => prefix + of(each) };
      return { dialect, signs: SIGNS[part].map(dialect.of).filter((sign) => names.has(sign)) };
    })
  ).filter(({ signs }) => signs.length > 0);
  if (found.length === 0) {
    const [first = "nothing"] = names;
    throw refuse(`it has ${JSON.stringify(first.slice(0, 80))} and none of the weights that were looked for`);
  }
  if (found.length > 1) {
    const shown = found.map(({ dialect, signs }) => `${JSON.stringify(signs[0])} of ${dialect.name}`);
    throw refuse(`it is a mixture of ${shown.join(" and ")}`);
  }
  return found[0].dialect;
}
