/**
 * Separates reasoning from content.
 *
 * @module
 */
import type { ReasoningTags } from "./reasoning_tags.ts";

/**
 * Removes the reasoning from streamed text. Space around it is dropped; the output does not depend on how the text is
 * split.
 *
 * @example
 * ```ts
 * import { ReasoningSplitter } from "./reasoning_splitter.ts";
 * import { THINK_TAGS } from "./reasoning_tags.ts";
 * const splitter = new ReasoningSplitter(THINK_TAGS, false);
 * console.assert(splitter.push("<think>2 + 2</thi") === "" && splitter.push("nk>\n\n4") === "4");
 * console.assert(splitter.reasoning === "2 + 2");
 * ```
 */
export class ReasoningSplitter {
  readonly #tags: ReasoningTags;
  readonly #thoughts: string[] = [];
  #inside: boolean;
  #held = "";
  #skipSpace = false;
  /** Reasoning that was not taken yet, and white space after it, which only counts if more follows. */
  #news = "";
  #space = "";
  /** Whether the current piece of reasoning has text, and any piece before it. */
  #began = false;
  #any = false;

  /** @param startsInside Whether the text begins within reasoning, as {@linkcode endsInReasoning} determines. */
  constructor(tags: ReasoningTags, startsInside: boolean) {
    this.#tags = tags;
    this.#inside = startsInside;
    if (startsInside) this.#thoughts.push("");
  }

  /** Whether the text so far ends within reasoning. */
  get unfinished(): boolean {
    return this.#inside;
  }

  /** The reasoning so far, joined by empty lines; undefined when there is none. */
  get reasoning(): string | undefined {
    const thoughts = this.#thoughts.map((thought) => thought.trim()).filter((thought) => thought !== "");
    return thoughts.length === 0 ? undefined : thoughts.join("\n\n");
  }

  /** What was added to {@linkcode reasoning} since the last call. */
  takeReasoning(): string {
    const news = this.#news;
    this.#news = "";
    return news;
  }

  /** The content of this piece, and of earlier ones that were held back. */
  push(text: string): string {
    this.#held += text;
    let said = "";
    while (true) {
      const tag = this.#nextTag();
      if (tag === undefined) break;
      said += this.#take(tag.index);
      this.#held = this.#held.slice(tag[0].length);
      this.#turn(tag[0].toLowerCase() === this.#tags.open.toLowerCase());
    }
    return said + this.#take(this.#held.length - this.#waiting());
  }

  /** Returns the held text at the end of the input. */
  flush(): string {
    return this.#take(this.#held.length);
  }

  /** Reasoning ends at its closing mark only; elsewhere a lone closing mark is dropped too. */
  #nextTag(): RegExpExecArray | undefined {
    const { open, close, others = [] } = this.#tags;
    return tagPattern(this.#inside ? [close] : [open, close, ...others], "i").exec(this.#held) ?? undefined;
  }

  #turn(inside: boolean): void {
    this.#inside = inside;
    this.#skipSpace = !inside;
    if (!inside) return;
    this.#thoughts.push("");
    this.#any ||= this.#began;
    this.#began = false;
    this.#space = "";
  }

  /** Notes reasoning as {@linkcode reasoning} will have it: trimmed, pieces joined by an empty line. */
  #think(text: string): void {
    const more = this.#began ? this.#space + text : text.trimStart();
    const body = more.trimEnd();
    this.#space = body === "" && !this.#began ? "" : more.slice(body.length);
    if (body === "") return;
    if (!this.#began && this.#any) this.#news += "\n\n";
    this.#began = true;
    this.#news += body;
  }

  #take(count: number): string {
    const text = this.#held.slice(0, count);
    this.#held = this.#held.slice(count);
    if (this.#inside) {
      this.#thoughts[this.#thoughts.length - 1] += text;
      this.#think(text);
      return "";
    }
    const said = this.#skipSpace ? text.trimStart() : text;
    if (said !== "") this.#skipSpace = false;
    return said;
  }

  /** Length of the longest suffix of the held text that may start a mark. */
  #waiting(): number {
    const { open, close, others = [] } = this.#tags;
    const tags = [open, close, ...others].map((tag) => tag.toLowerCase());
    for (let count = Math.min(Math.max(...tags.map((tag) => tag.length)) - 1, this.#held.length); count > 0; count--) {
      const end = this.#held.slice(-count).toLowerCase();
      if (tags.some((tag) => tag.startsWith(end))) return count;
    }
    return 0;
  }
}

/** A whole answer, split. */
export interface SplitAnswer {
  readonly content: string;
  /** Undefined when the model did not reason. */
  readonly reasoning: string | undefined;
  /** Whether the answer ends within reasoning. */
  readonly unfinished: boolean;
}

/** Splits a whole answer. Reasoning that is closed but never opened began with the answer. */
export function splitReasoning(text: string, tags: ReasoningTags, startsInside: boolean): SplitAnswer {
  const first = tags.others ? undefined : tagPattern([tags.open, tags.close], "i").exec(text)?.[0];
  const splitter = new ReasoningSplitter(tags, startsInside || first?.toLowerCase() === tags.close.toLowerCase());
  const content = splitter.push(text) + splitter.flush();
  return { content, reasoning: splitter.reasoning, unfinished: splitter.unfinished };
}

/** Matches marks literally. */
function tagPattern(tags: readonly string[], flags: string): RegExp {
  return new RegExp(tags.map((tag) => tag.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), flags);
}

/** A span of an answer. */
interface ReasoningSpan {
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
