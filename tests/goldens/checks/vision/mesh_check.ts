/**
 * Checks of surfaces against closed formulas and against another program's.
 *
 * @module
 */
import {
  closedExtent,
  type GridField,
  nodePlace,
  nodePositions,
} from "../../../../lib/models/isosurface/grid_field.ts";
import { marchingTetrahedra } from "../../../../lib/models/isosurface/marching_tetrahedra.ts";
import { SparseGrid } from "../../../../lib/models/isosurface/sparse_grid.ts";
import { boundsOf, type SurfaceMesh } from "../../../../lib/models/isosurface/surface_mesh.ts";
import { OperationSteps } from "../../../../lib/models/vision/operation.ts";
import type { Comparison } from "../../golden.ts";
import { meshFacts } from "../../../support/mesh_facts.ts";

interface Parameters {
  readonly c: readonly number[];
  readonly a: readonly number[];
  readonly r: number;
  readonly R: number;
  readonly k: number;
}

interface Facts {
  readonly vertices: number;
  readonly triangles: number;
  readonly edges: number;
  readonly euler: number;
  readonly watertight: boolean;
  readonly consistent_orientation: boolean;
  readonly area: number;
  readonly volume: number;
  readonly bounds: readonly [readonly number[], readonly number[]];
}

interface MeshCase {
  readonly field: string;
  readonly parameters?: Parameters;
  readonly resolution: number;
  readonly radius?: number;
  readonly threshold: number;
  readonly marching_tetrahedra: Facts;
  readonly padded_with_zeros?: Facts;
}

/** Natural logarithm of each field over its threshold, as networks give it. */
const fields: Readonly<Record<string, (p: Parameters, at: readonly number[]) => number>> = {
  sphere: ({ c, r, k }, at) => k * (r - Math.hypot(...at.map((v, i) => v - c[i]))),
  torus: ({ c, R, r, k }, [x, y, z]) => k * (r - Math.hypot(Math.hypot(x - c[0], y - c[1]) - R, z - c[2])),
  two_spheres: ({ c, r, k }, at) => {
    const one = (sign: number) => Math.exp(k * (r - Math.hypot(...at.map((v, i) => v - sign * c[i]))));
    return Math.log(one(1) + one(-1));
  },
  ellipsoid: ({ a, k }, at) => k * (1 - Math.hypot(...at.map((v, i) => v / a[i]))),
  shell: ({ R, r, k }, at) => k * (r - Math.abs(Math.hypot(...at) - R)),
  slab: (_, [x]) => 4 * (0.3 - Math.abs(x - 0.05)),
  empty: () => -1,
};

function gridField({ field, parameters, resolution, threshold, radius = 1 }: MeshCase): GridField {
  const value = fields[field];
  return {
    nodes: resolution,
    channels: 1,
    level: 0,
    shape: (log) => threshold * Math.exp(log),
    evaluate(nodes) {
      const positions = nodePositions(nodes, resolution, radius);
      return Promise.resolve(
        Float32Array.from(nodes, (_, i) => value(parameters!, [...positions.subarray(3 * i, 3 * i + 3)])),
      );
    },
  };
}

/** Counts, topology, area, volume and bounds of the surface of each field. */
export async function checkMeshFacts(json: unknown): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const c of (json as { readonly cases: readonly MeshCase[] }).cases) {
    const field = gridField(c);
    const name = `${c.field} ${c.resolution}`;
    const extent = c.radius ?? 1;
    comparisons.push(...compareFacts(name, await surface(field, extent), c.marching_tetrahedra));
    if (!c.padded_with_zeros) continue;
    const closed = await surface(paddedField(field), closedExtent(c.resolution, extent));
    comparisons.push(...compareFacts(`${name} closed`, closed, c.padded_with_zeros));
  }
  return comparisons;
}

/** The field with one more layer of nodes whose density is zero. */
function paddedField(field: GridField): GridField {
  const nodes = field.nodes + 2;
  return {
    ...field,
    nodes,
    async evaluate(wanted) {
      const places = Array.from(wanted, (node) => nodePlace(node, nodes).map((v) => v - 1));
      const inside = (place: number[]) => place.every((v) => v >= 0 && v < field.nodes);
      const inner = places.map((p) => (inside(p) ? (p[0] * field.nodes + p[1]) * field.nodes + p[2] : 0));
      const values = await field.evaluate(Int32Array.from(inner));
      return values.map((v, i) => (inside(places[i]) ? v : -Infinity));
    },
  };
}

async function surface(field: GridField, extent: number): Promise<SurfaceMesh> {
  return marchingTetrahedra(await SparseGrid.build(field, new OperationSteps(1, {})), extent);
}

function compareFacts(name: string, mesh: SurfaceMesh, expected: Facts): Comparison[] {
  const facts = meshFacts(mesh);
  const exact = (what: keyof Facts) => {
    const [ours, theirs] = [Number(facts[what as keyof typeof facts]), Number(expected[what])];
    return { name: `${name} ${what}`, maxAbs: Math.abs(ours - theirs), tolerance: 0 };
  };
  const near = (what: "area" | "volume") => ({
    name: `${name} ${what}`,
    maxAbs: Math.abs(facts[what] - expected[what]) / expected[what],
    tolerance: 1e-5,
  });
  const counts = (["vertices", "triangles"] as const).map(exact);
  if (expected.vertices === 0) return counts;
  const bounds = boundsOf(mesh.positions)!;
  const ours = [...bounds.minimum, ...bounds.maximum];
  const theirs = expected.bounds.flat();
  return [
    ...counts,
    ...(["edges", "euler", "watertight", "consistent_orientation"] as const).map(exact),
    near("area"),
    near("volume"),
    { name: `${name} bounds`, maxAbs: Math.max(...ours.map((v, i) => Math.abs(v - theirs[i]))), tolerance: 1e-5 },
  ];
}
