/**
 * The file that a command writes.
 *
 * @module
 */
import { UsageError } from "../lib/platform/terminal/flags.ts";
import type { WriteObstacle } from "../lib/platform/files/user_files.ts";

/**
 * Refuses a file that could not be written, before any work is done for it.
 *
 * @throws {UsageError} when its folder is missing, or it exists and `force` does not allow to replace it.
 */
export async function checkOutputFile(
  path: string,
  force: boolean,
  obstacle: (path: string) => Promise<WriteObstacle | undefined>,
): Promise<void> {
  const found = await obstacle(path);
  if (found === "no folder") {
    throw new UsageError(`Cannot write ${path}: its folder is missing, choose another name with -o`);
  }
  if (found === "exists" && !force) {
    throw new UsageError(
      `Cannot write ${path}: the file exists already, choose another name with -o or replace it with --force`,
    );
  }
}
