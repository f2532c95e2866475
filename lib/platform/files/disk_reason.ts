/**
 * Explains disk errors in words. The command line loads it at its start, so that it loads nothing itself.
 *
 * @module
 */
/** The reason of a full disk. */
export const DISK_FULL = "the disk is full, free some space and try again";

/** Why a write failed, with the remedy; undefined for errors of another kind. */
export function diskReason(error: unknown): string | undefined {
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return DISK_FULL;
    case "EFBIG": // FAT ends at 4 GiB
      return "the disk takes no files of this size, choose another location";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "permission denied, choose another location";
    default:
      return undefined;
  }
}

/** The system's name of an error; Deno gives none to files that become too large. */
function codeOf(error: unknown): unknown {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code ?? (String(message).endsWith("(os error 27)") ? "EFBIG" : undefined);
}
