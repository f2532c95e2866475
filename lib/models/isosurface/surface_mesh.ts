/**
 * A surface of triangles, and the errors of those that cannot be given out.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";

/** Triangles over shared vertices; seen from outside their corners turn to the left. */
export interface SurfaceMesh {
  /** [vertices,3] */
  readonly positions: Float32Array;
  /** [triangles,3]: indices of vertices. */
  readonly triangles: Uint32Array;
}

/** A surface whose vertices have colours. */
export interface ColouredMesh extends SurfaceMesh {
  /** [vertices,3]: sRGB bytes; nothing where the surface has no colours. */
  readonly colours?: Uint8Array | undefined;
}

/** Smallest and largest coordinates of points [N,3]; `undefined` when there are none. */
export function boundsOf(positions: Float32Array): { minimum: number[]; maximum: number[] } | undefined {
  if (positions.length === 0) return undefined;
  const minimum = [Infinity, Infinity, Infinity];
  const maximum = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    minimum[i % 3] = Math.min(minimum[i % 3], positions[i]);
    maximum[i % 3] = Math.max(maximum[i % 3], positions[i]);
  }
  return { minimum, maximum };
}

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
