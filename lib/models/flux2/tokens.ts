/**
 * Latents as tokens and back (four latent pixels make one channel stack, one place of it is one token), token
 * positions and their rotary tables.
 *
 * @module
 */
import { f32, reshape, type Tensor, transpose, type Value } from "../../compute/tensor/mod.ts";
import type { LatentSize } from "../video_vae/latents.ts";

/** [C,2h,2w] -> [4C,h,w]; channel c * 4 + dy * 2 + dx holds row parity dy and column parity dx of channel c. */
export function patchifyLatents(z: Value): Value {
  const [c, height, width] = z.shape;
  const cells = reshape(z, [c, height / 2, 2, width / 2, 2]);
  return reshape(transpose(cells, [0, 2, 4, 1, 3]), [4 * c, height / 2, width / 2]);
}

/** The inverse of {@linkcode patchifyLatents}: [4C,h,w] -> [C,2h,2w]. */
export function unpatchifyLatents(patches: Value): Value {
  const [channels, h, w] = patches.shape;
  const cells = reshape(patches, [channels / 4, 2, 2, h, w]);
  return reshape(transpose(cells, [0, 3, 1, 4, 2]), [channels / 4, 2 * h, 2 * w]);
}

/** [C,h,w] -> tokens by rows [h*w,C]. */
export function packTokens(latents: Value): Value {
  const [c, h, w] = latents.shape;
  return transpose(reshape(latents, [c, h * w]), [1, 0]);
}

/** The inverse of {@linkcode packTokens}: [h*w,C] -> [C,h,w]. */
export function unpackTokens(tokens: Value, h: number, w: number): Value {
  const [, c] = tokens.shape;
  return reshape(transpose(tokens, [1, 0]), [c, h, w]);
}

/** Time, row, column and place in the text of N tokens, `[N,4]`. */
type TokenPositions = Int32Array;

/** The time of the first reference, and what lies between references; the image itself is at 0. */
const REFERENCE_TIME = 10;

/** Text tokens have consecutive positions: (0, 0, 0, index). */
export function textTokenPositions(length: number): TokenPositions {
  return Int32Array.from({ length: 4 * length }, (_, i) => i % 4 === 3 ? Math.floor(i / 4) : 0);
}

/** Tokens of an image by rows: (0, row, column, 0). */
export function imageTokenPositions(size: LatentSize): TokenPositions {
  return gridPositions(size, 0);
}

/** Tokens of a reference, counted from 0: as those of an image at the time 10, 20, 30, .. */
export function referenceTokenPositions(size: LatentSize, index: number): TokenPositions {
  return gridPositions(size, REFERENCE_TIME * (index + 1));
}

/** The positions of a whole sequence: text, image, references. */
export function sequencePositions(
  textLength: number,
  image: LatentSize,
  references: readonly LatentSize[],
): TokenPositions {
  const parts = [
    textTokenPositions(textLength),
    imageTokenPositions(image),
    ...references.map(referenceTokenPositions),
  ];
  const all = new Int32Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * Rotary tables [N, head / 2] with neighbouring pairs (Su et al. 2021). Every axis turns channels of its own: pair j of
 * an axis with d channels by position * theta^(-2j / d), in 64 bits.
 *
 * @param positions `[N, axes]`
 * @param axes Channels of each axis.
 */
export function rotaryTables(
  positions: ArrayLike<number>,
  axes: readonly number[],
  theta: number,
): { readonly cos: Tensor<"f32">; readonly sin: Tensor<"f32"> } {
  const frequencies = axes.flatMap((channels, axis) =>
    Array.from({ length: channels / 2 }, (_, j) => ({ axis, frequency: theta ** (-2 * j / channels) }))
  );
  const count = positions.length / axes.length;
  const pairs = frequencies.length;
  const [cos, sin] = [new Float32Array(count * pairs), new Float32Array(count * pairs)];
  for (let token = 0; token < count; token++) {
    frequencies.forEach(({ axis, frequency }, pair) => {
      const angle = positions[token * axes.length + axis] * frequency;
      cos[token * pairs + pair] = Math.cos(angle);
      sin[token * pairs + pair] = Math.sin(angle);
    });
  }
  return { cos: f32([count, pairs], cos), sin: f32([count, pairs], sin) };
}

function gridPositions({ width, height }: LatentSize, time: number): TokenPositions {
  const positions = new Int32Array(4 * width * height);
  for (let i = 0; i < width * height; i++) positions.set([time, Math.floor(i / width), i % width], 4 * i);
  return positions;
}
