/**
 * Sampling the plain way: whole sorts in 64 bits, one step after another. Tests compare with it.
 *
 * @module
 */
import type { SamplingSettings } from "../../lib/protocol/sampling/policy_logits.ts";

/** Probabilities of all tokens; 0 for those that cannot be chosen. */
export function referenceProbabilities(
  raw: readonly number[],
  settings: SamplingSettings,
  prompt: readonly number[],
  generated: readonly number[],
  allowed: (id: number) => boolean = () => true,
): number[] {
  const seen = new Set([...prompt, ...generated]);
  const logits = raw.map((logit, id) => {
    if (seen.has(id)) logit = logit > 0 ? logit / settings.repetitionPenalty : logit * settings.repetitionPenalty;
    const count = generated.filter((other) => other === id).length;
    if (count > 0) logit -= settings.presencePenalty;
    logit -= count * settings.frequencyPenalty;
    logit += settings.logitBias.get(id) ?? 0;
    return allowed(id) ? logit / (settings.temperature || 1) : -Infinity;
  });
  let kept = logits.map((_, id) => id).filter((id) => logits[id] > -Infinity);
  kept.sort((a, b) => logits[b] - logits[a] || a - b);
  const probabilities = (): number[] => {
    const powers = kept.map((id) => Math.exp(logits[id] - logits[kept[0]]));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((power) => power / sum);
  };
  if (settings.temperature > 0) {
    if (settings.topK > 0) kept = kept.slice(0, settings.topK);
    if (settings.topP < 1) {
      const all = probabilities();
      let sum = 0;
      let count = 0;
      while (count < kept.length && (count === 0 || sum < settings.topP)) sum += all[count++];
      kept = kept.slice(0, count);
    }
    if (settings.minP > 0) {
      const all = probabilities();
      kept = kept.filter((_, i) => all[i] >= settings.minP * all[0]);
    }
  }
  const result = raw.map(() => 0);
  const left = probabilities();
  kept.forEach((id, i) => result[id] = left[i]);
  return result;
}
