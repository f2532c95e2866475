/**
 * Thoughts apart from what is said.
 *
 * @module
 */
import type { ReasoningTags } from "./reasoning_tags.ts";

/**
 * Takes the thoughts out of streamed text. Space around a thought is dropped; what comes out does not depend on how the
 * text is cut into pieces.
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

  /** @param startsInside Whether the text begins with the rest of a thought, as {@linkcode endsInReasoning} tells. */
  constructor(tags: ReasoningTags, startsInside: boolean) {
    this.#tags = tags;
    this.#inside = startsInside;
    if (startsInside) this.#thoughts.push("");
  }

  /** Whether the text has ended, so far, within a thought. */
  get unfinished(): boolean {
    return this.#inside;
  }

  /** The thoughts so far, with an empty line between them; undefined when there are none. */
  get reasoning(): string | undefined {
    const thoughts = this.#thoughts.map((thought) => thought.trim()).filter((thought) => thought !== "");
    return thoughts.length === 0 ? undefined : thoughts.join("\n\n");
  }

  /** What is said in this piece, and in earlier ones that had to wait for it. */
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

  /** What was held back; the text has no more. */
  flush(): string {
    return this.#take(this.#held.length);
  }

  /** A thought ends at its closing mark only; elsewhere a closing mark without a thought is no text either. */
  #nextTag(): RegExpExecArray | undefined {
    const { open, close } = this.#tags;
    return tagPattern(this.#inside ? [close] : [open, close], "i").exec(this.#held) ?? undefined;
  }

  #turn(inside: boolean): void {
    this.#inside = inside;
    this.#skipSpace = !inside;
    if (inside) this.#thoughts.push("");
  }

  #take(count: number): string {
    const text = this.#held.slice(0, count);
    this.#held = this.#held.slice(count);
    if (this.#inside) {
      this.#thoughts[this.#thoughts.length - 1] += text;
      return "";
    }
    const said = this.#skipSpace ? text.trimStart() : text;
    if (said !== "") this.#skipSpace = false;
    return said;
  }

  /** Length of the longest end of the held text that may be the beginning of a mark. */
  #waiting(): number {
    const tags = [this.#tags.open, this.#tags.close].map((tag) => tag.toLowerCase());
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
  /** Undefined when the model did not think. */
  readonly reasoning: string | undefined;
  /** Whether the answer ends within a thought. */
  readonly unfinished: boolean;
}

/** Splits a whole answer. When a thought is closed that was never opened, it began with the answer. */
export function splitReasoning(text: string, tags: ReasoningTags, startsInside: boolean): SplitAnswer {
  const orphan = tagPattern([tags.open, tags.close], "i").exec(text)?.[0];
  const splitter = new ReasoningSplitter(tags, startsInside || orphan?.toLowerCase() === tags.close.toLowerCase());
  const content = splitter.push(text) + splitter.flush();
  return { content, reasoning: splitter.reasoning, unfinished: splitter.unfinished };
}

/** Matches marks literally. */
export function tagPattern(tags: readonly string[], flags: string): RegExp {
  return new RegExp(tags.map((tag) => tag.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), flags);
}
