import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorldClient } from "../../lib/world/client/world_client.ts";
import { MOVE_SIZE } from "../../lib/world/protocol/camera_keys.ts";
import type { WalkRecord } from "../../lib/world/protocol/walk_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { MOVES } from "../../world-page/moves/moves.ts";
import { cameraTo, lastPrompt, reversibleStates, WalkFeed } from "../../world-page/session/walk_feed.ts";

/** The record of a walk along moves, from state to state. */
function walkOf(moves: Readonly<Record<string, string | undefined>>): WalkRecord {
  const states = Object.entries(moves).map(([stateId, move]) => ({
    stateId,
    ...(move !== undefined && {
      move: move === "keys"
        ? { kind: "rollout", request: { actionSeq: ["w"] }, positions: [] }
        : { kind: "transition", request: { camera: MOVES[move].camera(MOVE_SIZE) }, positions: [] },
    }),
  }));
  return { object: "world.walk", sessionId: "s", backend: "arworld", states } as unknown as WalkRecord;
}

function at(path: readonly string[], kept = path): WorldSnapshot {
  const states = path.map((stateId) => ({ stateId, retained: kept.includes(stateId) }));
  return { sessionId: "s", stateIds: path, states } as unknown as WorldSnapshot;
}

test("reversibleStates() stops at a hold, at a walk by keys, and at moves that are not known or not kept", () => {
  const walk = walkOf({ a: undefined, b: "hold", c: "forward", d: "yawLeft", k: "keys" });
  const back = (snapshot: WorldSnapshot): string[] => [...reversibleStates(walk, snapshot)];
  assert.deepEqual(back(at(["a", "b", "c", "d"])), ["c", "b"]);
  assert.deepEqual(back(at(["a", "b", "c", "d"], ["a", "c"])), ["c"]);
  assert.deepEqual(back(at(["a", "k"])), []);
  assert.deepEqual(back(at(["a", "x"])), []);
  assert.deepEqual([...reversibleStates(undefined, at(["a", "c"]))], []);
});

test("cameraTo() is the move that led to a state", () => {
  assert.deepEqual(cameraTo(walkOf({ b: "forward" }), "b"), MOVES["forward"].camera(MOVE_SIZE));
  assert.equal(cameraTo(walkOf({ b: "keys" }), "b"), undefined);
});

test("lastPrompt() is that of the move to the current state, and none at a source image", () => {
  const move = { kind: "rollout", request: { prompt: "a courtyard" }, positions: [] };
  const walk = {
    ...walkOf({ a: undefined }),
    states: [{ stateId: "a" }, { stateId: "b", move }],
  } as unknown as WalkRecord;
  assert.equal(lastPrompt({ ...walk, currentStateId: "b" }), "a courtyard");
  assert.equal(lastPrompt({ ...walk, currentStateId: "a" }), undefined);
  assert.equal(lastPrompt(undefined), undefined);
});

test("WalkFeed.of() asks for the record again only where it lacks a state of the snapshot", async () => {
  let asked = 0;
  const records = [walkOf({ a: undefined }), walkOf({ a: undefined, b: "forward" })];
  const walk = () => Promise.resolve(records[asked++]);
  const feed = new WalkFeed({ walk } as unknown as WorldClient, () => {});
  assert.equal((await feed.of(at(["a"]))).states.length, 1);
  assert.equal((await feed.of(at(["a"]))).states.length, 1);
  assert.equal(asked, 1);
  assert.equal((await feed.of(at(["a", "b"]))).states.length, 2);
  assert.equal(asked, 2);
});
