/**
 * Folders that only this user can read.
 *
 * @module
 */
import { access, constants, mkdir, stat } from "node:fs/promises";

/** Creates a folder if necessary; returns what prevents writing into it, undefined when nothing does. */
export async function makePrivateFolder(path: string): Promise<string | undefined> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    if (!(await stat(path)).isDirectory()) return "it is a file";
    await access(path, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === "EEXIST" || code === "ENOTDIR") return "it is a file";
    return code === "EACCES" || code === "EPERM" || code === "EROFS" ? "permission denied" : message;
  }
}
