/**
 * How many tokens image and text have, and where they stand.
 *
 * @module
 */
import type { LatentSize } from "../video_vae/latents.ts";

/** Image and text are each filled up to a multiple of this many tokens with a learned token, which all others see. */
const TOKEN_STEP = 32;

/** Tokens with their padding. */
export function paddedTokens(count: number): number {
  return Math.ceil(count / TOKEN_STEP) * TOKEN_STEP;
}

/** Positions of text tokens with their padding, [N,3]: one behind the other in time, from 1 on. */
export function textPositions(count: number): Int32Array {
  return Int32Array.from({ length: 3 * paddedTokens(count) }, (_, i) => i % 3 === 0 ? 1 + i / 3 : 0);
}

/**
 * Positions of image tokens with their padding, [N,3]: at the time behind the text (its padding counts), by rows. The
 * padding stands at 0.
 *
 * @param size In tokens.
 * @param textTokens Without padding.
 */
export function imagePositions({ width, height }: LatentSize, textTokens: number): Int32Array {
  const positions = new Int32Array(3 * paddedTokens(width * height));
  const time = paddedTokens(textTokens) + 1;
  for (let i = 0; i < width * height; i++) positions.set([time, Math.floor(i / width), i % width], 3 * i);
  return positions;
}
