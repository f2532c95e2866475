/**
 * How models mark their reasoning.
 *
 * @module
 */

/** The marks around reasoning, case-insensitive. */
export interface ReasoningTags {
  readonly open: string;
  readonly close: string;
  /**
   * Further marks, which are left out of the answer, of families that put every part of it between marks; undefined for
   * those that mark reasoning alone, where a closing mark without an opening one ends reasoning that began the answer.
   */
  readonly others?: readonly string[] | undefined;
}

/** The marks that most models use. */
export const THINK_TAGS: ReasoningTags = { open: "<think>", close: "</think>" };

/** Channels of gpt-oss (the harmony format): `analysis` is reasoning, `final` and `commentary` are for the user. */
const HARMONY: ReasoningTags = {
  open: "<|channel|>analysis<|message|>",
  close: "<|end|>",
  others: ["<|start|>assistant", "<|channel|>final<|message|>", "<|channel|>commentary<|message|>", "<|return|>"],
};

const families: readonly ReasoningTags[] = [
  // Gemma 4
  { open: "<|channel>thought", close: "<channel|>" },
  { open: "<seed:think>", close: "</seed:think>" },
  // Mistral
  { open: "[THINK]", close: "[/THINK]" },
  { open: "<thinking>", close: "</thinking>" },
  { open: "<reasoning>", close: "</reasoning>" },
  THINK_TAGS,
];

/** The marks in a chat template; the common ones when it has none. */
export function findReasoningTags(template: string): ReasoningTags {
  if (/<\|channel\|>(?:analysis|final)/.test(template)) return HARMONY;
  return families.find(({ close }) => template.includes(close)) ?? THINK_TAGS;
}

/** Whether a rendered prompt ends with opened reasoning, in which the answer then begins. */
export function endsInReasoning(prompt: string, { open }: ReasoningTags): boolean {
  return prompt.trimEnd().toLowerCase().endsWith(open.toLowerCase());
}
