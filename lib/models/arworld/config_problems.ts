/**
 * Whether the numbers of a configuration fit together.
 *
 * @module
 */
import type { ArworldConfig, TransformerConfig } from "./config.ts";

/** One sentence for every number that does not fit the others. */
export function configProblems(config: ArworldConfig): string[] {
  return [...vaeProblems(config), ...textProblems(config), ...transformerProblems(config.transformer)];
}

function vaeProblems({ vae, transformer, latentsMean, latentsStd }: ArworldConfig): string[] {
  const problems: string[] = [];
  const expect = (ok: boolean, field: string, is: number, expected: string) => {
    if (!ok) problems.push(`base config.json: ${field} is ${is}, expected ${expected}`);
  };
  const stages = vae.dimMult.length;
  expect(stages === 4, "the length of vae.dim_mult", stages, "4: a latent is 16 times smaller than a frame");
  const times = vae.temporalDownsample.slice(0, stages - 1).filter(Boolean).length;
  expect(times === 2, "the number of true in vae.temperal_downsample", times, "2: a latent stands for 4 frames");
  const down = [vae.dim, ...vae.dimMult.map((m) => m * vae.dim)];
  for (let i = 0; i < stages; i++) {
    const cells = (vae.temporalDownsample[i] ? 2 : 1) * (i < stages - 1 ? 4 : 1);
    const [wide, narrow] = [vae.dimMult[i], vae.dimMult[i - 1] ?? vae.dimMult[0]];
    const fits = (down[i] * cells) % down[i + 1] === 0 && (narrow * vae.decDim * cells) % (wide * vae.decDim) === 0;
    expect(fits, `vae.dim_mult[${i}]`, wide, "a divisor of the shortcut's channels");
  }
  expect(latentsMean.length === vae.zDim, "the length of latents_mean", latentsMean.length, `${vae.zDim} (vae.z_dim)`);
  expect(latentsStd.length === vae.zDim, "the length of latents_std", latentsStd.length, `${vae.zDim} (vae.z_dim)`);
  if (transformer.zDim !== vae.zDim) {
    problems.push(
      `causal config.json: in_dim is ${transformer.zDim}, expected ${vae.zDim} as vae.z_dim of the base says`,
    );
  }
  return problems;
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
      `causal config.json: text_dim is ${transformer.textDim}, expected ${textEncoder.dim} as t5.dim of the base says`,
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
