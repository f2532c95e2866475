/**
 * Regular expressions of tokenizers that could run for ever.
 *
 * @module
 */

/** Where a `tokenizer.json` can have expressions. */
const PARTS = ["normalizer", "pre_tokenizer", "decoder"] as const;

/**
 * Looks for a repetition within a repetition, neither with an end, such as `(a+)+`: JavaScript tries as many ways
 * through a text as there are subsets of its letters. No published tokenizer has one.
 *
 * @throws {Error} naming the expression.
 */
export function checkExpressions(json: object): void {
  for (const part of PARTS) checkValue(part, (json as Record<string, unknown>)[part]);
}

function checkValue(part: string, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key !== "Regex" || typeof inner !== "string") checkValue(part, inner);
    else if (nestsRepetitions(inner)) {
      throw new Error(
        `the expression ${JSON.stringify(inner.slice(0, 100))} of its ${part} repeats a repetition, ` +
          `expected one that reads a text in one way`,
      );
    }
  }
}

/** Whether a group that is repeated without an end has something in it that is. */
function nestsRepetitions(pattern: string): boolean {
  /** Of each open group: whether something in it repeats without an end. */
  const open = [false];
  for (let at = 0; at < pattern.length;) {
    const letter = pattern[at];
    let inner = false;
    if (letter === "(") {
      open.push(false);
      at++;
      continue;
    }
    if (letter === "\\") at += 2;
    else if (letter === "[") at = classEnd(pattern, at);
    else {
      if (letter === ")" && open.length > 1) inner = open.pop()!;
      at++;
    }
    const repeated = /^(?:[*+]|\{\d+,\})/.exec(pattern.slice(at, at + 12)) !== null;
    if (inner && repeated) return true;
    if (inner || repeated) open[open.length - 1] = true;
  }
  return false;
}

/** Behind a class of characters that begins at a place. */
function classEnd(pattern: string, start: number): number {
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at + 1;
  }
  return pattern.length;
}
