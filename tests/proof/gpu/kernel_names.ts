/**
 * The names of kernels, which WebGPU is not given: found by their text.
 *
 * @module
 */
import { kernelSources } from "../../../kernels-wgsl/generated.ts";

/** Lines that every variant of a kernel has, by the name of its file; the kernel with the most of them first. */
const kernels: readonly (readonly [name: string, lines: readonly string[]])[] = Object.entries(kernelSources)
  .filter(([path]) => !path.includes("/"))
  .map(([path, text]) => [path.replace(".wgsl", ""), linesOfAll(text)] as const)
  .sort(([, a], [, b]) => b.length - a.length);

/** The name of a text that is not a kernel of `kernels-wgsl/`. */
export const UNKNOWN = "unknown";

/** The file of `kernels-wgsl/` that a WGSL text is made of, with how a product is divided. */
export function kernelName(code: string): string {
  const own = new Set(code.split("\n"));
  const name = kernels.find(([, lines]) => lines.every((line) => own.has(line)))?.[0];
  if (name === undefined) return UNKNOWN;
  const side = /const TILE = (\d+)u/.exec(code)?.[1];
  return [
    name,
    ...(side === undefined ? [] : [`tiles of ${side}`]),
    ...(code.includes("params.partSlices") ? ["in parts"] : []),
    ...(code.includes("fn alignedQuad") ? ["wide"] : []),
  ].join(", ");
}

/** The lines outside of conditions; marks that lowerings replace are left out. */
function linesOfAll(text: string): string[] {
  const lines: string[] = [];
  let depth = 0;
  for (const line of text.split("\n")) {
    if (line.startsWith("#if")) depth++;
    else if (line.startsWith("#endif")) depth--;
    else if (depth === 0 && !/^#|\/\/@/.test(line)) lines.push(line);
  }
  return lines;
}
