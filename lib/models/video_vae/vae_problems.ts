/**
 * Whether the numbers of a video autoencoder's configuration fit together.
 *
 * @module
 */
import type { VideoVae } from "./vae_config.ts";

/**
 * One sentence for every number that does not fit the others.
 *
 * @param file Name of the configuration for the sentences.
 * @param section What stands before the autoencoder's fields in the file, such as `vae.`.
 */
export function vaeProblems({ vae, latentsMean, latentsStd }: VideoVae, file: string, section: string): string[] {
  const problems: string[] = [];
  const expect = (ok: boolean, field: string, is: number, expected: string) => {
    if (!ok) problems.push(`${file}: ${field} is ${is}, expected ${expected}`);
  };
  const stages = vae.dimMult.length;
  expect(stages === 4, `the length of ${section}dim_mult`, stages, "4: a latent is 16 times smaller than a frame");
  const times = vae.temporalDownsample.slice(0, stages - 1).filter(Boolean).length;
  expect(
    times === 2,
    `the number of true in ${section}temperal_downsample`,
    times,
    "2: a latent stands for 4 frames",
  );
  const down = [vae.dim, ...vae.dimMult.map((m) => m * vae.dim)];
  for (let i = 0; i < stages; i++) {
    const cells = (vae.temporalDownsample[i] ? 2 : 1) * (i < stages - 1 ? 4 : 1);
    const [wide, narrow] = [vae.dimMult[i], vae.dimMult[i - 1] ?? vae.dimMult[0]];
    const fits = (down[i] * cells) % down[i + 1] === 0 && (narrow * vae.decDim * cells) % (wide * vae.decDim) === 0;
    expect(fits, `${section}dim_mult[${i}]`, wide, "a divisor of the shortcut's channels");
  }
  const channels = `${vae.zDim} (${section}z_dim)`;
  expect(latentsMean.length === vae.zDim, "the length of latents_mean", latentsMean.length, channels);
  expect(latentsStd.length === vae.zDim, "the length of latents_std", latentsStd.length, channels);
  return problems;
}
