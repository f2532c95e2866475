/** Check of the decoding of token-and-duration transducers. */
import { decodeTransducer, type TransducerJoint } from "../../../lib/engines/transcription/parakeet/tdt_decode.ts";
import { argMax } from "../../../lib/engines/transcription/decoding_quality.ts";
import { toFloat32 } from "../../../lib/compute/tensor/half.ts";
import type { Golden } from "../golden.ts";

interface TransducerCase {
  readonly tokens: number;
  readonly blank: number;
  readonly max_tokens_per_frame: number;
  readonly frames: number;
  readonly state: number;
}

/** Every case with the calls of the joint network. */
export async function checkTransducer(golden: Golden): Promise<void> {
  const secondsPerFrame = golden.number("seconds_per_frame");
  for (const [i, one] of (golden.config.cases as TransducerCase[]).entries()) {
    const calls: number[] = [];
    const limits = {
      frames: one.frames,
      blank: one.blank,
      maxTokensPerFrame: one.max_tokens_per_frame,
      maxTokens: Infinity,
    };
    const kept = await decodeTransducer(smallJoint(golden, i, one, calls), limits, new AbortController().signal);
    golden.compare(`${i}.tokens`, kept.map(({ id }) => id), 0);
    golden.compare(`${i}.frames`, kept.map(({ frame }) => frame), 0);
    golden.compare(`${i}.durations`, kept.map(({ duration }) => duration), 0);
    golden.compare(`${i}.logprobs`, kept.map(({ logprob }) => logprob), 1e-4);
    golden.compare(`${i}.seconds`, kept.map(({ frame }) => frame * secondsPerFrame), 1e-5);
    golden.compare(`${i}.trace`, calls, 0);
  }
}

/** new = tanh(A state + E[last]); output = We encoder[t] + Wp new + b */
function smallJoint(golden: Golden, i: number, one: TransducerCase, calls: number[]): TransducerJoint<Float32Array> {
  const weights = golden.weights(`${i}.`);
  const [a, e, we, wp, b] = ["A", "E", "We", "Wp", "b"].map((name) => toFloat32(weights.get(name)));
  const encoder = golden.input(`${i}.encoder`);
  const width = encoder.shape[1];
  return {
    start: new Float32Array(one.state),
    step(frame, token, state) {
      const next = state.map((_, row) => Math.tanh(dot(a, row * one.state, state) + e[token * one.state + row]));
      const sound = encoder.data.subarray(frame * width, (frame + 1) * width);
      const output = b.map((bias, row) => bias + dot(we, row * width, sound) + dot(wp, row * one.state, next));
      const tokens = output.subarray(0, one.tokens);
      const durations = output.subarray(one.tokens);
      calls.push(frame, argMax(tokens), argMax(durations));
      return Promise.resolve({ tokens, durations, state: next });
    },
  };
}

function dot(matrix: Float32Array, from: number, vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += matrix[from + i] * vector[i];
  return sum;
}
