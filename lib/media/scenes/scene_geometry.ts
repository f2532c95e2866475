/**
 * Points and surfaces to write.
 *
 * @module
 */

/** Points, or a surface over them. */
export interface SceneGeometry {
  /** [N,3] */
  readonly positions: Float32Array;
  /** [N,3]: sRGB bytes. */
  readonly colours?: Uint8Array | undefined;
  /** [T,3]: indices of points, seen from outside turning to the left; nothing for plain points. */
  readonly triangles?: Uint32Array | undefined;
}

/**
 * Throws unless the lengths fit together, all positions are finite and all indices exist.
 *
 * @throws {RangeError} naming the mismatch.
 */
export function checkGeometry(what: string, { positions, colours, triangles }: SceneGeometry): void {
  const count = positions.length / 3;
  const wrong = (found: string, expected: string) =>
    new RangeError(`Cannot write ${what}: ${found}, expected ${expected}`);
  if (!Number.isInteger(count)) throw wrong(`${positions.length} coordinates`, "three a point");
  if (colours && colours.length !== positions.length) {
    throw wrong(`${colours.length} bytes of colour for ${count} points`, "three a point");
  }
  if (triangles && triangles.length % 3 !== 0) throw wrong(`${triangles.length} corners`, "three a triangle");
  if (!positions.every(Number.isFinite)) throw wrong("a coordinate that is not a finite number", "finite numbers");
  if (triangles && !triangles.every((i) => i < count)) {
    throw wrong("a corner without a point", `indices below ${count}`);
  }
}
