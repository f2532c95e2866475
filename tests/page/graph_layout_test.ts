import assert from "node:assert/strict";
import { test } from "node:test";
import type { StateRecord } from "../../lib/world/protocol/wire.ts";
import { graphLayout } from "../../world-page/map/graph_layout.ts";

/** States from `id: parent` pairs. */
function states(parents: Readonly<Record<string, string | undefined>>): StateRecord[] {
  const depthOf = (id: string): number => parents[id] === undefined ? 0 : depthOf(parents[id]) + 1;
  return Object.entries(parents).map(([stateId, parent]) => ({
    stateId,
    ...(parent !== undefined && { parentStateId: parent }),
    transitionIndex: depthOf(stateId),
    depth: depthOf(stateId),
    retained: true,
  }));
}

function places(parents: Readonly<Record<string, string | undefined>>, path: readonly string[]): string[] {
  return graphLayout(states(parents), path).map(({ state, column, lane }) => `${state.stateId}${column}${lane}`);
}

test("graphLayout() draws the active path along the first lane", () => {
  assert.deepEqual(places({ a: undefined, b: "a", c: "b" }, ["a", "b", "c"]), ["a00", "b10", "c20"]);
});

test("graphLayout() gives each branch a lane of its own, and keeps the active path in the first", () => {
  const tree = { a: undefined, x: "a", b: "a", y: "x", c: "b", z: "b" };
  assert.deepEqual(places(tree, ["a", "b", "c"]), ["a00", "b10", "c20", "z21", "x12", "y22"]);
});

test("graphLayout() joins no state to a parent that is not known any more", () => {
  const [{ from }] = graphLayout([{ ...states({ a: undefined })[0], parentStateId: "gone", depth: 3 }], []);
  assert.equal(from, undefined);
});

test("graphLayout() of nothing is nothing, and of a long walk is as long", () => {
  assert.deepEqual(graphLayout([], []), []);
  const walk = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`s${i}`, i === 0 ? undefined : `s${i - 1}`]));
  assert.equal(graphLayout(states(walk), Object.keys(walk)).at(-1)?.column, 299);
});
