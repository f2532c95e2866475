import assert from "node:assert/strict";
import { test } from "node:test";
import type { WalkRecord, WalkState } from "../../lib/world/protocol/walk_record.ts";
import { planCamera, planLayout } from "../../world-page/map/plan_layout.ts";
import { markSize } from "../../world-page/map/plan_marks.ts";
import { fitWindow, inDrawing, isInSight, zoomed } from "../../world-page/map/plan_window.ts";

const SIZE = { width: 320, height: 240 };

/** A world-to-camera pose at (x, z), turned to the right by an angle. */
function pose(x: number, z: number, degrees = 0): number[] {
  const [c, s] = [Math.cos(degrees * Math.PI / 180), Math.sin(degrees * Math.PI / 180)];
  return [c, 0, -s, -(c * x - s * z), 0, 1, 0, 0, s, 0, c, -(s * x + c * z), 0, 0, 0, 1];
}

function state(id: string, parent: string | undefined, x: number, z: number, degrees?: number): WalkState {
  return {
    stateId: id,
    ...(parent !== undefined && { parentStateId: parent, move: { kind: "transition", positions: [[x, 0, z]] } }),
    worldPose: { worldToCamera: pose(x, z, degrees) },
  };
}

function walk(...states: WalkState[]): WalkRecord {
  return { object: "world.walk", sessionId: "s", backend: "arworld", states, viewAngleDegrees: 90 };
}

test("planCamera() finds position and turn of a pose", () => {
  const { x, z, turn } = planCamera(pose(3, -2, 30));
  for (const [is, expected] of [[x, 3], [z, -2], [turn, Math.PI / 6]]) assert.ok(Math.abs(is - expected) < 1e-9);
});

test("planLayout() keeps abandoned branches apart from the active path, and the camera on top", () => {
  const { ways, places, here, view } = planLayout(
    walk(state("a", undefined, 0, 0), state("b", "a", 0, 1), state("x", "b", 1, 1), state("c", "b", 0, 2, 90)),
    ["a", "b", "c"],
  );
  assert.deepEqual(ways.map(({ active, points }) => [active, points.length]), [[false, 2], [true, 2], [true, 2]]);
  assert.deepEqual(places.map(({ id, active }) => [id, active]), [["x", false], ["a", true], ["b", true], ["c", true]]);
  assert.equal(here?.id, "c");
  assert.ok(Math.abs(here!.turn - Math.PI / 2) < 1e-9 && Math.abs(view - Math.PI / 2) < 1e-9);
});

test("planLayout() draws no way from a state that is no longer known, and nothing without a walk", () => {
  assert.deepEqual(planLayout(walk(state("b", "gone", 0, 1)), ["b"]).ways, []);
  assert.deepEqual(planLayout(walk(), []).places, []);
});

test("planLayout() measures how far states usually are from each other, whatever turns in one place", () => {
  const turns = walk(state("a", undefined, 0, 0), state("b", "a", 0, 0, 15));
  assert.equal(planLayout(turns, ["a", "b"]).pace, undefined);
  const moves = walk(...turns.states, state("c", "b", 0, 2), state("d", "c", 0, 4), state("e", "d", 9, 4));
  assert.equal(planLayout(moves, ["a", "b", "c", "d", "e"]).pace, 2);
});

test("markSize() keeps marks apart as long as they can be seen", () => {
  assert.deepEqual([undefined, 400, 16, 12, 3, 0].map(markSize), [1, 1, 1, 0.75, 0.5, 0.5]);
});

test("fitWindow() shows every place at any scale of the world, forward up and right to the right", () => {
  for (const unit of [1e-6, 1, 1e30]) {
    const plan = planLayout(walk(state("a", undefined, 0, 0), state("b", "a", 2 * unit, 3 * unit)), ["a", "b"]);
    const window = fitWindow(plan, SIZE);
    const [a, b] = ["a", "b"].map((id) => inDrawing(plan.places.find((place) => place.id === id)!, window, SIZE));
    assert.ok(a.x < b.x && a.y > b.y, JSON.stringify([a, b]));
    assert.ok(plan.places.every((place) => isInSight(place, window, SIZE)));
  }
});

test("fitWindow() has a scale where nothing has moved", () => {
  const window = fitWindow(planLayout(walk(state("a", undefined, 0, 0)), ["a"]), SIZE);
  assert.ok(window.scale > 0 && Number.isFinite(window.scale));
  assert.deepEqual(fitWindow(planLayout(walk(), []), SIZE), { x: 0, z: 0, scale: 1 });
});

test("zoomed() keeps the point under the pointer, and ends before numbers do", () => {
  const at = { x: 40, y: 200 };
  const before = { x: 1, z: 2, scale: 10 };
  const point = { x: 1 + (40 - 160) / 10, z: 2 + (120 - 200) / 10 };
  const drawn = inDrawing(point, zoomed(before, 3, SIZE, at), SIZE);
  assert.ok(Math.hypot(drawn.x - at.x, drawn.y - at.y) < 1e-9);
  assert.deepEqual(zoomed({ ...before, scale: 9e8 }, 10, SIZE), { ...before, scale: 9e8 });
});
