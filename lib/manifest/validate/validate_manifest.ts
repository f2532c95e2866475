/**
 * Validates parsed manifests.
 *
 * @module
 */
import { checkValue } from "./check_value.ts";
import type { FindingOptions, Validation } from "./finding.ts";
import { FindingList } from "./finding_list.ts";
import { MANIFEST_RULE } from "./manifest_rules.ts";

/**
 * Checks a value against every rule of the provider manifest and reports all violations. It never throws, whatever the
 * value is.
 *
 * @throws {RangeError} if `maxFindings` is not a count
 * @example
 * ```ts
 * import { validateManifest } from "@svc/sdk/manifest";
 *
 * const { valid, findings } = validateManifest({ contract_version: "svc/plugin-graph-provider.v1", nodes: [] });
 * console.assert(!valid);
 * console.assert(findings.some(({ pointer, rule }) => pointer === "/nodes" && rule === "min_items"));
 * ```
 */
export function validateManifest(value: unknown, options: FindingOptions = {}): Validation {
  const list = new FindingList(options);
  checkValue(value, MANIFEST_RULE, "the manifest", list);
  const { findings, omitted } = list;
  return { valid: findings.length === 0 && omitted === 0, findings, omitted };
}
