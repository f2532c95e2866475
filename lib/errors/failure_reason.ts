/**
 * Reasons that clients may see.
 *
 * @module
 */

/** Longer ones are cut. */
const MAX = 600;

/** The folders of a path, on any system: what is left is the name of the file. */
const FOLDERS = /(?<![\w.])(?:file:\/\/)?(?:[A-Za-z]:)?[\\/](?:[^\\/"'<>|:;,()\n]*[\\/])*/g;

/**
 * What an error says, in one line without the folders of this machine, for an answer to a client.
 *
 * @param folders Those that may occur in it, which may have any characters in their names.
 */
export function failureReason(error: unknown, folders: readonly string[]): string {
  const given = error instanceof Error ? error.message : String(error);
  const without = folders.reduce((text, folder) => text.replaceAll(folder, ""), given);
  const line = without.replace(FOLDERS, "").replace(/\s+/g, " ").trim();
  return line.length > MAX ? `${line.slice(0, MAX)}…` : line;
}
