/**
 * Writes kernels-wgsl/generated.ts: every kernel in every variant as a string.
 *
 *   node scripts/generate_kernels.mjs
 *
 * The preprocessor knows four lines, each alone on its line:
 *
 *   #include "FILE"          puts the text of a file of kernels-wgsl/ here
 *   #variants A? B|C         the variants to write: A may be on or off, and exactly one of B and C is on
 *   #if NAME  #else  #endif  keeps the lines of one branch; may be nested
 *
 * A variant is named after its file and the flags that are on: `matmul`, `matmul F16`, `matmul F16 WIDE`.
 * Comments are left out.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("../kernels-wgsl/", import.meta.url);

/**
 * The text of kernels-wgsl/generated.ts.
 *
 * @returns {string}
 */
export function generateKernels() {
  /** @type {[string, string][]} */
  const kernels = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".wgsl")).sort()) {
    const lines = readLines(file);
    const declaration = lines.find((line) => line.startsWith("#variants"));
    for (const flags of combinations(declaration?.split(/\s+/).slice(1) ?? [])) {
      const name = [file.replace(/\.wgsl$/, ""), ...flags].join(" ");
      kernels.push([name, expand(lines, new Set(flags), file)]);
    }
  }
  return [
    "// Written by scripts/generate_kernels.mjs from the .wgsl files of this folder; do not edit.\n",
    "/** A kernel and the flags of its variant. */",
    `export type KernelName =\n${kernels.map(([name]) => `  | ${JSON.stringify(name)}`).join("\n")};\n`,
    "/** WGSL text of every kernel variant. */",
    "export const kernels: Readonly<Record<KernelName, string>> = {",
    ...kernels.map(([name, text]) => `  ${/\W/.test(name) ? JSON.stringify(name) : name}: \`${text}\`,`),
    "};\n",
  ].join("\n");
}

/**
 * Every choice of flags that a `#variants` line allows.
 *
 * @param {string[]} terms
 * @returns {string[][]}
 */
function combinations(terms) {
  return terms.reduce(
    (all, term) => {
      const choices = term.endsWith("?") ? [[], [term.slice(0, -1)]] : term.split("|").map((name) => [name]);
      return all.flatMap((flags) => choices.map((choice) => [...flags, ...choice]));
    },
    /** @type {string[][]} */ ([[]]),
  );
}

/**
 * The lines of a file with its includes in place.
 *
 * @param {string} file
 * @returns {string[]}
 */
function readLines(file) {
  return readFileSync(new URL(file, folder), "utf8").split("\n").flatMap((line) => {
    const include = /^#include "(.+)"$/.exec(line);
    return include ? readLines(include[1]) : [line];
  });
}

/**
 * The text of one variant.
 *
 * @param {string[]} lines
 * @param {Set<string>} flags
 * @param {string} file
 */
function expand(lines, flags, file) {
  /** @type {boolean[]} */
  const kept = [];
  const out = [];
  for (const line of lines) {
    const directive = /^#(\w+)\s*(\w*)/.exec(line);
    if (directive?.[1] === "if") kept.push(flags.has(directive[2]));
    else if (directive?.[1] === "else") kept.push(!kept.pop());
    else if (directive?.[1] === "endif") kept.pop();
    else if (directive && directive[1] !== "variants") throw new Error(`Cannot expand ${file}: unknown line ${line}`);
    else if (!directive && kept.every(Boolean) && !/^\s*(\/\/[^@].*|\/\/)?$/.test(line)) out.push(line);
  }
  if (kept.length > 0) throw new Error(`Cannot expand ${file}: an #if has no #endif`);
  return out.join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("generated.ts", folder), generateKernels());
}
