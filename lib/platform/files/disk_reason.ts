/**
 * Explains disk errors.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";

const FULL = "the disk is full, free some space and try again";

/** Why a write failed, with the remedy; undefined for errors of another kind. */
export function diskReason(error: unknown): string | undefined {
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return FULL;
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

/**
 * What to throw in place of a disk error: `disk_full` or `write_failed`, with what could not be done. Errors of another
 * kind stay as they are.
 *
 * @param failed `Cannot <verb> <thing>`
 * @param more What else to say when the disk is full.
 */
export function diskError(error: unknown, failed: string, more = ""): unknown {
  const reason = diskReason(error);
  if (reason === undefined) return error;
  const [code, end] = reason === FULL ? ["disk_full", more] as const : ["write_failed", ""] as const;
  return new SvcError(code, `${failed}: ${reason}${end}`, { cause: error });
}

/** The system's name of an error; Deno gives none to files that become too large. */
function codeOf(error: unknown): unknown {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code ?? (String(message).endsWith("(os error 27)") ? "EFBIG" : undefined);
}
