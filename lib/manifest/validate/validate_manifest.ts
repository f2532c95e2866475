/**
 * Validates manifests: parsed ones, and their source text.
 *
 * @module
 */
import { checkValue } from "./check_value.ts";
import type { FindingOptions, SourceFinding, Validation } from "./finding.ts";
import { FindingList } from "./finding_list.ts";
import { MANIFEST_RULE } from "./manifest_rules.ts";
import { type JsonSource, type ParsedSource, parseSource } from "../../json/json_source.ts";
import { placeFindings, sourceFindings, syntaxFinding } from "./source_findings.ts";

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

/**
 * Checks the source of a manifest, a string or its bytes in UTF-8, and reports all violations with their lines and
 * columns. It never throws, whatever the text is: what is not JSON is one finding of the rule `not_json`, at the first
 * character that is invalid there.
 *
 * Of duplicate members the last one counts, as for `JSON.parse`; the linter reports the first one.
 *
 * @throws {RangeError} if `maxFindings` is not a count
 * @example
 * ```ts
 * import { validateManifestText } from "@svc/sdk/manifest";
 *
 * const { findings } = validateManifestText('{\n  "provider_id": "svc-Demo"\n}');
 * const { line, column, rule } = findings.find(({ pointer }) => pointer === "/provider_id")!;
 * console.assert(line === 2 && column === 18 && rule === "pattern");
 * ```
 */
export function validateManifestText(source: JsonSource, options: FindingOptions = {}): Validation<SourceFinding> {
  return validateSource(parseSource(source), options);
}

/** The same for a parsed source. */
export function validateSource(source: ParsedSource, options: FindingOptions): Validation<SourceFinding> {
  const { text } = source;
  const list = new FindingList(options);
  if (source.problem) {
    const { finding, span } = syntaxFinding(source.problem);
    list.add(finding);
    const findings = sourceFindings(text, list.findings.map((finding) => ({ finding, span })));
    return { valid: false, findings, omitted: list.omitted };
  }
  checkValue(source.value, MANIFEST_RULE, "the manifest", list);
  const { findings, omitted } = list;
  const valid = findings.length === 0 && omitted === 0;
  return { valid, findings: sourceFindings(text, placeFindings(text, findings)), omitted };
}
