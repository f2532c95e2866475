/**
 * Rules for JSON values as data: the validator runs them, the JSON Schema export writes them down.
 *
 * @module
 */

/** The JSON type that a rule asks for; `value` takes any. */
export type RuleType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "value";

/** A regular expression and the same in words, as they follow "expected". */
export interface Pattern {
  readonly expression: RegExp;
  readonly words: string;
  /** What each part between dots has to match, where the expression repeats a group for each part. */
  readonly segment?: RegExp;
}

/** Whether a string matches. Long strings are matched part by part: a repeated group would overflow the engine's stack. */
export function matches({ expression, segment }: Pattern, text: string): boolean {
  if (segment === undefined || text.length < LONG) return expression.test(text);
  const parts = text.split(".");
  return parts.length > 1 && parts.every((part) => segment.test(part));
}

const LONG = 4096;

/** One member that an object may have. */
export interface Member {
  readonly rule: Rule;
  readonly required: boolean;
}

/** What a value has to be. Every rule has every field, so that all of them share one hidden class. */
export interface Rule {
  readonly type: RuleType;
  /** Shared rules have a name, which is their place in `$defs` of the JSON Schema; others an empty one. */
  readonly name: string;
  readonly nullable: boolean;
  /** The strings that are allowed. */
  readonly choices: ReadonlySet<string> | undefined;
  /** The one string that is allowed. */
  readonly constant: string | undefined;
  readonly pattern: Pattern | undefined;
  /** Whether a string has at least one character. */
  readonly filled: boolean;
  /** The least number; -Infinity when there is none. */
  readonly minimum: number;
  /** The greatest number; Infinity when there is none. */
  readonly maximum: number;
  /** What a number has to exceed; -Infinity when there is nothing. */
  readonly above: number;
  /** Rule of an array's items. */
  readonly items: Rule | undefined;
  readonly minItems: number;
  /** Whether the strings of an array differ. */
  readonly unique: boolean;
  readonly members: ReadonlyMap<string, Member>;
  /** Number of members that are required. */
  readonly required: number;
  /** Rule of the members that `members` does not name; there may be none of them when it is undefined. */
  readonly rest: Rule | undefined;
}

/** A rule with these fields, nothing else being asked for. */
export function rule(type: RuleType, fields: Partial<Rule> = {}): Rule {
  return { ...ANYTHING, ...fields, type };
}

const ANYTHING: Rule = {
  type: "value",
  name: "",
  nullable: false,
  choices: undefined,
  constant: undefined,
  pattern: undefined,
  filled: false,
  minimum: -Infinity,
  maximum: Infinity,
  above: -Infinity,
  items: undefined,
  minItems: 0,
  unique: false,
  members: new Map(),
  required: 0,
  rest: undefined,
};

/** Rules of members by their names. */
type Rules = Readonly<Record<string, Rule>>;

/** A rule for objects that have these members and no others. */
export function objectRule(name: string, required: Rules, optional: Rules = {}): Rule {
  const members = new Map<string, Member>();
  addMembers(members, required, true);
  addMembers(members, optional, false);
  return rule("object", { name, members, required: Object.keys(required).length });
}

/** Adds members to a map; a rule that contains itself gets its map before its members are known. */
export function addMembers(
  members: Map<string, Member>,
  rules: Rules,
  required: boolean,
): void {
  for (const [name, rule] of Object.entries(rules)) members.set(name, { rule, required });
}

/** Any JSON value. */
export const ANY_VALUE: Rule = anyValue();

function anyValue(): Rule {
  const any = rule("value", { name: "value" }) as { -readonly [K in keyof Rule]: Rule[K] };
  any.items = any;
  any.rest = any;
  return any;
}
