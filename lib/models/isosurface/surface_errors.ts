/**
 * Surfaces that cannot be given out.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";

/** A field is on one side of its level everywhere; `level` says what it was compared with. */
export function emptySurfaceError(level: string): SvcError {
  return new SvcError(
    "surface_empty",
    `Cannot extract a surface: the object's field does not cross ${level} anywhere, expected a surface; ` +
      `try another image or threshold`,
    { param: "image" },
  );
}

/** A surface has more than `max` triangles. */
export function surfaceTooLargeError(max: number): SvcError {
  return new SvcError(
    "surface_too_large",
    `Cannot extract the surface: it has more than ${max} triangles, expected fewer; ` +
      `ask for a lower resolution or another threshold`,
    { param: "resolution" },
  );
}
