/**
 * Token limits and default sampling of a model's chats.
 *
 * @module
 */
import type { ChatModelProfile } from "../../engines/contract/model_profile.ts";
import type { RuntimeSettings } from "../../store/catalog/installed_model.ts";
import type { SamplingSettings } from "../../protocol/mod.ts";

/** Default number of tokens of an answer. */
const PRESET_MAX_TOKENS = 2048;

/** Limits in tokens. */
export interface ChatLimits {
  /** Of prompt and answer together. */
  readonly context: number;
  /** Of an answer. */
  readonly output: number;
  /** Of an answer, by default. */
  readonly presetMaxTokens: number;
}

/**
 * The limits of a model with its settings.
 *
 * @param contextSize The server's own limit, which the model's settings can override.
 */
export function chatLimits(profile: ChatModelProfile, settings: RuntimeSettings, contextSize: number): ChatLimits {
  const context = Math.min(profile.context, settings.maxContextTokens ?? contextSize);
  const max = Math.min(profile.maxOutputTokens ?? context, context);
  return {
    context,
    output: Math.min(max, settings.maxTokens ?? max),
    presetMaxTokens: settings.maxTokens ?? PRESET_MAX_TOKENS,
  };
}

/** Default sampling: each setting overrides the model's own value. */
export function chatDefaults(profile: ChatModelProfile, settings: RuntimeSettings): SamplingSettings {
  return {
    ...profile.sampling,
    temperature: settings.temperature ?? profile.sampling.temperature,
    topP: settings.topP ?? profile.sampling.topP,
    minP: settings.minP ?? profile.sampling.minP,
  };
}
