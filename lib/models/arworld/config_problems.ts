/**
 * Consistency checks of the configuration.
 *
 * @module
 */
import { vaeProblems } from "../video_vae/vae_config.ts";
import type { ArworldConfig, TransformerConfig } from "./config.ts";

/** One sentence per inconsistent number. */
export function configProblems(config: ArworldConfig): string[] {
  return [
    ...vaeProblems(config, "base config.json", "vae."),
    ...latentProblems(config),
    ...textProblems(config),
    ...transformerProblems(config.transformer),
  ];
}

/** The latents of both roots must be the same. */
function latentProblems({ vae, transformer }: ArworldConfig): string[] {
  if (transformer.zDim === vae.zDim) return [];
  return [`causal config.json: in_dim is ${transformer.zDim}, expected ${vae.zDim}, the vae.z_dim of the base`];
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
