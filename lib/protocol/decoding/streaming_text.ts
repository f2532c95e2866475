/**
 * Text that grows token by token: whole characters only, and nothing of a stop string.
 *
 * @module
 */

/** Replaces bytes that are not valid text, or not yet. */
const REPLACEMENT = "\ufffd";

/** A character has at most four bytes: with more tokens pending, some of them are invalid text. */
const MAX_WAITING = 8;

/**
 * Decodes tokens one by one. A token can end within a character, and its text can depend on the token before, so each
 * step decodes a few earlier tokens again and takes what is new; text that may still change waits for the next token.
 * The outputs, joined, are the text of all tokens.
 *
 * @example
 * ```ts
 * import { IncrementalDecoder } from "./streaming_text.ts";
 * const bytes = [[0xe2, 0x82], [0xac], [0x21]];
 * const utf8 = new TextDecoder();
 * const decoder = new IncrementalDecoder((ids) => utf8.decode(new Uint8Array(ids.flatMap((id) => bytes[id]))));
 * console.assert(decoder.push(0) === "" && decoder.push(1) === "€" && decoder.push(2) === "!");
 * ```
 */
export class IncrementalDecoder {
  readonly #decode: (ids: readonly number[]) => string;
  /** The last `#emitted` emitted tokens, followed by the pending ones. */
  #ids: number[] = [];
  #emitted = 0;

  /** @param decode The text of tokens, with U+FFFD for invalid bytes, without cleaning up spaces. */
  constructor(decode: (ids: readonly number[]) => string) {
    this.#decode = decode;
  }

  /** The new text after a token, which may be empty. */
  push(id: number): string {
    this.#ids.push(id);
    const text = this.#decode(this.#ids);
    if (!text.endsWith(REPLACEMENT)) return this.#emit(this.#ids.length, text);
    if (this.#ids.length - this.#emitted <= MAX_WAITING) return "";
    // The last three tokens may still become a character; whatever precedes them cannot change.
    for (let count = this.#ids.length - 3; count > this.#emitted; count--) {
      const sure = this.#decode(this.#ids.slice(0, count));
      if (text.startsWith(sure)) return this.#emit(count, sure);
    }
    return "";
  }

  /** The pending text. */
  flush(): string {
    return this.#emit(this.#ids.length, this.#decode(this.#ids));
  }

  /** `text` is that of the first `count` tokens. */
  #emit(count: number, text: string): string {
    const news = text.slice(this.#decode(this.#ids.slice(0, this.#emitted)).length);
    if (count > this.#emitted) {
      this.#ids = this.#ids.slice(this.#emitted);
      this.#emitted = count - this.#emitted;
    }
    return news;
  }
}

/** A node of the trie of stop strings: a prefix that some of them share. */
interface Node {
  readonly depth: number;
  readonly next: Map<string, Node>;
  /** The longest prefix in the trie that this one ends with. */
  fail: Node | undefined;
  /** Length of the longest stop string that this prefix ends with; 0 for none. */
  stop: number;
}

/**
 * Holds back text that may start a stop string, and ends the text before the first one (Aho and Corasick 1975). The
 * output does not depend on how the text is split; of overlapping stop strings the one that starts first counts.
 *
 * @example
 * ```ts
 * import { StopMatcher } from "./streaming_text.ts";
 * const stops = new StopMatcher(["END"]);
 * console.assert(stops.push("the E") === "the " && stops.push("NDless") === "" && stops.stopped);
 * ```
 */
export class StopMatcher {
  readonly #root: Node;
  #node: Node;
  #held = "";
  /** Position of the earliest stop string in the held text. */
  #found: number | undefined;
  #stopped: string | undefined;
  readonly #stops: readonly string[];

  /** @param stops Non-empty strings; without any, all text passes. */
  constructor(stops: readonly string[]) {
    this.#stops = stops;
    this.#root = this.#node = buildTrie(stops);
  }

  /** Whether a stop string has ended the text. */
  get stopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** The stop string that has ended the text. */
  get stoppedBy(): string | undefined {
    return this.#stopped;
  }

  /** Returns the text that can be shown; nothing after a stop string. */
  push(text: string): string {
    if (this.stopped) return "";
    const before = this.#held.length;
    this.#held += text;
    for (let i = before; i < this.#held.length; i++) {
      this.#node = step(this.#node, this.#held[i]);
      const { stop, depth } = this.#node;
      if (stop > 0) this.#found = Math.min(this.#found ?? Infinity, i + 1 - stop);
      // An earlier stop string may still be incomplete.
      if (this.#found !== undefined && i + 1 - depth >= this.#found) return this.#end(this.#found);
    }
    return this.#release(this.#held.length - this.#node.depth);
  }

  /** Returns the held text at the end of the input. */
  flush(): string {
    if (this.#found !== undefined) return this.#end(this.#found);
    return this.#release(this.#held.length);
  }

  #release(count: number): string {
    const text = this.#held.slice(0, count);
    this.#held = this.#held.slice(count);
    if (this.#found !== undefined) this.#found -= count;
    return text;
  }

  #end(count: number): string {
    this.#stopped ??= this.#stops.find((stop) => this.#held.startsWith(stop, count)) ?? "";
    const text = this.#held.slice(0, count);
    this.#held = "";
    return text;
  }
}

function buildTrie(stops: readonly string[]): Node {
  const root: Node = { depth: 0, next: new Map(), fail: undefined, stop: 0 };
  for (const stop of stops) {
    let node = root;
    for (let i = 0; i < stop.length; i++) {
      let child = node.next.get(stop[i]);
      if (!child) node.next.set(stop[i], child = { depth: i + 1, next: new Map(), fail: root, stop: 0 });
      node = child;
    }
    node.stop = stop.length;
  }
  // Breadth first: the fail node of a node is nearer to the root and therefore complete.
  const queue = [root];
  for (const node of queue) {
    for (const [letter, child] of node.next) {
      if (node !== root) child.fail = step(node.fail ?? root, letter);
      child.stop = Math.max(child.stop, child.fail?.stop ?? 0);
      queue.push(child);
    }
  }
  return root;
}

function step(node: Node, letter: string): Node {
  let from: Node | undefined = node;
  while (from) {
    const next = from.next.get(letter);
    if (next) return next;
    if (!from.fail) return from;
    from = from.fail;
  }
  return node;
}
