/**
 * Writes kernels-wgsl/generated.ts: the .wgsl files as strings without their comments, and the names of all variants.
 * `lib/compute/webgpu/lowering/expand_kernel.ts` makes the text of a variant from them when a program first needs it.
 *
 *   node scripts/generate_kernels.mjs
 *
 * The files use four directives, each alone on its line:
 *
 *   #include "FILE"          puts the text of a file of kernels-wgsl/ here
 *   #variants A? B|C         the variants there are: A may be on or off, and exactly one of B and C is on
 *   #if NAME  #else  #endif  keeps the lines of one branch; may be nested
 *
 * A variant is named after its file and the flags that are on: `matmul`, `matmul F16`, `matmul F16 WIDE`.
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
  const kernels = wgslFiles("");
  const files = [...kernels, ...wgslFiles("include/")];
  const names = kernels.flatMap((file) => {
    const declaration = readLines(file).find((line) => line.startsWith("#variants"));
    return combinations(declaration?.split(/\s+/).slice(1) ?? []).map((flags) => [stem(file), ...flags].join(" "));
  });
  return [
    "// Written by scripts/generate_kernels.mjs from the .wgsl files of this folder; do not edit.\n",
    "/** A kernel and the flags of its variant. */",
    `export type KernelName =\n${names.map((name) => `  | ${JSON.stringify(name)}`).join("\n")};\n`,
    "/** The files without their comments, by their paths in this folder. */",
    "export const kernelSources: Readonly<Record<string, string>> = {",
    ...files.map((file) => `  ${JSON.stringify(file)}: \`${withoutComments(readLines(file))}\`,`),
    "};\n",
  ].join("\n");
}

/** @param {string} below */
function wgslFiles(below) {
  return readdirSync(new URL(`./${below}`, folder)).filter((name) => name.endsWith(".wgsl")).sort().map((name) =>
    below + name
  );
}

/** @param {string} file */
function stem(file) {
  return file.replace(/\.wgsl$/, "");
}

/** @param {string} file */
function readLines(file) {
  return readFileSync(new URL(file, folder), "utf8").split("\n");
}

/** @param {string[]} lines */
function withoutComments(lines) {
  return lines.filter((line) => !/^\s*(\/\/[^@].*|\/\/)?$/.test(line) && !line.startsWith("#variants")).join("\n");
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("generated.ts", folder), generateKernels());
}
