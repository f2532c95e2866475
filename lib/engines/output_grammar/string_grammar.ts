/**
 * Strings with a length, a pattern or a format.
 *
 * @module
 */
import { choice, type Expression, NEVER, repeat, sequence, text } from "./expression.ts";
import { anyString, spelled, stringCharacter } from "./json_grammar.ts";
import { parsePattern, type Pattern, PatternError, patternLength } from "./pattern.ts";

/** Longer strings are never made, which satisfies a larger limit too. */
const LONGEST = 32_768;

/** Maximum number of pieces of a pattern, with repetitions expanded. */
const MAX_PIECES = 20_000;

/** The rules of a schema for a string. */
interface StringRules {
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

const DAY = "(?:0[1-9]|[12][0-9]|3[01])";
const LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
const DATE = `(?:[0-9]{4}-(?:(?:0[13578]|1[02])-${DAY}|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|` +
  `2[0-8]))|${LEAP_YEAR}-02-29)`;
const CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";
const TIME = `${CLOCK}:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-]${CLOCK})`;
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const HOST = `${LABEL}(?:\\.${LABEL}){0,8}`;
const BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const COUNT = "[0-9]{1,9}";
const CLOCK_SPAN = `T(?:${COUNT}H(?:${COUNT}M(?:${COUNT}S)?)?|${COUNT}M(?:${COUNT}S)?|${COUNT}S)`;
const DAY_SPAN = `(?:${COUNT}Y(?:${COUNT}M(?:${COUNT}D)?)?|${COUNT}M(?:${COUNT}D)?|${COUNT}D)`;

/**
 * The formats of JSON Schema (draft 2020-12, validation, section 7.3) that constrained decoding supports. A pattern may
 * match less than its format, but never more.
 */
export const formats: Readonly<Record<string, string>> = {
  date: `^${DATE}$`,
  time: `^${TIME}$`,
  "date-time": `^${DATE}T${TIME}$`,
  duration: `^P(?:${DAY_SPAN}(?:${CLOCK_SPAN})?|${CLOCK_SPAN}|${COUNT}W)$`,
  email: `^[A-Za-z0-9_+-]{1,32}(?:\\.[A-Za-z0-9_+-]{1,24}){0,1}@${LABEL}(?:\\.${LABEL}){1,3}$`,
  hostname: `^${HOST}$`,
  ipv4: `^${BYTE}(?:\\.${BYTE}){3}$`,
  ipv6: "^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$",
  uri: `^https?://${HOST}(?::[1-9][0-9]{0,3})?(?:/[A-Za-z0-9._~-]{0,64}){0,16}(?:\\?[A-Za-z0-9._~=&-]{0,256})?$`,
  // With its version, as Pydantic names it.
  uuid4: "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
  uuid: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
};

/** Formats that are annotations only: every string has them. */
const FREE_FORMATS: ReadonlySet<string> = new Set([
  "binary",
  "directory-path",
  "file-path",
  "password",
  "path",
]);
