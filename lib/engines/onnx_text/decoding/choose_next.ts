/**
 * Chooses tokens as fast as their settings allow.
 *
 * @module
 */
import { chooseToken, type ChosenToken, type SamplingSettings, type TokenHistory } from "../../../protocol/mod.ts";

/** A token, with the data for log probabilities if requested. */
export interface NextToken {
  readonly id: number;
  readonly chosen: ChosenToken | undefined;
}

/** Whether decoding is greedy. */
export function choosesLikeliest(settings: SamplingSettings): boolean {
  return settings.temperature === 0 && changesNothing(settings);
}

/** Whether no penalty or bias changes the logits. */
export function changesNothing(settings: SamplingSettings): boolean {
  return settings.presencePenalty === 0 && settings.frequencyPenalty === 0 && settings.repetitionPenalty === 1 &&
    settings.logitBias.size === 0;
}

/**
 * Chooses as {@linkcode chooseToken} does. The likeliest token is found without copying the logits where nothing
 * changes them and no log probabilities are requested.
 */
export function chooseNext(
  raw: Float32Array,
  settings: SamplingSettings,
  history: TokenHistory,
  uniform: () => number,
  mask: Int32Array | undefined,
  explained: boolean,
): NextToken {
  if (mask === undefined && !explained && choosesLikeliest(settings)) {
    const id = likeliest(raw);
    if (id >= 0) return { id, chosen: undefined };
  }
  const chosen = chooseToken(raw, settings, history, settings.temperature === 0 ? 0 : uniform(), mask);
  return { id: chosen.id, chosen };
}

/** The first of the largest logits; -1 when it is not finite, an error that {@linkcode chooseToken} reports. */
function likeliest(logits: Float32Array): number {
  let best = 0;
  let largest = -Infinity;
  for (let id = 0; id < logits.length; id++) if (logits[id] > largest) largest = logits[best = id];
  return Number.isFinite(largest) ? best : -1;
}
