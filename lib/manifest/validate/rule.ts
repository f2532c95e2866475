/**
 * Rules for JSON values as data: the validator evaluates them, the JSON Schema export writes them out.
 *
 * @module
 */

/** The JSON type that a rule requires; `value` accepts any. */
export type RuleType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "value";

/** A regular expression, and its description as it follows "expected". */
export interface Pattern {
  readonly expression: RegExp;
  readonly words: string;
  /** What each part between dots must match, where the expression repeats a group per part. */
  readonly segment?: RegExp;
}

/**
 * Whether a string matches. Long strings are matched part by part: a repeated group would overflow the engine's stack.
 */
export function matches({ expression, segment }: Pattern, text: string): boolean {
  if (segment === undefined || text.length < LONG) return expression.test(text);
  const parts = text.split(".");
  return parts.length > 1 && parts.every((part) => segment.test(part));
}

const LONG = 4096;

/** A member that an object may have. */
export interface Member {
  readonly rule: Rule;
  readonly required: boolean;
}

/** The requirements of a value. Every rule has every field, so that all share one hidden class. */
export interface Rule {
  readonly type: RuleType;
  /** Shared rules have a name, which is their key in `$defs` of the JSON Schema; it is empty for others. */
  readonly name: string;
  readonly nullable: boolean;
  /** The allowed strings. */
  readonly choices: ReadonlySet<string> | undefined;
  /** The only allowed string. */
  readonly constant: string | undefined;
  readonly pattern: Pattern | undefined;
  /** Whether a string must not be empty. */
  readonly filled: boolean;
  /** The minimum; -Infinity for none. */
  readonly minimum: number;
  /** The maximum; Infinity for none. */
  readonly maximum: number;
  /** The exclusive minimum; -Infinity for none. */
  readonly above: number;
  /** Rule of an array's items. */
  readonly items: Rule | undefined;
  readonly minItems: number;
  /** Whether the strings of an array must be unique. */
  readonly unique: boolean;
  readonly members: ReadonlyMap<string, Member>;
  /** Number of required members. */
  readonly required: number;
  /** Rule of undeclared members; undefined when there may be none. */
  readonly rest: Rule | undefined;
}

/** A rule with these fields and no further requirements. */
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

/** Rules of members by name. */
type Rules = Readonly<Record<string, Rule>>;

/** A rule for objects with these members and no others. */
export function objectRule(name: string, required: Rules, optional: Rules = {}): Rule {
  const members = new Map<string, Member>();
  addMembers(members, required, true);
  addMembers(members, optional, false);
  return rule("object", { name, members, required: Object.keys(required).length });
}

/** Adds members to a map; a recursive rule gets its map before its members are known. */
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
