/**
 * Finds, lists and measures files.
 *
 * @module
 */
import { readdir, stat, statfs } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

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

/** More than any model has; a folder with more is a home folder or a disk. */
const MAX_FILES = 10_000;

/**
 * Paths of all files below a folder, with `/`; hidden files and `node_modules` are skipped. Links to files count as
 * files, since model caches consist of them; links to folders are not followed.
 *
 * @throws {Error} when there are more than 10,000.
 */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const open = [""];
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile() || await isFile(join(folder, path))) paths.push(path);
    }
    if (paths.length + open.length > MAX_FILES) {
      throw new Error(`Cannot use ${folder}: it holds more than ${MAX_FILES} files, expected the folder of one model`);
    }
  }
  return paths.sort();
}

/** Paths of links below a folder whose targets are gone, as {@linkcode listFiles} passes over them. */
export async function brokenLinks(folder: string): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink() && await stat(path).then(() => false, () => true)) broken.push(relative(folder, path));
  }
  return broken.sort();
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then((info) => info.isFile(), () => false);
}

/** Files looked at together. */
const TOGETHER = 64;

/** Path and bytes of every file below a folder, the oldest first. What vanishes meanwhile is left out. */
export async function fileSizes(folder: string): Promise<Map<string, number>> {
  const found: { path: string; bytes: number; modified: number }[] = [];
  const names = await readdir(folder, { recursive: true });
  for (let i = 0; i < names.length; i += TOGETHER) {
    await Promise.all(
      names.slice(i, i + TOGETHER).map(async (name) => {
        const path = join(folder, name);
        const info = await stat(path).catch(() => undefined);
        if (info?.isFile()) found.push({ path, bytes: info.size, modified: info.mtimeMs });
      }),
    );
  }
  const byAge = found.sort((a, b) => a.modified - b.modified || (a.path < b.path ? -1 : 1));
  return new Map(byAge.map(({ path, bytes }) => [path, bytes]));
}

/** Bytes that this user can still write where `folder` is or will be. */
export async function freeBytes(folder: string): Promise<number> {
  for (let path = folder;; path = dirname(path)) {
    try {
      const { bavail, bsize } = await statfs(path);
      return bavail * bsize;
    } catch (error) {
      if (path === dirname(path)) throw error;
    }
  }
}
