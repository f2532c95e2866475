/**
 * Lint of node declarations.
 *
 * @module
 */
import { closestWord } from "../../errors/closest_word.ts";
import { checkValue } from "../validate/check_value.ts";
import { FindingList } from "../validate/finding_list.ts";
import { lintInput } from "./lint_values.ts";
import type { LintReport } from "./lint_report.ts";
import type { Input } from "../manifest.ts";
import { INPUT_RULE } from "../validate/manifest_rules.ts";
import { isObject, quote } from "../../json/json_text.ts";

/** Lint of a manifest's version and nodes. Values of the wrong type are skipped: the validator reports them. */
export function lintNodes(manifest: unknown, report: LintReport): void {
  const { provider_version: version, nodes } = fieldsOf(manifest);
  if (typeof version === "string" && !SEMANTIC_VERSION.test(version)) {
    const message = `"provider_version" is ${quote(version)}, expected a version such as 1.2.0 or 1.2.0-beta.1`;
    report.add("odd_version", "/provider_version", message, { actual: quote(version) });
  }
  const list = itemsOf(nodes);
  for (const [i, node] of list.entries()) lintNode(fieldsOf(node), `/nodes/${i}`, report);
  lintUnique(list, "kind", "duplicate_kind", "/nodes", report);
}

/** Semantic Versioning 2.0.0, without build metadata, which the contract does not allow. */
const SEMANTIC_VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*)?$/;

function lintNode(node: Fields, pointer: string, report: LintReport): void {
  for (const name of ["title", "description", "category"]) lintText(node[name], `${pointer}/${name}`, report);
  const [inputs, outputs] = [itemsOf(node["inputs"]), itemsOf(node["outputs"])];
  lintUnique(inputs, "name", "duplicate_port", `${pointer}/inputs`, report);
  lintUnique(outputs, "name", "duplicate_port", `${pointer}/outputs`, report);
  for (const [i, input] of inputs.entries()) {
    if (conforms(input)) lintInput(input, `${pointer}/inputs/${i}`, report);
  }
  for (const [i, output] of outputs.entries()) lintOutput(fieldsOf(output), `${pointer}/outputs/${i}`, report);
  lintPrimaryArgument(fieldsOf(node["presentation"])["primary_argument"], inputs, pointer, report);
  for (const [name, value] of Object.entries(fieldsOf(node["requirements"]))) {
    if (value !== 0 || !/^minimum_\w+_bytes$/.test(name)) continue;
    report.add(
      "zero_minimum",
      `${pointer}/requirements/${name}`,
      `${quote(name)} is 0, expected more, null or nothing`,
    );
  }
}

function lintOutput(output: Fields, pointer: string, report: LintReport): void {
  const { type, content_types: contentTypes } = output;
  if (contentTypes === undefined || typeof type !== "string" || type.startsWith("asset")) return;
  const message = `"content_types" is given for an output of type ${quote(type)}, expected it for assets only`;
  report.add("unused_constraint", `${pointer}/content_types`, message);
}

function lintPrimaryArgument(argument: unknown, inputs: readonly unknown[], pointer: string, report: LintReport): void {
  if (typeof argument !== "string") return;
  const names = inputs.map((input) => fieldsOf(input)["name"]).filter((name) => typeof name === "string");
  if (names.includes(argument)) return;
  const meant = closestWord(argument, names);
  const remedy = meant === undefined ? "expected the name of an input" : `did you mean ${quote(meant)}?`;
  const message = `"primary_argument" is ${quote(argument)}, which is not an input of this node, ${remedy}`;
  const at = `${pointer}/presentation/primary_argument`;
  report.add("unknown_primary_argument", at, message, meant === undefined ? {} : { meant });
}

/** Reports every item whose `field` repeats that of an earlier item. */
function lintUnique(
  list: readonly unknown[],
  field: string,
  rule: "duplicate_kind" | "duplicate_port",
  pointer: string,
  report: LintReport,
): void {
  const first = new Map<string, number>();
  for (const [i, item] of list.entries()) {
    const value = fieldsOf(item)[field];
    if (typeof value !== "string") continue;
    const earlier = first.get(value);
    if (earlier === undefined) {
      first.set(value, i);
      continue;
    }
    const message = `${quote(field)} is ${quote(value)}, the same as in item ${earlier}, expected a different one`;
    report.add(rule, `${pointer}/${i}/${field}`, message, { otherPointer: `${pointer}/${earlier}/${field}` });
  }
}

/** Reports a text that is present but blank. */
function lintText(text: unknown, pointer: string, report: LintReport): void {
  if (typeof text !== "string" || text === "" || text.trim() !== "") return;
  report.add("blank_text", pointer, `the text is ${quote(text)}, expected more than white space`);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value as Fields : {};
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function conforms(input: unknown): input is Input {
  const list = new FindingList({ maxFindings: 0 });
  checkValue(input, INPUT_RULE, "the input", list);
  return list.omitted === 0;
}
