import { test } from "node:test";
import assert from "node:assert/strict";
import { closedExtent, closedField, type GridField, nodePositions } from "../../../lib/models/isosurface/grid_field.ts";
import { marchingTetrahedra } from "../../../lib/models/isosurface/marching_tetrahedra.ts";
import { SparseGrid } from "../../../lib/models/isosurface/sparse_grid.ts";
import { OperationSteps } from "../../../lib/models/vision/operation.ts";
import { meshFacts } from "../../support/mesh_facts.ts";
import { seededRandom } from "../../support/random.ts";

type Place = readonly [number, number, number];

/** A field and how many nodes of it were asked for. */
function counted(nodes: number, value: (place: Place) => number): { field: GridField; asked: () => number } {
  let asked = 0;
  const field: GridField = {
    nodes,
    channels: 1,
    level: 0,
    evaluate(wanted) {
      asked += wanted.length;
      const p = nodePositions(wanted, nodes, 1);
      return Promise.resolve(Float32Array.from(wanted, (_, i) => value([p[3 * i], p[3 * i + 1], p[3 * i + 2]])));
    },
  };
  return { field, asked: () => asked };
}

const build = (field: GridField) => SparseGrid.build(field, new OperationSteps(1, {}));

/** Volume by counting nodes inside, as a measure of its own. */
function volume(nodes: number, value: (place: Place) => number): number {
  const all = nodePositions(Int32Array.from({ length: nodes ** 3 }, (_, i) => i), nodes, 1);
  let inside = 0;
  for (let i = 0; i < all.length; i += 3) if (value([all[i], all[i + 1], all[i + 2]]) > 0) inside++;
  return inside * (2 / (nodes - 1)) ** 3;
}

const fields: Record<string, (place: Place) => number> = {
  "a thin rod": ([x, y, z]) => 0.08 - Math.hypot(x - 0.1, y + 0.2) + Math.min(0, 0.7 - Math.abs(z)),
  "two far bodies": ([x, y, z]) => 0.3 - Math.min(Math.hypot(x - 0.6, y, z), Math.hypot(x + 0.6, y, z - 0.3)),
  "a plate": ([x, y, z]) => Math.min(0.05 - Math.abs(x + 0.3 * y), 0.8 - Math.abs(y), 0.8 - Math.abs(z)),
};

for (const [name, value] of Object.entries(fields)) {
  test(`SparseGrid finds ${name} with a part of the nodes`, async () => {
    const { field, asked } = counted(66, value);
    const facts = meshFacts(marchingTetrahedra(await build(field), 1));
    const expected = volume(66, value);
    assert.ok(facts.watertight && facts.consistent_orientation);
    assert.ok(Math.abs(facts.volume / expected - 1) < 0.12, `${facts.volume}, ${expected}`);
    assert.ok(asked() < 0.5 * 66 ** 3, `${asked()} nodes`);
  });
}

test("grids of every small size are closed, whatever the field", async () => {
  const random = seededRandom(3);
  for (let nodes = 2; nodes <= 11; nodes++) {
    const noise = Float32Array.from({ length: nodes ** 3 }, () => random() - 0.5);
    const field: GridField = {
      nodes,
      channels: 1,
      level: 0,
      evaluate: (wanted) => Promise.resolve(Float32Array.from(wanted, (node) => noise[node])),
    };
    noise[0] = 0.5; // so that there is something inside
    const mesh = marchingTetrahedra(await build(closedField(field, -1)), closedExtent(nodes, 1));
    const facts = meshFacts(mesh);
    assert.ok(
      facts.watertight && facts.consistent_orientation && facts.volume > 0,
      `${nodes}: ${JSON.stringify(facts)}`,
    );
  }
});

test("values that are not numbers are outside, infinite ones leave vertices on their edges", async () => {
  const { field } = counted(9, ([x, y, z]) => (x > 0.6 ? NaN : Math.hypot(x, y, z) < 0.5 ? Infinity : -Infinity));
  const mesh = marchingTetrahedra(await build(closedField(field, -Infinity)), closedExtent(9, 1));
  assert.ok(mesh.positions.every(Number.isFinite) && meshFacts(mesh).watertight);
});

test("SparseGrid.build() stops when it is cancelled", async () => {
  const steps = new OperationSteps(1, { signal: AbortSignal.abort() });
  await assert.rejects(SparseGrid.build(counted(9, () => 1).field, steps), { name: "AbortError" });
});
