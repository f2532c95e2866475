/**
 * Checks the public API: every exported name has a doc comment and refers to exported types only, errors that doc
 * comments name are exported, members of worlds are in camelCase, whatever the wire calls them, and there are at most
 * 200 names in all. What `@svc/fleet` imports under `./internal/` is not part of it: that package has the SDK's own
 * version, and nobody else may rely on these modules.
 *
 *   node scripts/check_api.mjs
 */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { root } from "./install.mjs";
import { INTERNAL } from "./packages/internal_modules.mjs";

/** The most names that the entry points export, each counted once. */
const MAX_NAMES = 200;

const cwd = fileURLToPath(root);
const deno = (/** @type {string[]} */ ...args) =>
  spawnSync(process.execPath, ["node_modules/deno/bin.cjs", "doc", ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
    maxBuffer: 1 << 28,
  });

/** @type {Record<string, string>} */
const all = JSON.parse(readFileSync(new URL("deno.json", root), "utf8")).exports;
const entries = Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith(INTERNAL)));
/** What public types are made of: the codes of errors, which are in docs/errors.md, and the ids of engines. */
const tables = [
  ...["media", "request", "server", "state"].map((name) => `lib/errors/${name}_errors.ts`),
  "lib/engines/contract/engine_ids.ts",
];
const lint = deno("--lint", ...Object.values(entries), ...tables);
if (lint.status !== 0) {
  console.error(`${lint.stdout}${lint.stderr}`);
  process.exit(1);
}

/** Entry points of worlds. */
const worlds = [".", "./client", "./world"];
/** Bodies and answers of the model API, which have the names of its wire. */
const asOnTheWire = /\/lib\/(?:protocol\/chat|api|app\/models)\//;

/**
 * Names with an underscore of the members of what is documented, at any depth.
 *
 * @param {unknown} node
 * @returns {string[]}
 */
function snakeMembers(node) {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const members = ["properties", "methods", "params"].includes(key) && Array.isArray(value) ? value : [];
    const found = members.flatMap(({ name }) => /\w_\w/.test(name ?? "") ? [name] : []);
    return key === "jsDoc" ? [] : [...found, ...snakeMembers(value)];
  });
}

const names = new Set();
/** Errors that doc comments name, with an entry point that has such a comment. */
const thrown = new Map();
/** @type {string[]} */
const snake = [];
for (const [entry, path] of Object.entries(entries)) {
  const { nodes } = JSON.parse(deno("--json", path).stdout, (_key, value) => {
    if (value?.kind !== "throws") return value;
    const inText = [...(value.doc ?? "").matchAll(/\{(\w*Error)\}/g)].map(([, name]) => name);
    for (const name of [...value.tsType ? [value.tsType.repr] : [], ...inText]) thrown.set(name, path);
    return value;
  });
  // Deno 2.9 groups the symbols by module where earlier versions list them.
  const symbols = Array.isArray(nodes) ? nodes : Object.values(nodes).flatMap((module) => module.symbols);
  for (const { name, declarations } of symbols) {
    names.add(name);
    if (!worlds.includes(entry)) continue;
    for (const declaration of declarations) {
      if (asOnTheWire.test(declaration.location.filename)) continue;
      snake.push(...snakeMembers(declaration).map((member) => `${name}.${member}`));
    }
  }
}
if (snake.length > 0) {
  console.error(`svc: members of worlds have names of the wire, expected camelCase: ${snake.join(" ")}`);
  process.exit(1);
}
const missing = [...thrown].filter(([name]) => !names.has(name) && !(name in globalThis));
for (const [name, path] of missing) {
  console.error(`svc: a doc comment of ${path} names the error ${name}, which no entry point exports`);
}
if (missing.length > 0) process.exit(1);
console.log(`${names.size} exported names in ${Object.keys(entries).length} entry points`);
if (names.size > MAX_NAMES) {
  console.error(`svc: ${names.size} names are exported, expected at most ${MAX_NAMES}: ${[...names].sort().join(" ")}`);
  process.exit(1);
}
