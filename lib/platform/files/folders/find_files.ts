/**
 * Finds the files that an argument of the command line stands for.
 *
 * @module
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** The files in order, or why there are none. */
export type FoundFiles =
  | { readonly files: readonly string[]; readonly problem?: undefined }
  | { readonly problem: string };

/**
 * Expands an argument: a file, all files below a folder whose names end with `ending`, or those that a pattern matches
 * (`*`, `?`, `[a-z]`, `{a,b}` within a name, `**` for any folders). Hidden folders and `node_modules` are skipped.
 */
export async function findFiles(word: string, ending: string): Promise<FoundFiles> {
  const info = await stat(word).catch(() => undefined);
  if (info?.isDirectory()) {
    const files = (await filesBelow(word)).filter((path) => path.endsWith(ending));
    if (files.length > 0) return { files };
    return { problem: `there is no ${ending} file in this folder, expected at least one` };
  }
  if (info) return { files: [word] };
  const parts = word.split("/");
  const first = parts.findIndex((part) => /[*?[{]/.test(part));
  if (first < 0) {
    return { problem: `the file does not exist, expected a file, a folder, a pattern or - for standard input` };
  }
  const folder = parts.slice(0, first).join("/");
  const base = folder === "" ? (word.startsWith("/") ? "/" : ".") : folder;
  const pattern = globExpression(parts.slice(first));
  const prefix = base === "." ? "" : base === "/" ? "/" : `${base}/`;
  const files = (await filesBelow(base)).filter((path) => pattern.test(relativeTo(prefix, path)));
  if (files.length > 0) return { files };
  return { problem: `no file matches this pattern, expected at least one` };
}

function relativeTo(prefix: string, path: string): string {
  const slashed = path.replaceAll("\\", "/");
  return slashed.startsWith(prefix) ? slashed.slice(prefix.length) : slashed;
}

async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) {
        if (!entry.name.startsWith(".") && entry.name !== "node_modules") open.push(path);
      } else if (entry.isFile() || (await stat(path).catch(() => undefined))?.isFile()) files.push(path);
    }
  }
  return files.sort();
}

function globExpression(parts: readonly string[]): RegExp {
  const source = parts.map((part, i) => {
    const last = i === parts.length - 1;
    if (part === "**") return last ? ".*" : "(?:[^/]+/)*";
    return globPart(part) + (last ? "" : "/");
  });
  return new RegExp(`^${source.join("")}$`, "u");
}

/** Translates one name of a pattern. Other characters stand for themselves. */
function globPart(part: string): string {
  let source = "";
  let braces = 0;
  for (let i = 0; i < part.length; i++) {
    const c = part[i];
    const set = c === "[" ? /^\[([!^]?)([^\]]+)\]/.exec(part.slice(i)) : null;
    if (set) {
      source += `[${set[1] === "" ? "" : "^/"}${set[2].replace(/[\\[\]^]/g, "\\$&")}]`;
      i += set[0].length - 1;
    } else if (c === "*") source += "[^/]*";
    else if (c === "?") source += "[^/]";
    else if (c === "{" && part.indexOf("}", i) > 0) {
      braces++;
      source += "(?:";
    } else if (c === "}" && braces > 0) {
      braces--;
      source += ")";
    } else if (c === "," && braces > 0) source += "|";
    else source += c.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  }
  return source + ")".repeat(braces);
}
