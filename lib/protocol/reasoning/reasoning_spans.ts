/**
 * Locates the reasoning in an answer.
 *
 * @module
 */
import { tagPattern } from "./reasoning_splitter.ts";
import type { ReasoningTags } from "./reasoning_tags.ts";

/** A span of an answer. */
export interface ReasoningSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: "reasoning" | "mark" | "said";
}

/** The spans of a whole answer, in order, as {@linkcode splitReasoning} defines them. */
export function findReasoningSpans(text: string, tags: ReasoningTags, startsInside: boolean): ReasoningSpan[] {
  const isOpen = (tag: string): boolean => tag.toLowerCase() === tags.open.toLowerCase();
  const { open, close, others } = tags;
  const isClose = (tag: string): boolean => tag.toLowerCase() === close.toLowerCase();
  const marks = [...text.matchAll(tagPattern([open, close, ...others ?? []], "gi"))];
  let inside = startsInside || (others === undefined && marks.length > 0 && !isOpen(marks[0][0]));
  const spans: ReasoningSpan[] = [];
  let start = 0;
  for (const { index, 0: tag } of marks) {
    // Within reasoning all but its end is text.
    if (inside && !isClose(tag)) continue;
    spans.push({ start, end: index, kind: inside ? "reasoning" : "said" });
    start = index + tag.length;
    spans.push({ start: index, end: start, kind: "mark" });
    inside = isOpen(tag);
  }
  spans.push({ start, end: text.length, kind: inside ? "reasoning" : "said" });
  return spans;
}
