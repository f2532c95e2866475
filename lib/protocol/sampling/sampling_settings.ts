/**
 * The sampling settings of a request.
 *
 * @module
 */
import type { SamplingFields } from "../chat/chat_request.ts";
import type { SamplingSettings } from "./policy_logits.ts";

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
