/**
 * Compares which values two inputs or value schemas accept.
 *
 * @module
 */
import type { ReportChange } from "./version_bump.ts";
import type { Input, ValueSchema } from "../manifest.ts";
import { quote } from "../../json/json_text.ts";

/** Compares ranges, enums and all parts of value schemas. Deep schemas do not overflow the stack. */
export function diffAccepted(
  before: Input | ValueSchema,
  after: Input | ValueSchema,
  subject: string,
  report: ReportChange,
): void {
  const open: [before: Input | ValueSchema, after: Input | ValueSchema, subject: string][] = [[before, after, subject]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [before, after, subject] = next;
    if (before.type !== after.type) {
      const wider = after.type === "json" || before.type === "integer" && after.type === "number" ||
        before.type === "enum" && after.type === "string";
      report(wider ? "minor" : "major", `${subject} is of type ${after.type}, it was ${before.type}`);
      continue;
    }
    diffBound("minimum", before.minimum ?? -Infinity, after.minimum ?? -Infinity, subject, report);
    diffBound("maximum", -(before.maximum ?? Infinity), -(after.maximum ?? Infinity), subject, report);
    diffChoices(before.values, after.values, subject, report);
    if (isSchema(before) && isSchema(after)) open.push(...diffParts(before, after, subject, report).reverse());
  }
}

function diffBound(name: string, before: number, after: number, subject: string, report: ReportChange): void {
  if (after > before) report("major", `the ${name} of ${subject} is stricter`);
  if (after < before) report("minor", `the ${name} of ${subject} is looser`);
}

function diffChoices(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  subject: string,
  report: ReportChange,
): void {
  if (before === undefined && after === undefined) return;
  if (after === undefined) return report("minor", `${subject} takes any string now`);
  if (before === undefined) return report("major", `${subject} takes only ${after.map(quote).join(", ")} now`);
  const { won, lost } = difference(before, after);
  if (lost.length > 0) report("major", `${subject} no longer takes ${lost.map(quote).join(", ")}`);
  if (won.length > 0) report("minor", `${subject} takes ${won.map(quote).join(", ")} now`);
}

/** Reports added and removed members; returns the parts that both sides have. */
function diffParts(
  before: ValueSchema,
  after: ValueSchema,
  subject: string,
  report: ReportChange,
): [ValueSchema, ValueSchema, string][] {
  const common: [ValueSchema, ValueSchema, string][] = [];
  const compare = (a: ValueSchema | undefined, b: ValueSchema | undefined, part: string): void => {
    if (a && b) common.push([a, b, `${part} of ${subject}`]);
    else if (a || b) {
      report(b ? "major" : "minor", `${part} of ${subject} ${b ? "have a schema now" : "may be anything now"}`);
    }
  };
  const [required, wasRequired] = [new Set(after.required), new Set(before.required)];
  const [old, now] = [new Map(Object.entries(before.properties ?? {})), Object.entries(after.properties ?? {})];
  for (const [name, part] of now) {
    const earlier = old.get(name);
    old.delete(name);
    if (earlier) common.push([earlier, part, `member ${quote(name)} of ${subject}`]);
    else report(required.has(name) ? "major" : "minor", `member ${quote(name)} of ${subject} is new`);
  }
  for (const name of old.keys()) report("major", `member ${quote(name)} of ${subject} was removed`);
  for (const name of required) {
    if (!wasRequired.has(name) && Object.hasOwn(before.properties ?? {}, name)) {
      report("major", `member ${quote(name)} of ${subject} is required now`);
    }
  }
  for (const name of wasRequired) {
    if (!required.has(name)) report("minor", `member ${quote(name)} of ${subject} is optional now`);
  }
  compare(before.items, after.items, "the items");
  compare(before.additional_properties, after.additional_properties, "the other members");
  return common;
}

function isSchema(value: Input | ValueSchema): value is ValueSchema {
  return !("name" in value);
}

/** Items that only the later list has, and items that only the earlier one has, in order. */
export function difference(
  before: readonly string[],
  after: readonly string[],
): { readonly won: readonly string[]; readonly lost: readonly string[] } {
  const [old, now] = [new Set(before), new Set(after)];
  return { won: after.filter((item) => !old.has(item)), lost: before.filter((item) => !now.has(item)) };
}
