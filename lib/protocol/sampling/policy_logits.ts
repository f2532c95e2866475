/**
 * Logits after penalties and biases: the settings of a request, and the tokens that penalties apply to.
 *
 * @module
 */
import type { SamplingFields } from "../chat/chat_request.ts";

/** How tokens are chosen. */
export interface SamplingSettings {
  /** 0 chooses the likeliest token. */
  readonly temperature: number;
  /** The likeliest tokens that together have at least this probability; 1 for all, and always at least one. */
  readonly topP: number;
  /** That many of the likeliest tokens; 0 for all. */
  readonly topK: number;
  /** Tokens at least this likely, relative to the likeliest one's probability; 0 for all. */
  readonly minP: number;
  /** Subtracted once from the logit of each generated token. */
  readonly presencePenalty: number;
  /** Subtracted from a token's logit for each time it was generated. */
  readonly frequencyPenalty: number;
  /** Divides positive and multiplies negative logits of tokens of prompt and answer; 1 for none (Keskar et al. 2019). */
  readonly repetitionPenalty: number;
  /** Added to the logits of token ids. */
  readonly logitBias: ReadonlyMap<number, number>;
}

/** Settings that leave the model's own distribution unchanged. */
export const NEUTRAL_SAMPLING: SamplingSettings = {
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  repetitionPenalty: 1,
  logitBias: new Map(),
};

/**
 * The settings of a model that names none of its own: those of llama.cpp. The whole distribution of a small model makes
 * nonsense: its many unlikely tokens are likely together.
 */
export const DEFAULT_SAMPLING: SamplingSettings = {
  ...NEUTRAL_SAMPLING,
  temperature: 0.8,
  topP: 0.95,
  topK: 40,
  minP: 0.05,
};

/** Largest logit that a repetition penalty may make: divided by the least temperature it is still a 32-bit float. */
const MAX_LOGIT = 1e30;

/**
 * Logits after repetition penalty, presence and frequency penalty, bias, mask and temperature, in this order.
 * At temperature 0 the logits are not scaled: the likeliest token is the same, and its probability still shows how sure
 * the model was.
 *
 * @param raw Logits of the vocabulary; not modified.
 * @param mask Allowed tokens, one bit each, the lowest bit of the first word first; undefined allows all.
 */
export function policyLogits(
  raw: Float32Array,
  settings: SamplingSettings,
  history: TokenHistory,
  mask?: Int32Array,
): Float32Array {
  const logits = raw.slice();
  const { repetitionPenalty, presencePenalty, frequencyPenalty, temperature } = settings;
  if (repetitionPenalty !== 1) {
    // Writes beyond the end of a typed array are ignored: a prompt may hold ids that have no logit.
    for (const id of history.seen()) {
      logits[id] = Math.min(logits[id] * (logits[id] > 0 ? 1 / repetitionPenalty : repetitionPenalty), MAX_LOGIT);
    }
  }
  if (presencePenalty !== 0 || frequencyPenalty !== 0) {
    for (const [id, count] of history.generated) logits[id] -= presencePenalty + count * frequencyPenalty;
  }
  for (const [id, bias] of settings.logitBias) logits[id] += bias;
  if (mask !== undefined) {
    for (let id = 0; id < logits.length; id++) if (((mask[id >> 5] >>> (id & 31)) & 1) === 0) logits[id] = -Infinity;
  }
  if (temperature !== 0 && temperature !== 1) { for (let id = 0; id < logits.length; id++) logits[id] /= temperature; }
  return logits;
}

/** Lower temperatures are 0: the likeliest token is as good as certain, and divided logits would overflow. */
const MIN_TEMPERATURE = 1e-6;

/** The settings of a request: each omitted field keeps the model's default. */
export function samplingSettings(fields: SamplingFields, defaults: SamplingSettings): SamplingSettings {
  const temperature = fields.temperature ?? defaults.temperature;
  return {
    temperature: temperature < MIN_TEMPERATURE ? 0 : temperature,
    topP: fields.topP ?? defaults.topP,
    topK: fields.topK ?? defaults.topK,
    minP: fields.minP ?? defaults.minP,
    presencePenalty: fields.presencePenalty ?? defaults.presencePenalty,
    frequencyPenalty: fields.frequencyPenalty ?? defaults.frequencyPenalty,
    repetitionPenalty: fields.repetitionPenalty ?? defaults.repetitionPenalty,
    logitBias: fields.logitBias.size > 0 ? fields.logitBias : defaults.logitBias,
  };
}

/** Tokens of a prompt and, with counts, of the answer so far. */
export class TokenHistory {
  readonly #prompt: Set<number>;
  readonly #counts = new Map<number, number>();

  constructor(prompt: Iterable<number>) {
    this.#prompt = new Set(prompt);
  }

  /** Adds a generated token. */
  add(id: number): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  /** How often each token was generated. */
  get generated(): ReadonlyMap<number, number> {
    return this.#counts;
  }

  /** Every token of prompt and answer, once each. */
  *seen(): Generator<number> {
    yield* this.#prompt;
    for (const id of this.#counts.keys()) if (!this.#prompt.has(id)) yield id;
  }
}
