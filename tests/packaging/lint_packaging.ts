/**
 * What distributes the program, under the linters of its formats: hadolint for Containerfiles, Ruby's own parser for the
 * formula. `npm test -- packaging` brings hadolint along and names it in `SVC_TEST_HADOLINT`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fillTemplate, releaseWords } from "../../scripts/release/package_manifests.mjs";
import { packageFiles, PRISM } from "../../scripts/site/package_files.mjs";
import { ROOT } from "../support/server_process.ts";

const FOLDER = join(ROOT, "packaging");

test("hadolint finds nothing in the Containerfiles", () => {
  const program = process.env.SVC_TEST_HADOLINT;
  assert.ok(program, "SVC_TEST_HADOLINT names no program");
  const lint = (text: string) => spawnSync(program, ["--no-color", "-"], { input: text, encoding: "utf8" });
  const files = readdirSync(FOLDER).filter((name) => name.startsWith("Containerfile"));
  assert.equal(files.length, 2);
  for (const name of files) {
    const text = readFileSync(join(FOLDER, name), "utf8");
    const { status, stdout, stderr } = lint(text);
    assert.deepEqual([status, stdout, stderr], [0, "", ""], name);
    assert.match(lint(text.replace("RUN ", "RUN sudo ")).stdout, /DL3004/, "hadolint does not see what is wrong");
  }
});

test("Ruby's parser reads the formula", async () => {
  const { loadPrism } = await import(new URL("index.js", packageFiles(PRISM)).href);
  const parse: (text: string) => { readonly errors: readonly { readonly message: string }[] } = await loadPrism();
  const template = readFileSync(join(FOLDER, "svc.rb.template"), "utf8");
  const targets = [...template.matchAll(/sha256 "\{\{([\w-]+)\}\}"/g)].map(([, target]) => [target, "0".repeat(64)]);
  const formula = fillTemplate(template, { ...releaseWords("1.2.3"), ...Object.fromEntries(targets) });
  assert.deepEqual(parse(formula).errors, []);
  assert.ok(parse(formula.replace("on_macos do", "on_macos")).errors.length > 0);
});
