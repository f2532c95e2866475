/**
 * Writes the formula and the winget manifests of a release, which name its binaries by hash.
 *
 *   node scripts/release/package_manifests.mjs v0.2.0 dist/bin
 */
// deno-lint-ignore-file no-console
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { root } from "../install.mjs";

const templates = new URL("packaging/", root);

/**
 * The words of all templates: where the repository is, from `package.json`, and a version.
 *
 * @param {string} version
 */
export function releaseWords(version) {
  const { repository } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  const [url, owner] = /^git\+(https:\/\/[^/]+\/([^/]+)\/[^/]+)\.git$/.exec(repository.url)?.slice(1) ?? [];
  if (owner === undefined) throw new Error(`Cannot read the repository ${repository.url}: expected git+https://….git`);
  return { version, repository: url, owner };
}

/**
 * A template with its words in place: those of a release, and `{{TARGET}}` for the hash of a target's binary.
 *
 * @param {string} template
 * @param {Readonly<Record<string, string>>} words
 */
export function fillTemplate(template, words) {
  return template.replace(/\{\{([\w-]+)\}\}/g, (_, word) => {
    if (words[word] === undefined) throw new Error(`Cannot write a package manifest: there is no ${word}`);
    return words[word];
  });
}

/** Paths of all templates below `packaging/`. */
export function templateFiles() {
  return readdirSync(templates, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".template"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [tag, binaries, target = "dist/packaging"] = process.argv.slice(2);
  if (tag === undefined || binaries === undefined) {
    console.error("svc: expected a tag and a folder of binaries, such as v0.2.0 dist/bin");
    process.exit(2);
  }
  const hashes = readdirSync(binaries).map((name) => [
    name.replace(/^svc-|\.exe$/g, ""),
    createHash("sha256").update(readFileSync(join(binaries, name))).digest("hex"),
  ]);
  const words = { ...releaseWords(tag.replace(/^v/, "")), ...Object.fromEntries(hashes) };
  for (const path of templateFiles()) {
    // winget requires its files to be named after the package.
    const file = resolve(target, path.replace(/\.template$/, "").replace(/^winget.svc/, `winget/${words.owner}.svc`));
    mkdirSync(resolve(file, ".."), { recursive: true });
    writeFileSync(file, fillTemplate(readFileSync(new URL(path, templates), "utf8"), words));
    console.log(file);
  }
}
