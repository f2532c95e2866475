/**
 * Compares the ports of two nodes.
 *
 * @module
 */
import { isSameJson } from "../../json/canonical_json.ts";
import type { ReportChange } from "./version_bump.ts";
import { diffAccepted, difference } from "./diff_values.ts";
import type { Input, Output } from "../manifest.ts";
import { quote } from "../../json/json_text.ts";

/** Compares inputs: previously accepted values must still be accepted. */
export function diffInputs(before: readonly Input[], after: readonly Input[], report: ReportChange): void {
  const old = byName(before);
  for (const [name, input] of byName(after)) {
    const earlier = old.get(name);
    old.delete(name);
    const subject = `input ${quote(name)}`;
    if (earlier === undefined) {
      report(input.required ? "major" : "minor", `${subject} is new${input.required ? " and required" : ""}`);
    } else diffInput(earlier, input, subject, report);
  }
  for (const name of old.keys()) report("major", `input ${quote(name)} was removed`);
}

function diffInput(before: Input, after: Input, subject: string, report: ReportChange): void {
  if (before.required !== after.required) {
    report(after.required ? "major" : "minor", `${subject} is ${after.required ? "required now" : "optional now"}`);
  }
  if (before.type !== after.type) {
    const wider = before.type === "integer" && after.type === "number" ||
      before.type === "enum" && after.type === "string";
    report(wider ? "minor" : "major", `${subject} is of type ${after.type}, it was ${before.type}`);
  } else diffAccepted(before, after, subject, report);
  if (before.secret !== after.secret && (before.secret || after.secret)) {
    report(after.secret ? "major" : "minor", `${subject} is ${after.secret ? "a secret now" : "no longer a secret"}`);
  }
  if (!sameValue(before.default, after.default)) report("minor", `the default of ${subject} has changed`);
  diffTypes(before.content_types, after.content_types, `${subject} takes`, "major", "minor", report);
  if (before.value_schema && after.value_schema) {
    diffAccepted(before.value_schema, after.value_schema, `the value of ${subject}`, report);
  } else if (before.value_schema || after.value_schema) {
    report(
      after.value_schema ? "major" : "minor",
      `${subject} has ${after.value_schema ? "a" : "no"} value schema now`,
    );
  }
  for (const field of ["description", "multiline", "advanced", "step"] as const) {
    if (before[field] !== after[field]) report("patch", `the ${field} of ${subject} has changed`);
  }
}

/** Compares outputs: results must still be given, and be acceptable to consumers. */
export function diffOutputs(before: readonly Output[], after: readonly Output[], report: ReportChange): void {
  const old = byName(before);
  for (const [name, output] of byName(after)) {
    const earlier = old.get(name);
    old.delete(name);
    const subject = `output ${quote(name)}`;
    if (earlier === undefined) {
      report("minor", `${subject} is new`);
      continue;
    }
    if (earlier.optional !== output.optional) {
      report(
        output.optional ? "major" : "minor",
        `${subject} is ${output.optional ? "optional now" : "always given now"}`,
      );
    }
    if (earlier.type !== output.type) {
      // An integer is valid where a number was expected.
      const narrower = earlier.type === "number" && output.type === "integer";
      report(narrower ? "minor" : "major", `${subject} is of type ${output.type}, it was ${earlier.type}`);
    }
    diffTypes(earlier.content_types, output.content_types, `${subject} gives`, "minor", "major", report);
    if (earlier.description !== output.description) report("patch", `the description of ${subject} has changed`);
  }
  for (const name of old.keys()) report("major", `output ${quote(name)} was removed`);
}

/** Compares content types; undefined means any. */
function diffTypes(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  subject: string,
  fewer: "major" | "minor",
  more: "major" | "minor",
  report: ReportChange,
): void {
  if (before === undefined && after === undefined) return;
  if (after === undefined) return report(more, `${subject} any content type now`);
  if (before === undefined) return report(fewer, `${subject} only ${after.join(", ")} now`);
  const { won, lost } = difference(before, after);
  if (lost.length > 0) report(fewer, `${subject} ${lost.join(", ")} no longer`);
  if (won.length > 0) report(more, `${subject} ${won.join(", ")} now`);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  return isSameJson(a, b);
}

function byName<P extends Input | Output>(ports: readonly P[]): Map<string, P> {
  return new Map(ports.map((port) => [port.name, port]));
}
