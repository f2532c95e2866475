/**
 * Checks whether a model fits on the disk.
 *
 * @module
 */
import { showBytes } from "../errors/show.ts";
import { SvcError } from "../errors/svc_error.ts";

/** Space to leave free beside a model, so that the machine stays usable: a fifth of its size, at least 2 GiB. */
function reserveFor(bytes: number): number {
  return Math.max(2 * 2 ** 30, bytes / 5);
}

/**
 * Refuses what would fill the disk.
 *
 * @param action The words after "Cannot", such as `pull qwen3-0.6b`.
 * @param place Where else it could go.
 * @throws {SvcError} `disk_full`.
 */
export function checkSpace(
  action: string,
  bytes: number,
  free: number,
  place: string = "another folder in SVC_MODELS_DIR",
): void {
  const needed = bytes + reserveFor(bytes);
  if (bytes === 0 || needed <= free) return;
  throw new SvcError(
    "disk_full",
    `Cannot ${action}: it needs ${showBytes(bytes)} and some spare space, ${
      showBytes(needed)
    } in all, but the disk has ` +
      `${showBytes(free)}, expected more free space or ${place}`,
  );
}
