/**
 * Which files a client may name.
 *
 * @module
 */
import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { SvcError } from "../../errors/svc_error.ts";

/** Decides about paths; relative ones start at the working directory. */
export interface PathPolicy {
  /**
   * The path with all symbolic links resolved. The file itself need not exist, and is then named below the real path of
   * the nearest folder that does.
   *
   * @throws {SvcError} `path_not_allowed` when that is in none of the allowed folders.
   */
  check(path: string): Promise<string>;
}

/** Allows what is in one of these folders or below; the folders' own links are resolved too. */
export function pathPolicy(folders: readonly string[], workingDirectory: string = process.cwd()): PathPolicy {
  return {
    async check(path) {
      const target = await realPath(resolve(workingDirectory, path));
      for (const folder of folders) {
        if (isBelow(await realPath(resolve(workingDirectory, folder)), target)) return target;
      }
      throw new SvcError(
        "path_not_allowed",
        `Cannot use the path ${JSON.stringify(path)}: it is outside the working directory, the state directory and ` +
          "the folders given with --allow-path",
      );
    },
  };
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
