/**
 * Finds pages and their parts by words.
 *
 * @module
 */

/** A page or a part of one. */
export interface SearchEntry {
  readonly path: string;
  /** Of the page. */
  readonly title: string;
  /** Heading or exported name; empty for the start of a page. */
  readonly part: string;
  readonly text: string;
}

/** A page with its parts as the index has them: anchor, heading and text. */
export interface IndexedPage {
  readonly path: string;
  readonly title: string;
  readonly parts: readonly (readonly [anchor: string, part: string, text: string])[];
}

/** The entries of an index. */
export function entriesOf(pages: readonly IndexedPage[]): SearchEntry[] {
  return pages.flatMap(({ path, title, parts }) =>
    parts.map(([anchor, part, text]) => ({ path: path + anchor, title, part, text }))
  );
}

/** An entry that has all words. */
export interface SearchHit {
  readonly entry: SearchEntry;
  /** Some text around the first word. */
  readonly excerpt: string;
}

/** Characters of an excerpt before the word, and in all. */
const BEFORE = 40;
const LENGTH = 140;

/** A word without the ending that its other forms have not: "streaming tools" finds what streams a tool call. */
function stemOf(word: string): string {
  const stem = word.replace(/(?:ing|ed|es|s)$/, "");
  return stem.length < 4 ? word : stem;
}

/** The entries that have all words of a query in any form, those with a word in their name first. */
export function search(entries: readonly SearchEntry[], query: string, most: number): SearchHit[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "").map(stemOf);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ entry }) => ({ entry, excerpt: excerptOf(entry.text, words[0]) }));
}

function scoreOf({ title, part, text }: SearchEntry, words: readonly string[]): number {
  let score = 0;
  const [name, page, body] = [part, title, text].map((value) => value.toLowerCase());
  for (const word of words) {
    const found = (name === word ? 50 : name.startsWith(word) ? 20 : name.includes(word) ? 10 : 0) +
      (page.includes(word) ? part === "" ? 12 : 4 : 0) + Math.min(3, body.split(word).length - 1);
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - BEFORE);
  const start = at === 0 ? 0 : text.indexOf(" ", at) + 1;
  const part = text.slice(start, start + LENGTH);
  return `${start > 0 ? "… " : ""}${part}${start + LENGTH < text.length ? " …" : ""}`;
}
