/**
 * How a model thinks, as its chat template tells.
 *
 * @module
 */
import { findReasoningTags, type ReasoningCapability, type TemplateSources } from "../../api/protocol/mod.ts";

/** Variables by which templates switch thinking on and off; `message.thinking` and the like are no switches. */
const SWITCH = /\benable_thinking\b|\b(?:if|not|set|and|or)\s+thinking\b/;

/** Families that take a level take these three. */
const LEVELS: ReasoningCapability = {
  optional: false,
  levels: ["low", "medium", "high"],
  levelMap: { minimal: "low", xhigh: "high", max: "high" },
};

/**
 * A template that has a switch can be told not to think, one that asks for `reasoning_effort` takes levels, and one
 * that begins every answer with a thought always thinks. Undefined for models that do not think, as far as the template
 * tells.
 */
export function templateReasoning({ chat }: TemplateSources): ReasoningCapability | undefined {
  if (chat === undefined) return undefined;
  const template = chat.replaceAll(/\{#[\s\S]*?#\}/g, "");
  const optional = SWITCH.test(template);
  if (/\breasoning_effort\b/.test(template)) return { ...LEVELS, optional };
  if (optional || thinksAlways(template)) return { optional, levels: [], levelMap: {} };
  return undefined;
}

/** Whether what stands for the beginning of an answer opens a thought and leaves it open. */
function thinksAlways(template: string): boolean {
  const at = template.lastIndexOf("add_generation_prompt");
  if (at < 0) return false;
  const { open, close } = findReasoningTags(template);
  const beginning = template.slice(at);
  return beginning.includes(open) && !beginning.includes(close);
}
