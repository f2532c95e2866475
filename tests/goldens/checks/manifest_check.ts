/**
 * Checks of the provider manifest's validator against `manifest/cases.json.br` and the real manifests beside it.
 *
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { validateManifestText } from "../../../lib/manifest/mod.ts";
import { disagreements } from "../../manifest/manifest_cases.ts";
import type { Comparison } from "../golden.ts";
import { jsonText } from "../packed/packed_golden.ts";

const errors = v.array(v.object({ rule: v.string(), accept_pointers: v.array(v.string()) }));
const fileSchema = v.object({
  cases: v.array(
    v.object({ id: v.string(), text: v.string(), expected: v.string(), certainty: v.string(), errors }),
  ),
  files: v.array(v.object({ file: v.string(), expected: v.string(), errors })),
});

/** Compares verdicts, pointers and rules of all cases that the contract decides. */
export function checkManifestCases(json: unknown): Comparison[] {
  const { cases } = v.parse(fileSchema, json);
  return cases.filter(({ certainty }) => certainty !== "unscored").flatMap(({ id, text, expected, errors }) =>
    compare(id, text, expected, errors)
  );
}

/** Compares those of a manifest that the `cases.json.br` beside it judges; undefined for any other file. */
export function checkManifestFile(path: string, text: string): Comparison[] | undefined {
  const cases = join(dirname(path), "cases.json.br");
  if (!existsSync(cases)) return undefined;
  const { files } = v.parse(fileSchema, JSON.parse(jsonText(cases, readFileSync(cases))));
  const judged = files.find(({ file }) => file === basename(path));
  return judged && compare(judged.file, text, judged.expected, judged.errors);
}

function compare(
  name: string,
  text: string,
  expected: string,
  errors: v.InferOutput<typeof fileSchema>["files"][0]["errors"],
): Comparison[] {
  const wrong = disagreements({ valid: expected === "valid", errors, unscored: false }, validateManifestText(text));
  return wrong.length === 0
    ? [{ name, maxAbs: 0, tolerance: 0 }]
    : wrong.map((problem) => ({ name: `${name}: ${problem}`, maxAbs: 1, tolerance: 0 }));
}
