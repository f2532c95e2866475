/**
 * Lint of the constraints of inputs and value schemas.
 *
 * @module
 */
import { inputRule, valueSchemaRule } from "../validate/arguments_rules.ts";
import { checkValue } from "../validate/check_value.ts";
import { FindingList } from "../validate/finding_list.ts";
import { pointerToken } from "../../json/json_pointer.ts";
import type { LintReport } from "./lint_report.ts";
import type { LintRuleId } from "./lint_rules.ts";
import type { Input, ValueSchema } from "../manifest.ts";
import type { Rule } from "../validate/rule.ts";
import { quote } from "../../json/json_text.ts";
import { describeValue } from "../words.ts";

/** Lint of a conforming input and of its value schema. */
export function lintInput(input: Input, pointer: string, report: LintReport): void {
  lintLimits(input, INPUT_FIELDS, pointer, report);
  lintDefault(input, () => inputRule(input), pointer, report);
  if (input.secret && input.type !== "string") {
    const message = `"secret" is given for an input of type ${quote(input.type)}, expected it for strings only`;
    report.add("secret_not_string", `${pointer}/secret`, message);
  }
  if (input.value_schema) lintValueSchema(input.value_schema, `${pointer}/value_schema`, report);
}

function lintValueSchema(root: ValueSchema, at: string, report: LintReport): void {
  const open: { readonly schema: ValueSchema; readonly pointer: string; readonly depth: number }[] = [
    { schema: root, pointer: at, depth: 1 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { schema, pointer, depth } = next;
    if (depth > DEEPEST) {
      const message = `the value schema has more than ${DEEPEST} levels, expected at most ${DEEPEST}`;
      report.add("deep_value_schema", pointer, message);
      continue;
    }
    lintLimits(schema, SCHEMA_FIELDS, pointer, report);
    lintDefault(schema, () => valueSchemaRule(schema), pointer, report);
    if (schema.type === "array" && schema.items === undefined) {
      report.add("array_without_items", pointer, `"items" is missing, expected the schema of the array's items`);
    }
    if (schema.title !== undefined && schema.title.trim() === "") {
      report.add(
        "blank_text",
        `${pointer}/title`,
        `the text is ${quote(schema.title)}, expected more than white space`,
      );
    }
    for (const [i, name] of (schema.required ?? []).entries()) {
      if (Object.hasOwn(schema.properties ?? {}, name)) continue;
      const message = `${quote(name)} is required but not a property, expected a property with that name`;
      report.add("undeclared_required", `${pointer}/required/${i}`, message);
    }
    const parts: [string, ValueSchema][] = Object.entries(schema.properties ?? {}).map(([name, part]) => [
      `/properties${pointerToken(name)}`,
      part,
    ]);
    if (schema.items) parts.push(["/items", schema.items]);
    if (schema.additional_properties) parts.push(["/additional_properties", schema.additional_properties]);
    for (const [path, schema] of parts.reverse()) open.push({ schema, pointer: pointer + path, depth: depth + 1 });
  }
}

type Limited = (Input | ValueSchema) & Partial<Input> & Partial<ValueSchema>;

/** Reports ranges, steps and values that contradict each other or the type. */
function lintLimits(of: Input | ValueSchema, fields: FieldTypes, pointer: string, report: LintReport): void {
  const limited = of as Limited;
  const { type, minimum, maximum, step, values } = limited;
  for (const [field, types] of Object.entries(fields)) {
    if (limited[field as keyof Limited] === undefined || types.includes(type)) continue;
    const message = `${quote(field)} is given for type ${quote(type)}, expected it for ${types.join(", ")} only`;
    report.add("unused_constraint", `${pointer}/${field}`, message);
  }
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    const message = `"minimum" is ${minimum}, expected at most the maximum, ${maximum}`;
    report.add("inverted_range", `${pointer}/minimum`, message, { otherPointer: `${pointer}/maximum` });
  }
  if (type === "enum" && values === undefined) {
    report.add("enum_without_values", pointer, `"values" is missing, expected the values of the enum`);
  }
  if (step === undefined || !NUMERIC.includes(type)) return;
  if (type === "integer" && !Number.isInteger(step)) {
    const message = `"step" is ${step} for integers, expected a whole number`;
    report.add("inconsistent_step", `${pointer}/step`, message);
  } else if (minimum !== undefined && maximum !== undefined && maximum >= minimum && step > maximum - minimum) {
    const message = `"step" is ${step}, expected at most ${maximum - minimum}, the size of the range`;
    report.add("inconsistent_step", `${pointer}/step`, message);
  }
}

/** Reports a default that would be refused as an argument, or that steps cannot reach. */
function lintDefault(of: Input | ValueSchema, rule: () => Rule, pointer: string, report: LintReport): void {
  const { default: value, type, minimum = 0, step } = of;
  // A null default counts as absent.
  if (value === undefined || value === null) return;
  const list = new FindingList();
  checkValue(value, rule(), "the default", list);
  for (const { pointer: path, rule: broken, message } of list.findings) {
    report.add(DEFAULT_RULES[broken] ?? "default_type", `${pointer}/default${path}`, message);
  }
  report.list.omitted += list.omitted;
  if (list.findings.length > 0 || step === undefined || typeof value !== "number" || !NUMERIC.includes(type)) return;
  const steps = (value - minimum) / step;
  if (Math.abs(steps - Math.round(steps)) <= 1e-9 * Math.max(1, Math.abs(steps))) return;
  const message = `the default is ${describeValue(value)}, expected ${minimum} and a number of steps of ${step}`;
  report.add("default_off_step", `${pointer}/default`, message);
}

const DEFAULT_RULES: Readonly<Record<string, LintRuleId>> = {
  enum: "default_not_in_values",
  minimum: "default_out_of_range",
  maximum: "default_out_of_range",
};

/** The types that a field applies to. */
type FieldTypes = Readonly<Record<string, readonly string[]>>;

const NUMERIC: readonly string[] = ["integer", "number"];
const ASSETS: readonly string[] = ["asset", "asset_directory", "asset_collection"];
const COMMON_FIELDS: FieldTypes = {
  minimum: NUMERIC,
  maximum: NUMERIC,
  step: NUMERIC,
  multiline: ["string"],
  values: ["enum", "string"],
};
const INPUT_FIELDS: FieldTypes = {
  ...COMMON_FIELDS,
  content_types: ASSETS,
  value_schema: ["json", "asset_collection"],
};
const SCHEMA_FIELDS: FieldTypes = {
  ...COMMON_FIELDS,
  properties: ["object"],
  required: ["object"],
  additional_properties: ["object"],
  items: ["array"],
};
const DEEPEST = 16;
