/**
 * The home folder of the user.
 *
 * @module
 */
import { homedir } from "node:os";
import process from "node:process";

/**
 * The user's home folder; undefined where there is none: the variable `HOME` is not set and the system has no entry for
 * the user, as in a container that runs under a number that it does not know.
 */
export function homeDirectory(lookUp: () => string | null | undefined = homedir): string | undefined {
  try {
    return lookUp() || undefined; // Deno answers with null
  } catch {
    return undefined; // Node throws, with the system's ENOENT
  }
}

/**
 * Names a home folder for libraries that fail where there is none; nothing changes for a user who has one.
 *
 * @param folder Undefined changes nothing.
 */
export function lendHome(folder: string | undefined): void {
  if (folder !== undefined && homeDirectory() === undefined) process.env.HOME = folder;
}
