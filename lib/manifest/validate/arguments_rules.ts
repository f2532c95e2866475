/**
 * The arguments of a node: their rules, their validation and their JSON Schema.
 *
 * @module
 */
import type { Input, Node, ValueSchema } from "../manifest.ts";
import { ANY_VALUE, type Member, type Rule, rule } from "./rule.ts";
import { type JsonSchema, ruleSchema } from "./rule_schema.ts";
import { checkValue } from "./check_value.ts";
import type { FindingOptions, Validation } from "./finding.ts";
import { FindingList } from "./finding_list.ts";

/** Rule of a node's arguments: an object with a member for each input and no others. */
function argumentsRule(node: Pick<Node, "inputs">): Rule {
  const members = new Map<string, Member>();
  for (const input of node.inputs) members.set(input.name, { rule: inputRule(input), required: input.required });
  return rule("object", { members, required: countRequired(members) });
}

/**
 * Rule of one input's values. The contract does not define the values of assets: here an asset or a directory is a
 * string, a collection an array of strings. Steps are not enforced, since they are for editors.
 */
export function inputRule(input: Input): Rule {
  // What defaults to null may be given as null.
  const nullable = input.default === null;
  switch (input.type) {
    case "json":
      return input.value_schema === undefined ? ANY_VALUE : { ...valueSchemaRule(input.value_schema), nullable };
    case "asset":
    case "asset_directory":
      return rule("string", { filled: true, nullable });
    case "asset_collection":
      return rule("array", { items: rule("string", { filled: true }), nullable });
    default:
      return rule(scalarType(input.type), { ...limits(input), nullable });
  }
}

/** Rule of a structured value. Undeclared members are unrestricted unless the schema describes them. */
export function valueSchemaRule(schema: ValueSchema): Rule {
  // Deep schemas do not overflow the stack: parts get their rules from a list.
  const root: Part = { schema, put: () => {} };
  const open: Part[] = [root];
  let result: Rule = ANY_VALUE;
  root.put = (made) => result = made;
  for (let part = open.pop(); part; part = open.pop()) part.put(shellOf(part.schema, open));
  return result;
}

interface Part {
  readonly schema: ValueSchema;
  put: (rule: Rule) => void;
}

/** The rule of a schema; those of its parts are filled in later. */
function shellOf(schema: ValueSchema, open: Part[]): Rule {
  switch (schema.type) {
    case "json":
      return ANY_VALUE;
    case "array": {
      const made: Writable = rule("array", { items: ANY_VALUE });
      if (schema.items) open.push({ schema: schema.items, put: (items) => made.items = items });
      return made;
    }
    case "object": {
      const members = new Map<string, Member>();
      for (const name of schema.required ?? []) members.set(name, { rule: ANY_VALUE, required: true });
      for (const [name, part] of Object.entries(schema.properties ?? {})) {
        const required = members.has(name);
        members.set(name, { rule: ANY_VALUE, required });
        open.push({ schema: part, put: (rule) => members.set(name, { rule, required }) });
      }
      const made: Writable = rule("object", { members, required: countRequired(members), rest: ANY_VALUE });
      const rest = schema.additional_properties;
      if (rest) open.push({ schema: rest, put: (rule) => made.rest = rule });
      return made;
    }
    default:
      return rule(scalarType(schema.type), limits(schema));
  }
}

type Writable = { -readonly [K in keyof Rule]: Rule[K] };

function scalarType(
  type: "string" | "integer" | "number" | "boolean" | "enum",
): "string" | "integer" | "number" | "boolean" {
  return type === "enum" ? "string" : type;
}

function limits(
  { type, values, minimum, maximum }: Pick<Input, "values" | "minimum" | "maximum"> & { type: string },
): Partial<Rule> {
  if (type === "enum" || type === "string") return values === undefined ? {} : { choices: new Set(values) };
  if (type === "boolean") return {};
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}

function countRequired(members: ReadonlyMap<string, Member>): number {
  let required = 0;
  for (const member of members.values()) if (member.required) required++;
  return required;
}

/**
 * The JSON Schema (draft 2020-12) of a node's arguments, such as a form or a language model's tool call needs it. It
 * accepts what {@linkcode validateArguments} accepts, and carries titles, descriptions and defaults.
 *
 * @example
 * ```ts
 * import { argumentsSchema } from "@svc/sdk/manifest";
 *
 * const schema = argumentsSchema({
 *   kind: "image.crop",
 *   title: "Crop",
 *   description: "Cuts a picture.",
 *   inputs: [{ name: "width", type: "integer", required: true, minimum: 1 }],
 * });
 * console.assert(schema.required?.includes("width"));
 * console.assert(schema.properties?.width.minimum === 1);
 * ```
 */
export function argumentsSchema(node: Pick<Node, "kind" | "title" | "description" | "inputs">): JsonSchema {
  const { $schema, ...schema } = ruleSchema(argumentsRule(node));
  for (const input of node.inputs) {
    const property = schema.properties?.[input.name] as JsonSchema;
    if (input.description !== undefined) property.description = input.description;
    if (input.default !== undefined) property.default = input.default;
  }
  return { $schema: $schema as string, title: node.title, description: node.description, ...schema };
}

/**
 * Checks values, by the names of inputs, against what a node declares: required and unknown arguments, types, ranges,
 * values of enums, value schemas. Pointers start at the values. Besides the rules of manifests there is `maximum`.
 *
 * @throws {RangeError} if `maxFindings` is not a count
 * @example
 * ```ts
 * import { validateArguments } from "@svc/sdk/manifest";
 *
 * const node = { inputs: [{ name: "width", type: "integer", required: true, minimum: 1 }] } as const;
 * const { findings } = validateArguments(node, { widht: 3 });
 * console.assert(findings[0].meant === "width");
 * ```
 */
export function validateArguments(
  node: Pick<Node, "inputs">,
  values: unknown,
  options: FindingOptions = {},
): Validation {
  const list = new FindingList(options);
  checkValue(values, argumentsRule(node), "the arguments", list);
  const { findings, omitted } = list;
  return { valid: findings.length === 0 && omitted === 0, findings, omitted };
}
