/**
 * Times of tokens by the decoder's attention.
 *
 * @module
 */
import type { CrossAttention } from "../speech_decoder.ts";

/** A head of the decoder: its layer, and its place in the layer. */
export type AttentionHead = readonly [layer: number, head: number];

/** Frames on each side of the median filter. */
const MEDIAN_REACH = 3;

/**
 * Aligns the tokens of a window with its frames: attention of some heads, made comparable over the tokens, smoothed by
 * a median filter, and a path through their mean by dynamic time warping.
 *
 * @param attentions Of every layer, for prompt, text and end.
 * @param heads Those that follow the sound.
 * @param prompt Tokens before the one that comes before the text.
 * @param frames Frames of the encoder that have sound.
 * @returns The first frame of each token of the text, and of its end.
 */
export function alignTokens(
  attentions: readonly CrossAttention[],
  heads: readonly AttentionHead[],
  prompt: number,
  frames: number,
): Int32Array {
  const [, count] = attentions[0].dims;
  const mean = new Float64Array(count * frames);
  for (const [layer, head] of heads) {
    const { data, dims: [, , width] } = attentions[layer];
    const rows = new Float64Array(count * frames);
    for (let token = 0; token < count; token++) {
      const from = (head * count + token) * width;
      let sum = 0;
      for (let frame = 0; frame < frames; frame++) sum += data[from + frame];
      for (let frame = 0; frame < frames; frame++) rows[token * frames + frame] = data[from + frame] / (sum || 1);
    }
    standardise(rows, count, frames);
    for (let token = 0; token < count; token++) addMedians(rows, token * frames, frames, mean);
  }
  const rows = count - prompt - 1;
  return firstFrames(mean.subarray(prompt * frames, (prompt + rows) * frames), rows, frames);
}

/** Every frame gets the mean 0 and the deviation 1 over the tokens. */
function standardise(rows: Float64Array, count: number, frames: number): void {
  for (let frame = 0; frame < frames; frame++) {
    let mean = 0;
    for (let token = 0; token < count; token++) mean += rows[token * frames + frame] / count;
    let squares = 0;
    for (let token = 0; token < count; token++) squares += (rows[token * frames + frame] - mean) ** 2 / count;
    const deviation = Math.sqrt(squares) || 1;
    for (let token = 0; token < count; token++) {
      rows[token * frames + frame] = (rows[token * frames + frame] - mean) / deviation;
    }
  }
}

/** Adds the medians of a row to the sums; its ends are reflected. */
function addMedians(rows: Float64Array, from: number, frames: number, sums: Float64Array): void {
  const near = new Float64Array(2 * MEDIAN_REACH + 1);
  for (let frame = 0; frame < frames; frame++) {
    for (let i = -MEDIAN_REACH; i <= MEDIAN_REACH; i++) {
      const at = Math.abs(frame + i);
      near[i + MEDIAN_REACH] = rows[from + Math.max(at < frames ? at : 2 * frames - 2 - at, 0)];
    }
    sums[from + frame] += near.sort()[MEDIAN_REACH];
  }
}

/** The path of the largest sum from the first token and frame to the last, as the frame on which each token begins. */
function firstFrames(matrix: Float64Array, rows: number, frames: number): Int32Array {
  const width = frames + 1;
  const cost = new Float64Array((rows + 1) * width).fill(Infinity);
  /** 0: both advance, 1: the token, 2: the frame. */
  const steps = new Uint8Array((rows + 1) * width);
  cost[0] = 0;
  for (let i = 1; i <= rows; i++) {
    for (let j = 1; j <= frames; j++) {
      const [both, token, frame] = [cost[(i - 1) * width + j - 1], cost[(i - 1) * width + j], cost[i * width + j - 1]];
      const step = both < token && both < frame ? 0 : token < both && token < frame ? 1 : 2;
      steps[i * width + j] = step;
      cost[i * width + j] = (step === 0 ? both : step === 1 ? token : frame) - matrix[(i - 1) * frames + j - 1];
    }
  }
  const first = new Int32Array(rows);
  for (let i = rows, j = frames; i > 0 && j > 0;) {
    first[i - 1] = j - 1;
    const step = steps[i * width + j];
    if (step !== 2) i--;
    if (step !== 1) j--;
  }
  return first;
}
