/**
 * Parses manifests.
 *
 * @module
 */
import type { Finding, FindingOptions, SourceFinding } from "./finding.ts";
import { type JsonSource, parseSource } from "../../json/json_source.ts";
import type { Manifest } from "../manifest.ts";
import { validateManifest, validateSource } from "./validate_manifest.ts";
import { count } from "../words.ts";

/** A manifest does not conform; the findings say why. */
export class ManifestError extends Error {
  /** Name of the class. */
  override name = "ManifestError";
  /** The violations; those of a text have lines and columns. */
  readonly findings: readonly (Finding | SourceFinding)[];
  /** Number of omitted findings. */
  readonly omitted: number;

  /** From the findings, and how many more there are. */
  constructor(findings: readonly (Finding | SourceFinding)[], omitted: number) {
    super(`Cannot read the manifest: ${firstOf(findings, omitted)}`);
    this.findings = findings;
    this.omitted = omitted;
  }
}

/**
 * The manifest that a source holds, a string or its bytes in UTF-8, or that a parsed value is.
 *
 * @throws {ManifestError} with all findings when it does not conform
 * @throws {RangeError} if `maxFindings` is not a count
 * @example
 * ```ts
 * import { ManifestError, parseManifest } from "@svc/sdk/manifest";
 *
 * try {
 *   const manifest = parseManifest('{"provider_id": "svc-demo"}');
 *   console.log(manifest.nodes.map(({ kind }) => kind));
 * } catch (error) {
 *   console.assert(error instanceof ManifestError && error.findings.length === 3);
 * }
 * ```
 */
export function parseManifest(source: JsonSource | object, options: FindingOptions = {}): Manifest {
  const parsed = typeof source === "string" || source instanceof Uint8Array ? parseSource(source) : undefined;
  const { valid, findings, omitted } = parsed ? validateSource(parsed, options) : validateManifest(source, options);
  if (!valid) throw new ManifestError(findings, omitted);
  return (parsed && !parsed.problem ? parsed.value : source) as Manifest;
}

function firstOf(findings: readonly (Finding | SourceFinding)[], omitted: number): string {
  const [first] = findings;
  if (first === undefined) return `it has ${count(omitted, "violation")} of the contract, all omitted`;
  const place = "line" in first ? ` (line ${first.line}, column ${first.column})` : "";
  const others = findings.length - 1 + omitted;
  const where = first.pointer === "" ? "" : `at ${first.pointer} `;
  return `${where}${first.message}${place}${others === 0 ? "" : `, and ${count(others, "more finding")}`}`;
}
