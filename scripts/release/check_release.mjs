/**
 * Checks that all versions agree with a tag, and prints the notes of the release.
 *
 *   node scripts/release/check_release.mjs v0.2.0
 */
// deno-lint-ignore-file no-console
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { root } from "../install.mjs";

const read = (/** @type {string} */ path) => readFileSync(new URL(path, root), "utf8");

/**
 * What does not agree with a version, in sentences.
 *
 * @param {string} version
 * @param {string} [repository] such as `owner/name`, where the release is made
 */
export function disagreements(version, repository) {
  const found = [];
  const manifests = readdirSync(new URL("packages/", root)).map((name) => `packages/${name}/package.json`);
  for (const path of ["package.json", "deno.json", ...manifests]) {
    const manifest = JSON.parse(read(path));
    if (manifest.svc?.model === undefined && manifest.version !== version) {
      found.push(`${path} has version ${manifest.version}, expected ${version}`);
    }
  }
  if (repository !== undefined) {
    // npm refuses provenance for a package that names another repository.
    const url = `https://github.com/${repository}`;
    for (const [path, expected] of namedIn(url)) {
      if (!read(path).includes(`"${expected}"`) && !read(path).includes(` ${expected}\n`)) {
        found.push(`${path} names another repository, expected ${expected}`);
      }
    }
  }
  if (notesOf(version) === undefined) found.push(`CHANGELOG.md has no section ## ${version} with a date`);
  return found;
}

/** The files that say where the repository is, because nothing can notify their readers. */
function namedIn(/** @type {string} */ url) {
  return [
    ["package.json", `git+${url}.git`],
    ["package.json", `${url}#readme`],
    ["package.json", `${url}/issues`],
    ["editors/vscode/package.json", `git+${url}.git`],
    [".github/ISSUE_TEMPLATE/config.yml", `${url}/security/advisories/new`],
  ];
}

/**
 * The section of a version in the changelog, without its heading; undefined when there is none or it is unreleased.
 *
 * @param {string} version
 */
export function notesOf(version, changelog = read("CHANGELOG.md")) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/\s/)[0] === version);
  const [heading, ...lines] = section?.split("\n") ?? [];
  return heading !== undefined && /\d{4}-\d{2}-\d{2}/.test(heading) ? `${lines.join("\n").trim()}\n` : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const version = (process.argv[2] ?? "").replace(/^v/, "");
  const found = disagreements(version, process.env.GITHUB_REPOSITORY);
  for (const sentence of found) console.error(`svc: cannot release ${version}: ${sentence}`);
  if (found.length > 0) process.exit(1);
  process.stdout.write(notesOf(version) ?? "");
}
