/**
 * The sampling settings of a request.
 *
 * @module
 */
import type { SamplingFields } from "../chat/chat_request.ts";
import type { SamplingSettings } from "./policy_logits.ts";

/** The settings of a request: each omitted field keeps the model's default. */
export function samplingSettings(fields: SamplingFields, defaults: SamplingSettings): SamplingSettings {
  return {
    temperature: fields.temperature ?? defaults.temperature,
    topP: fields.topP ?? defaults.topP,
    topK: fields.topK ?? defaults.topK,
    minP: fields.minP ?? defaults.minP,
    presencePenalty: fields.presencePenalty ?? defaults.presencePenalty,
    frequencyPenalty: fields.frequencyPenalty ?? defaults.frequencyPenalty,
    repetitionPenalty: fields.repetitionPenalty ?? defaults.repetitionPenalty,
    logitBias: fields.logitBias.size > 0 ? fields.logitBias : defaults.logitBias,
  };
}
