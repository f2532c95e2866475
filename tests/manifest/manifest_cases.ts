/**
 * Judged manifests, copied from the project's golden data (`manifest/cases.json.br` and the real manifests beside it).
 *
 * @module
 */
import { readFileSync } from "node:fs";
import type { Finding } from "../../lib/manifest/mod.ts";
import { jsonText } from "../goldens/packed/packed_golden.ts";

/** A text with the verdict that it should get and the findings that lead to it. */
export interface ManifestCase {
  readonly name: string;
  readonly text: string;
  readonly valid: boolean;
  readonly errors: readonly ExpectedError[];
  /** Whether the contract says nothing, so that any verdict is right. */
  readonly unscored: boolean;
}

/** One expected finding; of the pointers `/*` stands for any index. */
export interface ExpectedError {
  readonly rule: string;
  readonly accept_pointers: readonly string[];
}

interface CaseFile {
  readonly cases: readonly {
    readonly id: string;
    readonly case: string;
    readonly text: string;
    readonly expected: string;
    readonly certainty: string;
    readonly errors: readonly ExpectedError[];
  }[];
  readonly files: readonly {
    readonly file: string;
    readonly expected: string;
    readonly errors: readonly ExpectedError[];
  }[];
}

const folder = new URL("../goldens/data/manifest/", import.meta.url);

/** The text of a real manifest. */
export function manifestText(file: string): string {
  return jsonText(file, readFileSync(new URL(file, folder)));
}

/** All cases and real manifests. */
export function manifestCases(): readonly ManifestCase[] {
  const { cases, files }: CaseFile = JSON.parse(manifestText("cases.json.br"));
  return [
    ...cases.map(({ id, case: name, text, expected, certainty, errors }) => ({
      name: `${id} ${name}`,
      text,
      valid: expected === "valid",
      errors,
      unscored: certainty === "unscored",
    })),
    ...files.map(({ file, expected, errors }) => ({
      name: file,
      text: manifestText(file),
      valid: expected === "valid",
      errors,
      unscored: false,
    })),
  ];
}

/** The texts of the real manifests that conform. */
export function realManifests(): readonly string[] {
  return manifestCases().filter(({ name, valid }) => valid && name.endsWith(".json")).map(({ text }) => text);
}

/** How findings disagree with a case; empty when they agree. */
export function disagreements(
  { valid, errors, unscored }: Pick<ManifestCase, "valid" | "errors" | "unscored">,
  found: { readonly valid: boolean; readonly findings: readonly Pick<Finding, "pointer" | "rule">[] },
): string[] {
  if (unscored) return [];
  const show = ({ rule, pointer }: Pick<Finding, "pointer" | "rule">) => `${rule} at "${pointer}"`;
  const matches = (error: ExpectedError) => ({ rule, pointer }: Pick<Finding, "pointer" | "rule">) =>
    rule === error.rule &&
    error.accept_pointers.some((accepted) =>
      accepted.endsWith("/*")
        ? pointer.startsWith(accepted.slice(0, -1)) && /^\d+$/.test(pointer.slice(accepted.length - 1))
        : pointer === accepted
    );
  return [
    ...(found.valid === valid ? [] : [`the verdict is ${found.valid}, expected ${valid}`]),
    ...errors.filter((error) => !found.findings.some(matches(error))).map((error) =>
      `missing: ${show({ rule: error.rule, pointer: error.accept_pointers[0] })}`
    ),
    ...found.findings.filter((finding) => !errors.some((error) => matches(error)(finding))).map((finding) =>
      `unexpected: ${show(finding)}`
    ),
  ];
}
