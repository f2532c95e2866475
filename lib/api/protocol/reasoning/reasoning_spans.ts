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
  const marks = [...text.matchAll(tagPattern([tags.open, tags.close], "gi"))];
  let inside = startsInside || (marks.length > 0 && !isOpen(marks[0][0]));
  const spans: ReasoningSpan[] = [];
  let start = 0;
  for (const { index, 0: tag } of marks) {
    // Within reasoning an opening mark is text.
    if (inside && isOpen(tag)) continue;
    spans.push({ start, end: index, kind: inside ? "reasoning" : "said" });
    start = index + tag.length;
    spans.push({ start: index, end: start, kind: "mark" });
    inside = isOpen(tag);
  }
  spans.push({ start, end: text.length, kind: inside ? "reasoning" : "said" });
  return spans;
}
