/**
 * Writes rules as JSON Schema.
 *
 * @module
 */
import type { JsonValue } from "../manifest.ts";
import type { Rule } from "./rule.ts";

/** A JSON Schema of draft 2020-12, limited to the keywords used here. */
export interface JsonSchema {
  /** Dialect of the schema. */
  $schema?: string;
  /** URI of the schema. */
  $id?: string;
  /** Reference to a definition. */
  $ref?: string;
  /** Definitions. */
  $defs?: Record<string, JsonSchema>;
  /** Short name for people. */
  title?: string;
  /** Describes it for people. */
  description?: string;
  /** JSON types. */
  type?: string | readonly string[];
  /** The only value. */
  const?: string;
  /** All values. */
  enum?: readonly (string | null)[];
  /** Regular expression that strings match. */
  pattern?: string;
  /** Smallest number of characters. */
  minLength?: number;
  /** Smallest value. */
  minimum?: number;
  /** Largest value. */
  maximum?: number;
  /** Lower bound that is not allowed itself. */
  exclusiveMinimum?: number;
  /** Schema of the items. */
  items?: JsonSchema;
  /** Smallest number of items. */
  minItems?: number;
  /** Whether items differ. */
  uniqueItems?: boolean;
  /** Schemas of the members. */
  properties?: Record<string, JsonSchema>;
  /** Names of the members that must be there. */
  required?: readonly string[];
  /** Schema of other members, or whether there may be none. */
  additionalProperties?: JsonSchema | false;
  /** Schemas of which one must match. */
  anyOf?: readonly JsonSchema[];
  /** Value where none is given. */
  default?: JsonValue;
}

/** The dialect of the schemas. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * A schema that accepts what the rule accepts. Named rules go to `$defs`. Deep rules do not overflow the stack.
 *
 * @param describe Adds a description to the schema of a rule.
 */
export function ruleSchema(rule: Rule, describe: (rule: Rule, schema: JsonSchema) => void = () => {}): JsonSchema {
  const defs: Record<string, JsonSchema> = {};
  const open: (readonly [Rule, JsonSchema])[] = [];
  const refer = (part: Rule): JsonSchema => {
    if (part.name === "") return write(part);
    if (!Object.hasOwn(defs, part.name)) {
      defs[part.name] = {};
      open.push([part, defs[part.name]]);
    }
    return { $ref: `#/$defs/${part.name}` };
  };
  const write = (part: Rule): JsonSchema => {
    const schema: JsonSchema = {};
    open.push([part, schema]);
    return schema;
  };
  const schema = { $schema: DIALECT };
  open.push([rule, schema]);
  // The list grows while it is processed.
  for (const [part, schema] of open) {
    writeKeywords(part, schema, refer);
    describe(part, schema);
  }
  return Object.keys(defs).length === 0 ? schema : { ...schema, $defs: defs };
}

function writeKeywords(rule: Rule, schema: JsonSchema, refer: (rule: Rule) => JsonSchema): void {
  const { type } = rule;
  if (type === "value") {
    const types: readonly string[] = ["null", "string", "number", "boolean"];
    schema.anyOf = [
      ...types.map((type) => ({ type })),
      { type: "array", items: refer(rule) },
      { type: "object", additionalProperties: refer(rule) },
    ];
    return;
  }
  schema.type = rule.nullable ? [type, "null"] : type;
  if (rule.constant !== undefined) schema.const = rule.constant;
  if (rule.choices !== undefined) schema.enum = [...rule.choices, ...(rule.nullable ? [null] : [])];
  if (rule.pattern !== undefined) schema.pattern = rule.pattern.expression.source;
  if (rule.filled) schema.minLength = 1;
  if (rule.minimum !== -Infinity) schema.minimum = rule.minimum;
  if (rule.maximum !== Infinity) schema.maximum = rule.maximum;
  if (rule.above !== -Infinity) schema.exclusiveMinimum = rule.above;
  if (rule.items !== undefined) schema.items = refer(rule.items);
  if (rule.minItems > 0) schema.minItems = rule.minItems;
  if (rule.unique) schema.uniqueItems = true;
  if (type !== "object") return;
  const members = [...rule.members];
  if (members.length > 0) schema.properties = Object.fromEntries(members.map(([name, m]) => [name, refer(m.rule)]));
  const required = members.filter(([, member]) => member.required).map(([name]) => name);
  if (required.length > 0) schema.required = required;
  schema.additionalProperties = rule.rest === undefined ? false : refer(rule.rest);
}
