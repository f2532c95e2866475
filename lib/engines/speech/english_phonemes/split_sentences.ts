/**
 * Text to sentences.
 *
 * @module
 */

/** The end of a sentence: a mark, closing quotes or brackets, white space, and further text. */
const END = /(?<=[.!?…])["”’)\]]*\s+(?=\S)/gu;

/**
 * Cuts a text at the ends of its sentences and lines. Closing quotes behind a mark are not said and go.
 *
 * @param titles Words that a full stop follows within a sentence, such as `Dr`.
 */
export function splitSentences(text: string, titles: ReadonlySet<string>): string[] {
  return text.trim().split(/\n\s*\n|\n/).flatMap((line) => splitLine(line.trim(), titles))
    .filter((sentence) => sentence.trim() !== "");
}

function splitLine(line: string, titles: ReadonlySet<string>): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: gap, index } of line.matchAll(END)) {
    const next = index + gap.length;
    if (!isEnd(line, index, next, titles)) continue;
    sentences.push(line.slice(start, index));
    start = next;
  }
  sentences.push(line.slice(start));
  return sentences;
}

/** No end is before a small letter, nor behind the full stop of a title or an initial. */
function isEnd(line: string, end: number, next: number, titles: ReadonlySet<string>): boolean {
  if (/^\p{Lowercase}/u.test(line.slice(next, next + 2))) return false;
  if (line[end - 1] !== ".") return true;
  const word = line.slice(line.lastIndexOf(" ", end - 1) + 1, end - 1).replace(/^[("“'‘]+/, "");
  return !titles.has(word) && !/^\p{Uppercase}$/u.test(word);
}
