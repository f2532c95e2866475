/**
 * How models mark their reasoning.
 *
 * @module
 */

/** The marks around reasoning, case-insensitive. */
export interface ReasoningTags {
  readonly open: string;
  readonly close: string;
}

/** The marks that most models use. */
export const THINK_TAGS: ReasoningTags = { open: "<think>", close: "</think>" };

const families: readonly ReasoningTags[] = [
  { open: "<seed:think>", close: "</seed:think>" },
  { open: "[THINK]", close: "[/THINK]" },
  { open: "<thinking>", close: "</thinking>" },
  { open: "<reasoning>", close: "</reasoning>" },
  THINK_TAGS,
];

/** The marks in a chat template; the common ones when it has none. */
export function findReasoningTags(template: string): ReasoningTags {
  return families.find(({ close }) => template.includes(close)) ?? THINK_TAGS;
}

/** Whether a rendered prompt ends with opened reasoning, in which the answer then begins. */
export function endsInReasoning(prompt: string, { open }: ReasoningTags): boolean {
  return prompt.trimEnd().toLowerCase().endsWith(open.toLowerCase());
}
