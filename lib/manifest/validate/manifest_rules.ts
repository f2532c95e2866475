/**
 * The rules of the provider manifest, version 1, as a table: one entry per field of the contract.
 *
 * @module
 */
import { addMembers, ANY_VALUE, type Member, objectRule, type Rule, rule } from "./rule.ts";

/** The contract that a manifest names. */
export const CONTRACT_VERSION = "svc/plugin-graph-provider.v1";

/** Types of ports. */
export const PORT_TYPES = [
  "string",
  "integer",
  "number",
  "boolean",
  "enum",
  "json",
  "asset",
  "asset_directory",
  "asset_collection",
] as const;

/** Types of value schemas. */
export const VALUE_SCHEMA_TYPES = [
  "object",
  "array",
  "string",
  "integer",
  "number",
  "boolean",
  "enum",
  "json",
] as const;

/** Accelerators that a node can use. */
export const ACCELERATOR_BACKENDS = ["metal", "cuda", "rocm", "cpu"] as const;

/** Scopes of a node's side effects. */
export const SIDE_EFFECTS = ["none", "local", "external"] as const;

const string = rule("string");
const text = rule("string", { filled: true });
const boolean = rule("boolean");
const number = rule("number");
const step = rule("number", { above: 0 });
const id = rule("string", {
  name: "id",
  pattern: {
    expression: /^[a-z][a-z0-9_]{0,63}$/,
    words: "a lower-case letter, then at most 63 lower-case letters, digits and underscores",
  },
});
const values = rule("array", { items: string, minItems: 1, unique: true });
const contentTypes = rule("array", { items: text, minItems: 1, unique: true });
const portType = rule("string", { name: "port_type", choices: new Set(PORT_TYPES) });

function valueSchema(): Rule {
  const members = new Map<string, Member>();
  const self = rule("object", { name: "value_schema", members, required: 1 });
  addMembers(members, { type: rule("string", { choices: new Set(VALUE_SCHEMA_TYPES) }) }, true);
  addMembers(members, {
    title: string,
    description: string,
    default: ANY_VALUE,
    values,
    properties: rule("object", { rest: self }),
    required: rule("array", { items: id, unique: true }),
    items: self,
    additional_properties: self,
    minimum: number,
    maximum: number,
    step,
    multiline: boolean,
  }, false);
  return self;
}

/** Rule of a value schema. */
export const VALUE_SCHEMA_RULE: Rule = valueSchema();

/** Rule of an input port. */
export const INPUT_RULE: Rule = objectRule("input", { name: id, type: portType, required: boolean }, {
  description: string,
  default: ANY_VALUE,
  values,
  content_types: contentTypes,
  minimum: number,
  maximum: number,
  step,
  multiline: boolean,
  secret: boolean,
  advanced: boolean,
  value_schema: VALUE_SCHEMA_RULE,
});

const output = objectRule("output", { name: id, type: portType, optional: boolean }, {
  description: string,
  content_types: contentTypes,
});

const bytes = rule("integer", { nullable: true, minimum: 0 });
const requirements = objectRule("requirements", {
  model_ids: rule("array", { items: text, unique: true }),
  accelerator_backends: rule("array", {
    items: rule("string", { choices: new Set(ACCELERATOR_BACKENDS) }),
    unique: true,
  }),
}, {
  minimum_accelerator_memory_bytes: bytes,
  minimum_system_memory_bytes: bytes,
  minimum_disk_bytes: bytes,
  minimum_cpu_cores: rule("integer", { nullable: true, minimum: 1 }),
  network_access: rule("boolean", { nullable: true }),
});

const traits = objectRule("traits", {
  deterministic: boolean,
  cacheable: boolean,
  side_effects: rule("string", { choices: new Set(SIDE_EFFECTS) }),
  supports_progress: boolean,
  supports_previews: boolean,
});

const presentation = objectRule("presentation", { style: rule("string", { constant: "material" }) }, {
  primary_argument: id,
});

const nodeKind = rule("string", {
  name: "node_kind",
  pattern: {
    expression: /^[a-z][a-z0-9-]{0,63}(\.[a-z][a-z0-9-]{0,63})+$/,
    segment: /^[a-z][a-z0-9-]{0,63}$/,
    words: "two or more segments separated by dots, each a lower-case letter, " +
      "then at most 63 lower-case letters, digits and hyphens",
  },
});

/** Rule of a node. */
export const NODE_RULE: Rule = objectRule("node", {
  kind: nodeKind,
  title: text,
  description: text,
  category: text,
  inputs: rule("array", { items: INPUT_RULE }),
  outputs: rule("array", { items: output, minItems: 1 }),
  requirements,
  traits,
}, { presentation });

/** Rule of a whole manifest. */
export const MANIFEST_RULE: Rule = objectRule("", {
  contract_version: rule("string", { constant: CONTRACT_VERSION }),
  provider_id: rule("string", {
    pattern: {
      expression: /^svc-[a-z0-9-]+$/,
      words: '"svc-", then one or more lower-case letters, digits and hyphens',
    },
  }),
  provider_version: rule("string", {
    pattern: {
      expression: /^[0-9]+\.[0-9]+\.[0-9]+([.-][A-Za-z0-9.-]+)?$/,
      words: "three numbers separated by dots, such as 1.2.0, optionally followed by a suffix after a dot or a hyphen",
    },
  }),
  nodes: rule("array", { items: NODE_RULE, minItems: 1 }),
});
