/**
 * Detects how a model reasons from its chat template.
 *
 * @module
 */
import { findReasoningTags, type ReasoningCapability, type TemplateSources } from "../../api/protocol/mod.ts";

/** Variables that switch reasoning on and off; `message.thinking` and the like are not switches. */
const SWITCH = /\benable_thinking\b|\b(?:if|not|set|and|or)\s+thinking\b/;

/** Families with effort levels have these three. */
const LEVELS: ReasoningCapability = {
  optional: false,
  levels: ["low", "medium", "high"],
  levelMap: { minimal: "low", xhigh: "high", max: "high" },
};

/**
 * A template with a switch makes reasoning optional, one with `reasoning_effort` takes levels, and one that starts
 * every answer with reasoning always reasons. Undefined for models without reasoning, as far as the template shows.
 */
export function templateReasoning({ chat }: TemplateSources): ReasoningCapability | undefined {
  if (chat === undefined) return undefined;
  const template = chat.replaceAll(/\{#[\s\S]*?#\}/g, "");
  const optional = SWITCH.test(template);
  if (/\breasoning_effort\b/.test(template)) return { ...LEVELS, optional };
  if (optional || thinksAlways(template)) return { optional, levels: [], levelMap: {} };
  return undefined;
}

/** Whether the start of an answer opens reasoning and leaves it open. */
function thinksAlways(template: string): boolean {
  const at = template.lastIndexOf("add_generation_prompt");
  if (at < 0) return false;
  const { open, close } = findReasoningTags(template);
  const beginning = template.slice(at);
  return beginning.includes(open) && !beginning.includes(close);
}
