/**
 * How models mark their thoughts.
 *
 * @module
 */

/** The marks around a thought; their case does not matter. */
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

/** The marks that a chat template names; those of most models when it names none. */
export function findReasoningTags(template: string): ReasoningTags {
  return families.find(({ close }) => template.includes(close)) ?? THINK_TAGS;
}

/** Whether a rendered prompt ends with an opened thought, so that the answer begins within it. */
export function endsInReasoning(prompt: string, { open }: ReasoningTags): boolean {
  return prompt.trimEnd().toLowerCase().endsWith(open.toLowerCase());
}
