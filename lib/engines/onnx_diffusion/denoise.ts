/**
 * Masked diffusion.
 *
 * @module
 */
import { chooseToken, type SamplingSettings, TokenHistory, uniformAt } from "../../protocol/mod.ts";
import type { DraftStep } from "../contract/language_model.ts";

/** Logits of every token of a sequence, as rows of `width` numbers. */
export interface SequenceLogits {
  readonly data: Float32Array;
  readonly width: number;
}

/** The inputs of a denoising. */
export interface DenoisingJob {
  readonly prompt: readonly number[];
  /** Maximum number of tokens of the answer. */
  readonly length: number;
  readonly sampling: SamplingSettings;
  readonly seed: number;
  readonly maskToken: number;
  readonly endTokens: ReadonlySet<number>;
  /** Tokens of a canvas; the answer is generated canvas by canvas. */
  readonly canvasTokens: number;
  /** Maximum number of steps of a canvas. */
  readonly steps: number;
  /** Whether the logits of a token are at the token before it, as in models derived from causal ones. */
  readonly shifted: boolean;
  /** Runs the model on prompt and answer, including masked tokens. */
  readonly judge: (ids: readonly number[]) => Promise<SequenceLogits>;
  /** Called on every step, with the answer so far up to the end of the canvas. */
  readonly onStep: (ids: readonly number[], draft: DraftStep) => void;
  /** Called on tokens in order, as soon as they and all before them are known; returning false ends the answer. */
  readonly onToken: (id: number) => boolean;
}

/** The statistics of a denoising. */
interface Denoised {
  readonly reason: "stop" | "length";
  /** Tokens of all canvases that were started. */
  readonly canvasTokens: number;
  readonly steps: number;
  /** Tokens of the current canvas, over all steps. */
  readonly workTokens: number;
}

/**
 * Replaces masks by an answer, most confident tokens first; chosen tokens stay (Nie et al. 2025, "Large Language
 * Diffusion Models", with semi-autoregressive canvases and low-confidence remasking; Chang et al. 2022, MaskGIT).
 * Nothing after the first end token is computed.
 * The same seed gives the same answer: the random number for a token depends on step and position.
 *
 * @throws the reason of `signal` when it aborts, at the latest after the current step.
 */
export async function denoise(job: DenoisingJob, signal: AbortSignal): Promise<Denoised> {
  const { prompt, length, canvasTokens, maskToken, steps } = job;
  const answer: number[] = new Array(length).fill(maskToken);
  const done = { canvasTokens: 0, steps: 0, workTokens: 0 };
  let emitted = 0;
  for (let start = 0; start < length; start += canvasTokens) {
    const end = Math.min(start + canvasTokens, length);
    const totalSteps = Math.min(steps, end - start);
    done.canvasTokens += end - start;
    for (let step = 0, left = end - start; left > 0; step++) {
      signal.throwIfAborted();
      const logits = await job.judge([...prompt, ...answer]);
      signal.throwIfAborted();
      const found = candidates(job, answer, openPlaces(job, answer, start, end), logits, done.steps);
      for (const { at, id } of found.slice(0, Math.ceil(left / (totalSteps - step)))) answer[at] = id;
      done.steps++;
      done.workTokens += end - start;
      left = openPlaces(job, answer, start, end).length;
      const draft = { step: step + 1, totalSteps, canvasIndex: start / canvasTokens, blockComplete: left === 0 };
      job.onStep(answer.slice(0, endOf(job, answer, end)), draft);
      for (; emitted < end && answer[emitted] !== maskToken; emitted++) {
        if (job.endTokens.has(answer[emitted]) || !job.onToken(answer[emitted])) return { reason: "stop", ...done };
      }
    }
  }
  return { reason: "length", ...done };
}

interface Candidate {
  readonly at: number;
  readonly id: number;
  /** Probability that the model assigns to the token, before the settings of the request. */
  readonly confidence: number;
}

/** A token for each masked position, most confident first; among equal ones in order. */
function candidates(
  job: DenoisingJob,
  answer: readonly number[],
  places: readonly number[],
  { data, width }: SequenceLogits,
  step: number,
): Candidate[] {
  const { prompt, seed } = job;
  const choose = chooser(job);
  const first = prompt.length - (job.shifted ? 1 : 0);
  return places.map((at): Candidate => {
    const row = data.subarray((first + at) * width, (first + at + 1) * width);
    const id = choose(row, () => uniformAt(seed, step * answer.length + at));
    return { at, id, confidence: probability(row, id) };
  }).sort((a, b) => b.confidence - a.confidence || a.at - b.at);
}

/** Chooses tokens by the settings of a job, never the mask itself. */
function chooser({ sampling, maskToken }: DenoisingJob): (row: Float32Array, uniform: () => number) => number {
  // Without copying the logits where nothing changes them.
  if (sampling.temperature === 0 && sampling.logitBias.size === 0) return (row) => likeliestBut(row, maskToken);
  const settings = { ...sampling, logitBias: new Map([...sampling.logitBias, [maskToken, -Infinity]]) };
  const nothing = new TokenHistory([]);
  return (row, uniform) => chooseToken(row, settings, nothing, uniform()).id;
}

function likeliestBut(logits: Float32Array, left: number): number {
  let best = -1;
  let largest = -Infinity;
  for (let id = 0; id < logits.length; id++) if (logits[id] > largest && id !== left) largest = logits[best = id];
  if (Number.isFinite(largest)) return best;
  throw new RangeError(`Cannot choose a token: the largest logit is ${largest}, expected a finite number`);
}

function probability(logits: Float32Array, id: number): number {
  let largest = -Infinity;
  for (let i = 0; i < logits.length; i++) if (logits[i] > largest) largest = logits[i];
  let total = 0;
  for (let i = 0; i < logits.length; i++) total += Math.exp(logits[i] - largest);
  return Math.exp(logits[id] - largest) / total;
}

/** Masked positions of a canvas, except those after the end of the answer. */
function openPlaces(job: DenoisingJob, answer: readonly number[], start: number, end: number): number[] {
  const places: number[] = [];
  for (let at = start; at < endOf(job, answer, end); at++) if (answer[at] === job.maskToken) places.push(at);
  return places;
}

/** The position of the first end token before `end`; `end` when there is none. */
function endOf({ endTokens }: DenoisingJob, answer: readonly number[], end: number): number {
  const at = answer.findIndex((id) => endTokens.has(id));
  return at < 0 ? end : Math.min(at, end);
}
