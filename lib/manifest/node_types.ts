/**
 * TypeScript types of the arguments and results of nodes.
 *
 * @module
 */
import type { Input, Manifest, Node, Output, ValueSchema } from "./manifest.ts";

/**
 * The source of a TypeScript module with the types of every node's arguments and results, and the interfaces
 * `NodeArguments` and `NodeResults` that have them by kind. Optional arguments and outputs are optional members.
 *
 * @example
 * ```ts
 * import { nodeTypes, parseManifest } from "@svc/sdk/manifest";
 *
 * const write = async (from: string, to: string) =>
 *   await Deno.writeTextFile(to, nodeTypes(parseManifest(await Deno.readFile(from))));
 * ```
 */
export function nodeTypes(manifest: Pick<Manifest, "provider_id" | "provider_version" | "nodes">): string {
  const kinds = new Map<string, Node>();
  for (const node of manifest.nodes) if (!kinds.has(node.kind)) kinds.set(node.kind, node);
  const names = typeNames([...kinds.keys()]);
  const entries = [...kinds.values()].map((node) => ({ node, name: names.get(node.kind) as string }));
  const index = (suffix: string) =>
    entries.map(({ node, name }) => `  readonly ${JSON.stringify(node.kind)}: ${name}${suffix};\n`).join("");
  return `${
    comment("", [`Arguments and results of the nodes of ${manifest.provider_id} ${manifest.provider_version}.`])
  }
/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A file or directory, by its path. */
export type Asset = string;

${entries.map(({ node, name }) => nodeInterfaces(node, name)).join("\n")}
/** The arguments of every kind of node. */
export interface NodeArguments {
${index("Arguments")}}

/** The results of every kind of node. */
export interface NodeResults {
${index("Results")}}
`;
}

function nodeInterfaces(node: Node, name: string): string {
  const inputs = uniqueByName(node.inputs).map((input) =>
    comment("  ", [input.description ?? "", ...notes(input)]) +
    `  readonly ${input.name}${input.required ? "" : "?"}: ${inputType(input)};\n`
  );
  const outputs = uniqueByName(node.outputs).map((output) =>
    comment("  ", [output.description ?? "", ...contentTypes(output)]) +
    `  readonly ${output.name}${output.optional ? "?" : ""}: ${outputType(output)};\n`
  );
  return `${
    comment("", [`Arguments of ${node.kind}: ${node.title}`, node.description])
  }export interface ${name}Arguments {
${inputs.join("")}}

${comment("", [`Results of ${node.kind}: ${node.title}`])}export interface ${name}Results {
${outputs.join("")}}
`;
}

/** Names in Pascal case; colliding names get numbers. */
function typeNames(kinds: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const kind of kinds) {
    const words = kind.split(/[.-]+/).filter((word) => word !== "");
    const plain = words.map((word) => word[0].toUpperCase() + word.slice(1)).join("");
    let name = plain;
    for (let i = 2; taken.has(name); i++) name = `${plain}_${i}`;
    taken.add(name);
    names.set(kind, name);
  }
  return names;
}

function inputType(input: Input): string {
  const type = input.type === "json"
    ? input.value_schema ? valueType(input.value_schema, 0) : "Json"
    : portType(input.type, input.values);
  return input.default === null && type !== "Json" ? `${type} | null` : type;
}

function outputType({ type }: Output): string {
  // A collection is one file that lists its assets.
  return type === "asset_collection" ? "Asset" : portType(type, undefined);
}

function portType(type: Exclude<Input["type"], "json"> | "json", values: readonly string[] | undefined): string {
  switch (type) {
    case "enum":
    case "string":
      return choices(values);
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "json":
      return "Json";
    case "asset":
    case "asset_directory":
      return "Asset";
    case "asset_collection":
      return "readonly Asset[]";
  }
}

function valueType(schema: ValueSchema, depth: number): string {
  if (depth === DEEPEST) return "Json";
  switch (schema.type) {
    case "object":
      return objectType(schema, depth);
    case "array": {
      const items = schema.items ? valueType(schema.items, depth + 1) : "Json";
      return `readonly ${items.includes("|") ? `(${items})` : items}[]`;
    }
    default:
      return portType(schema.type, schema.values);
  }
}

function objectType(schema: ValueSchema, depth: number): string {
  const { properties = {}, additional_properties: rest } = schema;
  const required = new Set(schema.required);
  const names = [...new Set([...Object.keys(properties), ...required])];
  if (names.length === 0) {
    return `{ readonly [name: string]: ${rest ? valueType(rest, depth + 1) : "Json"} }`;
  }
  const members = names.map((name) => {
    const type = Object.hasOwn(properties, name) ? valueType(properties[name], depth + 1) : "Json";
    return `readonly ${JSON.stringify(name)}${required.has(name) ? "" : "?"}: ${type}`;
  });
  return `{ ${members.join("; ")} }`;
}

function choices(values: readonly string[] | undefined): string {
  return values === undefined ? "string" : values.map((value) => JSON.stringify(value)).join(" | ");
}

/** Constraints that types cannot express. */
function notes({ minimum, maximum, step, default: value, ...input }: Input): string[] {
  const range = [
    ...(input.type === "integer" ? ["a whole number"] : []),
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(step === undefined ? [] : [`in steps of ${step}`]),
  ].join(", ");
  const shown = value === undefined || typeof value === "object" && value !== null ? undefined : JSON.stringify(value);
  return [
    range === "" ? "" : `${range[0].toUpperCase()}${range.slice(1)}.`,
    shown === undefined || shown.length > LONGEST_DEFAULT ? "" : `Default: ${shown}.`,
    ...contentTypes(input),
  ];
}

function contentTypes({ content_types: types }: Pick<Input, "content_types">): string[] {
  return types === undefined ? [] : [`Content types: ${types.join(", ")}.`];
}

/** A doc comment; empty without text. */
function comment(indent: string, lines: readonly string[]): string {
  // Line endings and comment ends in foreign text must not end it.
  const words = lines.map((line) => line.replace(/\s+/gu, " ").replaceAll("*/", "*\\/").trim()).filter((line) =>
    line !== ""
  );
  if (words.length === 0) return "";
  if (words.length === 1) return `${indent}/** ${words[0]} */\n`;
  return `${indent}/**\n${words.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

function uniqueByName<P extends { readonly name: string }>(ports: readonly P[]): P[] {
  return [...new Map(ports.map((port) => [port.name, port])).values()];
}

/** Deeper values are any JSON. */
const DEEPEST = 16;
const LONGEST_DEFAULT = 80;
