/**
 * Regular expressions of tokenizers that could run forever.
 *
 * @module
 */

/** Where a `tokenizer.json` can have expressions. */
const PARTS = ["normalizer", "pre_tokenizer", "decoder"] as const;

/** Most repetitions of a group with something of varying length, and most groups that can be read in two ways. */
const FEW = 8;

/** Characters of the longest expression; published ones have less than 2,000. */
const LONGEST = 16_384;

/** What alternatives are compared by: whether they can begin with the same of these. */
const SAMPLES: readonly string[] = [
  ...Array.from({ length: 0x250 - 9 }, (_, i) => String.fromCodePoint(9 + i)),
  ...["α", "Ω", "я", "Я", "א", "ب", "अ", "ก", "中", "か", "カ", "가", "…", "。", "，", "\u2028", "\u3000", "😀"],
];

/** The sample characters that an atom takes; undefined where that is not known. */
type Characters = Map<string, readonly string[] | undefined>;

/** An open group of an expression. */
interface Group {
  /** Whether it has something whose length varies. */
  repeats: boolean;
  /** Whether it has alternatives that can begin alike. */
  isAmbiguous: boolean;
  /** What each alternative begins with; undefined for one that is not a plain character or class. */
  firsts: (string | undefined)[];
  /** Whether the next atom begins an alternative. */
  atStart: boolean;
  /** Whether it looks ahead or behind: it says nothing about the character that comes next. */
  readonly looks: boolean;
}

/**
 * Looks for a repetition within a repetition, such as `(a+)+`, and for repeated alternatives that can begin alike, such as
 * `(a|ab)*`: JavaScript tries as many ways through a text as there are subsets of its letters. No published tokenizer has
 * one. Time that grows with a power of the text, as for `a*a*b`, is not looked for.
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
    else if (inner.length > LONGEST) {
      throw new Error(
        `an expression of its ${part} has ${inner.length} characters, expected at most ${LONGEST}`,
      );
    } else {
      const fault = repeatedFault(inner);
      if (fault === undefined) continue;
      throw new Error(
        `the expression ${JSON.stringify(inner.slice(0, 100))} of its ${part} repeats ${fault}, ` +
          `expected one that reads a text in one way`,
      );
    }
  }
}

/** What an expression repeats that can be read in several ways. */
function repeatedFault(pattern: string): string | undefined {
  const open: Group[] = [newGroup(false)];
  const known: Characters = new Map();
  const samples = [...new Set([...SAMPLES, ...pattern])];
  let ambiguous = 0;
  for (let at = 0; at < pattern.length;) {
    const letter = pattern[at];
    const group = open[open.length - 1];
    if (letter === "(") {
      const opening = /^\(\?(?:<?[=!]|[a-z-]*:|<\w+>)/i.exec(pattern.slice(at, at + 64))?.[0] ?? "(";
      open.push(newGroup(/^\(\?<?[=!]/.test(opening)));
      at += opening.length;
      continue;
    }
    if (letter === "|") {
      if (group.atStart) group.firsts.push(undefined); // it can be empty
      group.atStart = true;
      at++;
      continue;
    }
    const start = at;
    let closed: Group | undefined;
    if (letter === ")" && open.length > 1) {
      closed = open.pop()!;
      at++;
    } else at = atomEnd(pattern, at);
    const { most, varies, length } = readRepetition(pattern.slice(at, at + 16));
    const parent = open[open.length - 1];
    if (closed) {
      if (beginAlike(closed.firsts, known, samples)) {
        closed.isAmbiguous = true;
        ambiguous++;
      }
      if (most > FEW && closed.repeats) return "a repetition";
      if (closed.isAmbiguous && (most > 1 || ambiguous > FEW)) return "alternatives that can begin alike";
      parent.isAmbiguous ||= closed.isAmbiguous;
    }
    parent.repeats ||= varies || closed?.repeats === true;
    if (parent.atStart) {
      const isOptional = /^(?:[*?]|\{0?,)/.test(pattern.slice(at, at + 3));
      const firsts = closed ? closed.firsts : [pattern.slice(start, at)];
      parent.firsts.push(isOptional || closed?.looks || firsts.length !== 1 ? undefined : firsts[0]);
      parent.atStart = false;
    }
    at += length;
  }
  return undefined;
}

function newGroup(looks: boolean): Group {
  return { repeats: false, isAmbiguous: false, firsts: [], atStart: true, looks };
}

/** The repetition at the start of a text: the most times, and whether the number varies; `?` counts as one. */
function readRepetition(text: string): { readonly most: number; readonly varies: boolean; readonly length: number } {
  const found = /^(?:[*+?]|\{(\d*)(,?)(\d*)\})[?+]?/.exec(text);
  if (!found) return { most: 1, varies: false, length: 0 };
  const [{ length }, least = "", comma, last = ""] = found;
  if (text[0] === "?") return { most: 1, varies: false, length };
  if (text[0] !== "{") return { most: Infinity, varies: true, length };
  const most = comma ? (last === "" ? Infinity : Number(last)) : Number(least);
  return { most, varies: comma !== "" && Number(least) !== most, length };
}

/** Whether two alternatives can begin with the same character. */
function beginAlike(
  firsts: readonly (string | undefined)[],
  known: Characters,
  samples: readonly string[],
): boolean {
  if (firsts.length < 2) return false;
  const seen = new Set<string>();
  for (const first of firsts) {
    if (first !== undefined && !known.has(first)) known.set(first, charactersOf(first, samples));
    const begins = first === undefined ? undefined : known.get(first);
    if (begins === undefined || begins.some((character) => seen.has(character))) return true;
    for (const character of begins) seen.add(character);
  }
  return false;
}

/** The sample characters that an atom matches, in either case; undefined where it matches none or JavaScript cannot read it. */
function charactersOf(atom: string, samples: readonly string[]): readonly string[] | undefined {
  if (atom.length > 512) return undefined;
  try {
    const expression = new RegExp(`^(?:${atom})$`, "iu");
    const taken = samples.filter((character) => expression.test(character));
    return taken.length > 0 ? taken : undefined;
  } catch {
    return undefined;
  }
}

/** The end of a character, an escape or a class that begins at a place. */
function atomEnd(pattern: string, at: number): number {
  if (pattern[at] === "[") return classEnd(pattern, at);
  if (pattern[at] !== "\\") return at + (pattern.codePointAt(at)! > 0xffff ? 2 : 1);
  return at + (/^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[^])/.exec(pattern.slice(at, at + 64))?.[0]
    .length ?? 2);
}

/** The end of a class of characters that begins at a position. */
function classEnd(pattern: string, start: number): number {
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at + 1;
  }
  return pattern.length;
}
