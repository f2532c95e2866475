/**
 * What can be counted and measured of a mesh.
 *
 * @module
 */
import type { SurfaceMesh } from "../../lib/models/isosurface/surface_mesh.ts";

/** Counts, topology and measures of a mesh. */
export interface MeshFacts {
  readonly vertices: number;
  readonly triangles: number;
  readonly edges: number;
  /** Vertices less edges plus triangles. */
  readonly euler: number;
  /** Every edge belongs to two triangles. */
  readonly watertight: boolean;
  /** No edge is gone along in the same direction twice. */
  readonly consistent_orientation: boolean;
  readonly area: number;
  /** Above 0 when the triangles are outward. */
  readonly volume: number;
}

export function meshFacts({ positions, triangles }: SurfaceMesh): MeshFacts {
  const edges = new Map<number, number>();
  const directed = new Set<number>();
  const vertices = positions.length / 3;
  let [area, volume, repeated] = [0, 0, false];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => positions.subarray(3 * triangles[t + i], 3 * triangles[t + i] + 3));
    const [u, v] = [b, c].map((p) => [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    area += Math.hypot(...normal) / 2;
    volume += (a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]) / 6;
    for (let i = 0; i < 3; i++) {
      const [from, to] = [triangles[t + i], triangles[t + (i + 1) % 3]];
      const key = Math.min(from, to) * vertices + Math.max(from, to);
      edges.set(key, (edges.get(key) ?? 0) + 1);
      repeated ||= directed.has(from * vertices + to);
      directed.add(from * vertices + to);
    }
  }
  const count = triangles.length / 3;
  return {
    vertices,
    triangles: count,
    edges: edges.size,
    euler: vertices - edges.size + count,
    watertight: [...edges.values()].every((n) => n === 2),
    consistent_orientation: !repeated,
    area,
    volume,
  };
}
