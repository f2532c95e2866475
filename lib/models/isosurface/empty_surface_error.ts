/**
 * Nothing to show.
 *
 * @module
 */

/** A field is on one side of its level everywhere. */
export class EmptySurfaceError extends Error {
  override name = "EmptySurfaceError";

  /** @param level What the field was compared with, in words. */
  constructor(level: string) {
    super(`Cannot extract a surface: the object's field does not cross ${level} anywhere, expected a surface`);
  }
}
