/**
 * Strings with a length, a pattern or a format.
 *
 * @module
 */
import { choice, type Expression, NEVER, repeat, sequence, text } from "./expression.ts";
import { formats, FREE_FORMATS } from "./schema/formats.ts";
import { anyString, spelled, stringCharacter } from "./json_text.ts";
import { parsePattern, type Pattern, PatternError, patternLength } from "./pattern.ts";

/** Longer strings are never made, which satisfies a larger limit too. */
const LONGEST = 32_768;

/** Maximum number of pieces of a pattern, with repetitions expanded. */
const MAX_PIECES = 20_000;

/** The rules of a schema for a string. */
export interface StringRules {
  readonly minLength: number;
  /** Infinity for any. */
  readonly maxLength: number;
  readonly pattern: string | undefined;
  readonly format: string | undefined;
}

/** A rule is unsupported. */
export class StringRuleError extends Error {
  override name = "StringRuleError";
  readonly keyword: "pattern" | "format" | "minLength";

  constructor(keyword: StringRuleError["keyword"], message: string) {
    super(message);
    this.keyword = keyword;
  }
}

/**
 * The strings that satisfy rules; a format beside a pattern is ignored, since the pattern is more exact.
 *
 * @throws {StringRuleError}
 */
export function stringGrammar(rules: StringRules): Expression {
  const { minLength, maxLength, pattern } = rules;
  const format = rules.format !== undefined && FREE_FORMATS.has(rules.format) ? undefined : rules.format;
  if (minLength > LONGEST) throw new StringRuleError("minLength", `expected at most ${LONGEST}`);
  if (minLength > maxLength) return NEVER;
  if (pattern === undefined && format === undefined) {
    if (minLength === 0 && maxLength === Infinity) return anyString;
    return quoted(repeat(stringCharacter, minLength, maxLength === Infinity ? Infinity : Math.min(maxLength, LONGEST)));
  }
  const source = pattern ?? formatPattern(format!);
  const keyword = pattern === undefined ? "format" : "pattern";
  const read = within(keyword, readPattern(keyword, source), minLength, maxLength);
  if (pieces(read) > MAX_PIECES) throw new StringRuleError(keyword, `it has more than ${MAX_PIECES} pieces`);
  return quoted(patternGrammar(read));
}

function formatPattern(format: string): string {
  if (Object.hasOwn(formats, format)) return formats[format];
  throw new StringRuleError("format", `expected one of ${Object.keys(formats).join(", ")}`);
}

function readPattern(keyword: "pattern" | "format", source: string): Pattern {
  try {
    return parsePattern(source);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new StringRuleError(keyword, `it has ${error.message}, expected a pattern without it`);
  }
}

/** The matches of a pattern with the required length, if the pattern is simple enough. */
function within(keyword: "pattern" | "format", pattern: Pattern, min: number, max: number): Pattern {
  const length = patternLength(pattern);
  if (length.min >= min && length.max <= max) return pattern;
  const only = alone(pattern);
  if (only.kind === "repeat" && only.part.kind === "character") {
    const [from, to] = [Math.max(only.min, min), Math.min(only.max, max, LONGEST)];
    return from <= to ? { ...only, min: from, max: to } : { kind: "choice", parts: [] };
  }
  throw new StringRuleError(
    keyword,
    "it matches lengths that minLength or maxLength excludes, include the limits in the pattern",
  );
}

function alone(pattern: Pattern): Pattern {
  return pattern.kind === "sequence" && pattern.parts.length === 1 ? alone(pattern.parts[0]) : pattern;
}

function pieces(pattern: Pattern): number {
  switch (pattern.kind) {
    case "character":
      return 1;
    case "repeat":
      return 1 + pieces(pattern.part) * Math.max(pattern.min, pattern.max === Infinity ? 1 : pattern.max);
    default:
      return pattern.parts.reduce((sum, part) => sum + pieces(part), 1);
  }
}

function patternGrammar(pattern: Pattern): Expression {
  switch (pattern.kind) {
    case "character":
      return isAny(pattern) ? stringCharacter : spelled(pattern.ranges);
    case "sequence":
      return sequence(...pattern.parts.map(patternGrammar));
    case "choice":
      return choice(...pattern.parts.map(patternGrammar));
    case "repeat":
      return repeat(patternGrammar(pattern.part), pattern.min, pattern.max);
  }
}

function isAny({ ranges }: Extract<Pattern, { kind: "character" }>): boolean {
  return ranges.some(([first, last]) => first === 0 && last === 0x10ffff);
}

function quoted(inside: Expression): Expression {
  return sequence(text('"'), inside, text('"'));
}
