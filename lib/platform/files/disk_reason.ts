/**
 * What a disk refuses, in plain words.
 *
 * @module
 */

/** Why a disk would not write, with the remedy; undefined for errors of another kind. */
export function diskReason(error: unknown): string | undefined {
  switch ((error as { code?: unknown }).code) {
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full, free some space and try again";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "this user may not, choose another place";
    default:
      return undefined;
  }
}
