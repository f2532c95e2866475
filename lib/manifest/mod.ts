/**
 * The provider manifest: validation with all findings and their places, lint, JSON Schema, types, pins, differences and
 * catalogs. It depends on nothing but the language and what every browser has.
 *
 * @example Check the text of a manifest
 * ```ts
 * import { validateManifestText } from "@svc/sdk/manifest";
 *
 * const { valid, findings } = validateManifestText('{"contract_version": "svc/plugin-graph-provider.v2"}');
 * console.assert(!valid);
 * for (const { line, column, pointer, rule, message } of findings) {
 *   console.log(`${line}:${column} ${rule} ${pointer}: ${message}`);
 * }
 * ```
 *
 * @module
 */
export { argumentsSchema, validateArguments } from "./validate/arguments_rules.ts";
export { canonicalJson } from "../json/canonical_json.ts";
export type * from "./diff/diff_manifests.ts";
export { diffManifests } from "./diff/diff_manifests.ts";
export type * from "./validate/finding.ts";
export type { JsonSource, SourceRange } from "../json/json_source.ts";
export { type Lint, lintManifest, lintManifestText, type LintOptions } from "./lint/lint_manifest.ts";
export * from "./lint/lint_rules.ts";
export type * from "./manifest.ts";
export { manifestSchema } from "./validate/manifest_schema.ts";
export { CONTRACT_VERSION } from "./validate/manifest_rules.ts";
export { nodeTypes } from "./node_types.ts";
export * from "./validate/parse_manifest.ts";
export { pinManifest } from "./pin_manifest.ts";
export type { JsonSchema } from "./validate/rule_schema.ts";
export { validateManifest, validateManifestText } from "./validate/validate_manifest.ts";
