/**
 * The preprocessor of kernels: `#include` and `#if` of the files of `kernels-wgsl/`, which
 * `scripts/generate_kernels.mjs` describes.
 *
 * @module
 */
import { type KernelName, kernelSources } from "../../../../kernels-wgsl/generated.ts";

const expanded = new Map<KernelName, string>();

/** The WGSL text of a variant, which is expanded once. */
export function expandKernel(name: KernelName): string {
  let text = expanded.get(name);
  if (text === undefined) {
    const [kernel, ...flags] = name.split(" ");
    text = expandLines(kernelSources, `${kernel}.wgsl`, new Set(flags));
    expanded.set(name, text);
  }
  return text;
}

/**
 * Expands a file of kernels.
 *
 * @param sources Texts of files by path.
 * @param flags Names for which `#if` keeps its lines.
 * @throws {Error} for a file that is missing, an unknown directive, or one without its counterpart.
 */
export function expandLines(
  sources: Readonly<Record<string, string>>,
  file: string,
  flags: ReadonlySet<string>,
): string {
  const kept: boolean[] = [];
  const lines: string[] = [];
  for (const line of includedLines(sources, file)) {
    const [, directive, name] = /^#(\w+)\s*(\w*)/.exec(line) ?? [];
    if (directive === undefined) {
      if (kept.every(Boolean)) lines.push(line);
    } else if (directive === "if") kept.push(flags.has(name));
    else if (directive === "else" && kept.length > 0) kept.push(!kept.pop());
    else if (directive === "endif" && kept.length > 0) kept.pop();
    else throw new Error(`Cannot expand ${file}: ${line} is unexpected, expected #if NAME, #else or #endif`);
  }
  if (kept.length > 0) throw new Error(`Cannot expand ${file}: an #if has no #endif`);
  return lines.join("\n");
}

/** The lines of a file with its includes in place. */
function includedLines(sources: Readonly<Record<string, string>>, file: string): string[] {
  const text = sources[file];
  if (text === undefined) throw new Error(`Cannot expand ${file}: there is no such file in kernels-wgsl/`);
  return text.split("\n").flatMap((line) => {
    const include = /^#include "(.+)"$/.exec(line);
    return include ? includedLines(sources, include[1]) : [line];
  });
}
