/**
 * Token positions in time, row and column, and their rotary tables.
 *
 * @module
 */
import type { PositionConfig } from "./config.ts";

/** The generated part of a sequence after `text` tokens. */
export interface ClipLayout {
  /** Tokens of the prompt. */
  readonly text: number;
  /** Latent frames. */
  readonly frames: number;
  /** Token rows of a frame. */
  readonly rows: number;
  /** Token columns of a frame. */
  readonly columns: number;
  /** Actions, one for every pixel frame except the first. */
  readonly actions: number;
  /** Frames of pixels per second. */
  readonly fps: number;
}

/** Times, then rows, then columns of N tokens: [3,N], exact in 32 bits as the model was trained with them. */
export type Positions = Float32Array;

/** Cosines and sines of every token and channel pair, `[N, headDim / 2]` each. */
export interface RotaryTables {
  /** Cosines. */
  readonly cos: Float32Array;
  /** Sines. */
  readonly sin: Float32Array;
}

/** Text token p is at (p, p, p). */
export function textPositions(length: number): Positions {
  return Float32Array.from({ length: 3 * length }, (_, i) => i % length);
}

/**
 * Frames, then actions. A latent frame advances by baseFps / fps, an action by a fourth of that, so that action 4k - 1
 * coincides with latent frame k; a single frame counts as an image, one step whatever the rate.
 */
export function clipPositions(layout: ClipLayout, config: PositionConfig): Positions {
  const { text, frames, rows, columns, actions, fps } = layout;
  const start = text + config.modalityMargin;
  const perFrame = rows * columns;
  const tokens = frames * perFrame;
  const count = tokens + actions;
  const positions = new Float32Array(3 * count);
  const perSecond = config.baseFps / config.framesPerLatent;
  for (let i = 0; i < tokens; i++) {
    const frame = Math.floor(i / perFrame);
    positions[i] = start + (frames > 1 ? frame / (fps / config.framesPerLatent) * perSecond : frame);
    positions[count + i] = Math.floor(i / columns) % rows;
    positions[2 * count + i] = i % columns;
  }
  for (let i = 0; i < actions; i++) positions[tokens + i] = start + (i + 1) / fps * perSecond;
  return positions;
}

/**
 * Rotary tables (Su et al. 2021) with pairs of halves. Pair j turns by position * theta^(-2j / headDim), where position
 * is time, row, column, time, row, column, .. as long as the axes have pairs left, then time.
 *
 * Times lie beyond 15000, so that a product's last bit counts: it is rounded to 32 bits as in training, cosine and sine
 * are those of the rounded angle in 64 bits.
 */
export function rotaryTables(positions: Positions, config: PositionConfig): RotaryTables {
  const count = positions.length / 3;
  const pairs = config.headDim / 2;
  const cos = new Float32Array(count * pairs);
  const sin = new Float32Array(count * pairs);
  for (let j = 0; j < pairs; j++) {
    const exponent = Math.fround(2 * j / config.headDim);
    const frequency = Math.fround(1 / Math.fround(config.ropeTheta ** exponent));
    const axis = j < 3 * config.ropeAxes[j % 3] ? j % 3 : 0;
    for (let i = 0; i < count; i++) {
      const angle = Math.fround(positions[axis * count + i] * frequency);
      cos[i * pairs + j] = Math.cos(angle);
      sin[i * pairs + j] = Math.sin(angle);
    }
  }
  return { cos, sin };
}
