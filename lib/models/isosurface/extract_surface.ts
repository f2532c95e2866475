/**
 * From a field and its colours to a mesh.
 *
 * @module
 */
import type { OperationSteps } from "../vision/operation.ts";
import { closedExtent, closedField, type GridField } from "./grid_field.ts";
import { marchingTetrahedra } from "./marching_tetrahedra.ts";
import { EVALUATION_BATCH, SparseGrid } from "./sparse_grid.ts";
import { type ColouredMesh, emptySurfaceError, type SurfaceMesh } from "./surface_mesh.ts";

/** What a surface is made from. */
interface SurfaceSource {
  readonly field: GridField;
  /** Coordinate of the grid's last node along every axis; the first one lies opposite. */
  readonly extent: number;
  /** The field's level in words, for the error that says that nothing crosses it. */
  readonly levelName: string;
  /** Value outside of the grid, below the level. */
  readonly outside: number;
  /** Colours in 0..1 of points [N,3]; nothing for a surface without colours. */
  readonly colours?: ((points: Float32Array) => Promise<Float32Array>) | undefined;
}

/** Share of a grid's nodes that a usual surface needs, for the progress. */
const EXPECTED_SHARE = 0.08;

/** Share of the work that colours are, for the progress. */
const COLOUR_SHARE = 0.2;

/**
 * A closed surface with outward triangles in the axes of glTF files: x right, y up, z to the viewer of the front.
 *
 * @throws {SvcError} when the field does not cross its level, or the surface has too many triangles.
 */
export async function extractSurface(source: SurfaceSource, steps: OperationSteps): Promise<ColouredMesh> {
  const { field, extent, outside, colours } = source;
  const fieldSteps = steps.part(1 - COLOUR_SHARE, EXPECTED_SHARE * field.nodes ** 3);
  const grid = await SparseGrid.build(closedField(field, outside), fieldSteps);
  steps.check();
  const mesh = marchingTetrahedra(grid, closedExtent(field.nodes, extent));
  if (mesh.triangles.length === 0) throw emptySurfaceError(source.levelName);
  const bytes = colours && await vertexColours(mesh, colours, steps.part(COLOUR_SHARE, mesh.positions.length / 3));
  turnToViewer(mesh.positions);
  return { ...mesh, colours: bytes };
}

async function vertexColours(
  { positions }: SurfaceMesh,
  colours: (points: Float32Array) => Promise<Float32Array>,
  steps: OperationSteps,
): Promise<Uint8Array> {
  const bytes = new Uint8ClampedArray(positions.length);
  for (let start = 0; start < positions.length; start += 3 * EVALUATION_BATCH) {
    const points = positions.subarray(start, start + 3 * EVALUATION_BATCH);
    const values = await steps.step(points.length / 3, () => colours(points));
    values.forEach((v, i) => bytes[start + i] = 255 * v);
  }
  return new Uint8Array(bytes.buffer);
}

/** Networks of objects have z up and their front along x; changes positions in place. */
function turnToViewer(positions: Float32Array): void {
  for (let i = 0; i < positions.length; i += 3) {
    const [front, right, up] = [positions[i], positions[i + 1], positions[i + 2]];
    positions[i] = right;
    positions[i + 1] = up;
    positions[i + 2] = front;
  }
}
