/**
 * JSON Schema of the arguments of a node.
 *
 * @module
 */
import { argumentsRule } from "./arguments_rules.ts";
import type { Node } from "../manifest.ts";
import { type JsonSchema, ruleSchema } from "./rule_schema.ts";

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
