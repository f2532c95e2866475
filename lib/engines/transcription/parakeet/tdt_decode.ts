/**
 * Greedy decoding of token-and-duration transducers ("Efficient Sequence Transduction by Jointly Predicting Tokens and
 * Durations", Xu et al. 2023).
 *
 * @module
 */
import { argMax, logSumExp } from "../decoding_quality.ts";

/** Output of the joint network for a frame after the last token. */
export interface JointOutput<State> {
  /** One a token, the last one the blank. */
  readonly tokens: Float32Array;
  /** How many frames to advance, from 0 up; empty for plain transducers, which advance by one after a blank. */
  readonly durations: Float32Array;
  /** State of the prediction network after `token`. */
  readonly state: State;
}

/** The network, a step at a time. */
export interface TransducerJoint<State> {
  readonly start: State;
  /** @param token The last one that was kept; the blank before the first. */
  step(frame: number, token: number, state: State): Promise<JointOutput<State>>;
}

/** A token that was kept. */
export interface TransducerToken {
  readonly id: number;
  /** The frame on which it came. */
  readonly frame: number;
  /** Its duration in frames. */
  readonly duration: number;
  /** Logarithm of its probability among all tokens. */
  readonly logprob: number;
}

/** Bounds of the search. */
export interface TransducerLimits {
  readonly frames: number;
  readonly blank: number;
  /** Maximum number of tokens per frame; then the search advances a frame. */
  readonly maxTokensPerFrame: number;
  readonly maxTokens: number;
}

/**
 * Takes the likeliest token of each step. A blank keeps the state of the prediction network as it was.
 *
 * @throws the reason of `signal` when it aborts.
 */
export async function decodeTransducer<State>(
  joint: TransducerJoint<State>,
  { frames, blank, maxTokensPerFrame, maxTokens }: TransducerLimits,
  signal: AbortSignal,
): Promise<TransducerToken[]> {
  const kept: TransducerToken[] = [];
  let state = joint.start;
  let last = blank;
  let onFrame = 0;
  for (let frame = 0; frame < frames && kept.length < maxTokens;) {
    signal.throwIfAborted();
    const output = await joint.step(frame, last, state);
    const id = argMax(output.tokens);
    const duration = Math.max(argMax(output.durations), 0);
    if (id !== blank) {
      kept.push({ id, frame, duration, logprob: output.tokens[id] - logSumExp(output.tokens) });
      state = output.state;
      last = id;
      onFrame++;
    }
    const step = duration > 0 ? duration : id === blank || onFrame >= maxTokensPerFrame ? 1 : 0;
    if (step > 0) onFrame = 0;
    frame += step;
  }
  return kept;
}
