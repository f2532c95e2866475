/**
 * Explains disk errors.
 *
 * @module
 */

/** Why a write failed, with the remedy; undefined for errors of another kind. */
export function diskReason(error: unknown): string | undefined {
  switch ((error as { code?: unknown }).code) {
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full, free some space and try again";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "permission denied, choose another location";
    default:
      return undefined;
  }
}
