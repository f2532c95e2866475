/**
 * JSON Schema of the contract.
 *
 * @module
 */
import { MANIFEST_RULE } from "./manifest_rules.ts";
import type { Rule } from "./rule.ts";
import { type JsonSchema, ruleSchema } from "./rule_schema.ts";

/**
 * The JSON Schema (draft 2020-12) of provider manifests. It accepts exactly what {@linkcode validateManifest} accepts,
 * as both come from the same table of rules. Editors take it by file name, since a manifest must not name it.
 *
 * @example
 * ```ts
 * import { manifestSchema } from "@svc/sdk/manifest";
 *
 * console.assert(manifestSchema().required?.includes("nodes"));
 * ```
 */
export function manifestSchema(): JsonSchema {
  const { $schema, ...schema } = ruleSchema(MANIFEST_RULE, describe);
  return { $schema: $schema as string, title: "svc provider manifest, version 1", ...schema };
}

/** Descriptions of patterns, and of fields whose names are not self-explanatory. */
function describe(rule: Rule, schema: JsonSchema): void {
  if (rule.pattern) schema.description = `${rule.pattern.words[0].toUpperCase()}${rule.pattern.words.slice(1)}`;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const meaning = Object.hasOwn(MEANINGS, name) ? MEANINGS[name] : undefined;
    if (meaning !== undefined && rule.members.get(name)?.rule.pattern === undefined) member.description = meaning;
  }
}

const MEANINGS: Readonly<Record<string, string>> = {
  contract_version: "The contract that the manifest follows",
  nodes: "The kinds of graph nodes that the provider has",
  inputs: "Input ports; their names should differ",
  outputs: "Output ports; their names should differ",
  category: "Category of the node in a palette",
  required: "Whether, or which, values are required",
  optional: "Whether the output may be absent",
  values: "The values of an enum",
  content_types: "Content types of assets; any when absent",
  default: "The value used when none is given",
  minimum: "The minimum value",
  maximum: "The maximum value",
  step: "The step between values in an editor",
  multiline: "Whether the text may have several lines",
  secret: "Whether the value must not be shown or stored",
  advanced: "Whether an editor hides the input at first",
  value_schema: "The shape of a structured value",
  properties: "Members of an object",
  items: "Items of an array",
  additional_properties: "Members of an object that are not in properties",
  model_ids: "Models that the node needs",
  accelerator_backends: "Accelerators that the node can use; any when empty",
  deterministic: "Whether equal arguments give equal results",
  cacheable: "Whether results may be cached and reused",
  side_effects: "What the node changes besides its outputs",
  primary_argument: "Name of the input that represents the node",
};
