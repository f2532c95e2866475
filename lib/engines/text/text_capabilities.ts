/**
 * What a chat model can do: how it reasons, as its template shows, and the features that token-by-token engines share.
 *
 * @module
 */
import {
  findReasoningTags,
  type ReasoningCapability,
  type ReasoningEffort,
  type TemplateSources,
  type TextFeature,
} from "../../protocol/mod.ts";

/** Variables that switch reasoning on and off; `message.thinking` and the like are not switches. */
const SWITCH = /\benable_thinking\b|\b(?:if|not|set|and|or)\s+thinking\b/;

/** Levels that a template may name, the least effort first. */
const EFFORTS: readonly ReasoningEffort[] = ["minimal", "low", "medium", "high", "xhigh", "max"];

/** Families with effort levels have these three, unless they name others. */
const USUAL: readonly ReasoningEffort[] = ["low", "medium", "high"];

/**
 * A template with a switch makes reasoning optional, one with `reasoning_effort` takes levels, and one that starts
 * every answer with reasoning always reasons. Undefined for models without reasoning, as far as the template shows.
 */
export function templateReasoning({ chat }: TemplateSources): ReasoningCapability | undefined {
  if (chat === undefined) return undefined;
  const template = withoutComments(chat);
  const optional = SWITCH.test(template);
  if (/\breasoning_effort\b/.test(template)) {
    const named = effortList(template);
    const known = EFFORTS.filter((effort) => named.includes(effort));
    const levels = known.length > 0 ? known : USUAL;
    return { optional: optional || named.includes("none"), levels, levelMap: nearestLevels(levels) };
  }
  if (optional || thinksAlways(template)) return { optional, levels: [], levelMap: {} };
  return undefined;
}

/** The words of a list that a template checks `reasoning_effort` against, such as `['none', 'high']` of Mistral. */
function effortList(template: string): string[] {
  const [, list = ""] = /\breasoning_effort\s+(?:not\s+)?in\s*[[(]([^\])]*)[\])]/.exec(template) ?? [];
  return [...list.matchAll(/["'](\w+)["']/g)].map(([, word]) => word);
}

/** Each other level as the nearest that there is, rather a lower one. */
function nearestLevels(levels: readonly ReasoningEffort[]): ReasoningCapability["levelMap"] {
  const distance = (a: ReasoningEffort, b: ReasoningEffort) => Math.abs(EFFORTS.indexOf(a) - EFFORTS.indexOf(b));
  const others = EFFORTS.filter((effort) => !levels.includes(effort));
  return Object.fromEntries(others.map((effort) => [
    effort,
    levels.reduce((best, level) => distance(level, effort) < distance(best, effort) ? level : best),
  ]));
}

/** Whether the start of an answer opens reasoning and leaves it open. */
function thinksAlways(template: string): boolean {
  const at = template.lastIndexOf("add_generation_prompt");
  if (at < 0) return false;
  const { open, close } = findReasoningTags(template);
  const beginning = template.slice(at);
  return beginning.includes(open) && !beginning.includes(close);
}

/** What such an engine supports with sampling by `lib/protocol` and constrained decoding. */
export const TEXT_FEATURES: readonly TextFeature[] = [
  "tools",
  "strict_tools",
  "stop",
  "seed",
  "top_k",
  "min_p",
  "penalties",
  "repetition_penalty",
  "logit_bias",
  "logprobs",
  "json_object",
  "json_schema",
  "template_arguments",
];

/** What stands between comments; one that is not closed is text. */
function withoutComments(template: string): string {
  let text = "";
  let at = 0;
  for (let open = template.indexOf("{#"); open >= 0; open = template.indexOf("{#", at)) {
    const close = template.indexOf("#}", open + 2);
    if (close < 0) break;
    text += template.slice(at, open);
    at = close + 2;
  }
  return text + template.slice(at);
}
