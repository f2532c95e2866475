/**
 * Which files clients may name.
 *
 * @module
 */
import { realpath, stat } from "node:fs/promises";
import nodePath, { type PlatformPath } from "node:path";
import process from "node:process";
import { isPathText, PATH_EXPECTED } from "../../json/path_text.ts";
import { show } from "../../errors/show.ts";
import { invalidField, SvcError } from "../../errors/svc_error.ts";

/** Checks paths; relative ones start at the working directory. */
export interface PathPolicy {
  /**
   * The path with all symbolic links resolved. The file itself need not exist; its path is then below the real path of
   * the nearest existing folder.
   *
   * @throws {SvcError} `path_not_allowed` when that is in none of the allowed folders, `invalid_path` for a text that
   * is not a path.
   */
  check(path: string): Promise<string>;
}

/** What paths are looked up with; a test brings its own. */
export interface PathSource {
  /** The rules of the system for the text of a path. */
  readonly path: PlatformPath;
  /** Rejects when there is no such file or folder. */
  readonly stat: (path: string) => Promise<unknown>;
  readonly realpath: (path: string) => Promise<string>;
}

const thisMachine: PathSource = { path: nodePath, stat, realpath };

/** Allows what is in or below one of these folders, whose own links are resolved too. */
export function pathPolicy(
  folders: readonly string[],
  workingDirectory: string = process.cwd(),
  source: PathSource = thisMachine,
): PathPolicy {
  const { path: { resolve, relative, isAbsolute, sep } } = source;
  const allowed = folders.map((folder) => resolve(workingDirectory, folder));
  const isBelow = (folder: string, path: string): boolean => {
    const way = relative(folder, path);
    return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
  };
  return {
    async check(path) {
      if (!isPathText(path)) {
        throw invalidField("path", `Cannot use the path ${show(path)}: ${PATH_EXPECTED}`);
      }
      const asked = resolve(workingDirectory, path);
      // A look at a path such as \\host\share sends the user's credentials to that host.
      const isElsewhere = asked.startsWith("\\\\") && !allowed.some((folder) => isBelow(folder, asked));
      if (!isElsewhere) {
        const target = await realPath(asked, source);
        for (const folder of allowed) if (isBelow(await realPath(folder, source), target)) return target;
      }
      throw new SvcError(
        "path_not_allowed",
        `Cannot use the path ${show(path)}: it is outside the working directory, the state directory and ` +
          "the other folders that the server allows",
      );
    },
  };
}

/** The real path of the longest part of a path that is there, and the path after it. */
async function realPath(path: string, { path: { parse, join, sep }, stat, realpath }: PathSource): Promise<string> {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep).filter((name) => name !== "");
  const whole = await realpath(path).catch(() => undefined);
  if (whole !== undefined) return whole;
  // What is below something missing is missing too: halving finds the first missing name with a few looks.
  let there = 0;
  for (let missing = names.length; missing - there > 1;) {
    const middle = (there + missing) >> 1;
    const isThere = await stat(join(root, ...names.slice(0, middle))).then(() => true, () => false);
    if (isThere) there = middle;
    else missing = middle;
  }
  const parent = join(root, ...names.slice(0, there));
  return join(await realpath(parent).catch(() => parent), ...names.slice(there));
}
