/**
 * Sinusoidal features of diffusion timesteps (Vaswani et al. 2017, section 3.5, cosines first).
 *
 * @module
 */

/**
 * `[cos | sin]` of t * 10000^(-i / (width / 2)) for every timestep.
 *
 * Angles reach 1000 radians, so they are formed in 64 bits.
 *
 * @param timesteps On the scale 0 to 1000.
 * @param width Features of a timestep, even.
 * @returns `[timesteps, width]`
 */
export function timeSinusoid(timesteps: readonly number[], width: number): Float32Array {
  const half = width / 2;
  const out = new Float32Array(timesteps.length * width);
  timesteps.forEach((t, row) => {
    for (let i = 0; i < half; i++) {
      const angle = t * 10000 ** (-i / half);
      out[row * width + i] = Math.cos(angle);
      out[row * width + half + i] = Math.sin(angle);
    }
  });
  return out;
}
