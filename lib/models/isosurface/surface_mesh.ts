/**
 * A surface of triangles.
 *
 * @module
 */

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
