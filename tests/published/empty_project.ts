import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { ROOT } from "../support/server_process.ts";

interface LockedPackage {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

/**
 * The folders below `node_modules` that npm installs for a user of the SDK: dependencies of dependencies with them,
 * without development, and without what this platform has no use for.
 *
 * @param names Packages that are installed; the dependencies of the SDK by default.
 */
export function installedFolders(names?: readonly string[]): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const found = new Set<string>();
  const visit = (from: string): void => {
    const { dependencies, optionalDependencies } = packages[from];
    install(from, Object.keys({ ...dependencies, ...optionalDependencies }));
  };
  const install = (from: string, wanted: readonly string[]): void => {
    for (const name of wanted) {
      const path = resolveFrom(from, name);
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      visit(path);
    }
  };
  const resolveFrom = (from: string, name: string): string | undefined => {
    for (let at = from;; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
      const path = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
      if (path in packages && existsSync(join(ROOT, path))) return path;
      if (at === "") return undefined;
    }
  };
  if (names === undefined) visit("");
  else install("", names);
  return [...found].sort();
}

/** Installs packages, by default those that the SDK depends on, into a project: as links, which cost nothing. */
export function linkDependencies(project: string, names?: readonly string[]): void {
  for (const folder of installedFolders(names)) linkTree(join(ROOT, folder), join(project, folder), isNeeded);
}

/** Native libraries of other platforms stay where they are. */
function isNeeded(path: string): boolean {
  const [, platform] = /onnxruntime-node[\\/]bin[\\/]napi-v\d+[\\/](\w+)/.exec(path) ?? [];
  return platform === undefined || platform === process.platform;
}

/** Links every file of a folder, or copies it to another disk; folders of packages inside are left to the caller. */
export function linkTree(from: string, to: string, wanted: (path: string) => boolean = () => true): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!wanted(source) || entry.name === "node_modules") continue;
    if (entry.isDirectory()) linkTree(source, target, wanted);
    else if (entry.isFile()) {
      try {
        linkSync(source, target);
      } catch {
        copyFileSync(source, target);
      }
    }
  }
}

/** Bytes and number of the files of a folder. */
export function sizeOfTree(folder: string, wanted: (path: string) => boolean = () => true): [number, number] {
  let [bytes, count] = [0, 0];
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !wanted(path)) continue;
    bytes += statSync(path).size;
    count++;
  }
  return [bytes, count];
}
