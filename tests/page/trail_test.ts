import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { MOVE_SIZE } from "../../lib/world/protocol/camera_keys.ts";
import { MOVES } from "../../world-page/moves/moves.ts";
import { Trail } from "../../world-page/session/trail.ts";

/** A storage that lives as long as a test. */
function storage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  } as Storage;
}

function completed(stateId: string, move: string, replayed = false): JobRecord {
  return { receipt: { stateId, camera: MOVES[move].camera(MOVE_SIZE), replayed } } as JobRecord;
}

function at(path: readonly string[], kept = path): WorldSnapshot {
  const states = path.map((stateId) => ({ stateId, retained: kept.includes(stateId) }));
  return { stateIds: path, states } as unknown as WorldSnapshot;
}

test("Trail.reversible() stops at a hold and at moves that were not seen or are not kept", () => {
  const trail = new Trail(storage());
  trail.note(completed("b", "hold"));
  trail.note(completed("c", "forward"));
  trail.note(completed("d", "yawLeft"));
  assert.deepEqual([...trail.reversible(at(["a", "b", "c", "d"]))], ["c", "b"]);
  assert.deepEqual([...trail.reversible(at(["a", "b", "c", "d"], ["a", "c"]))], ["c"]);
  assert.deepEqual([...trail.reversible(at(["a", "x"]))], []);
});

test("Trail keeps the move that first led to a state, not the one that was walked back", () => {
  const trail = new Trail(storage());
  trail.note(completed("b", "forward"));
  trail.note(completed("b", "yawRight", true));
  assert.deepEqual(trail.cameraTo("b"), MOVES["forward"].camera(MOVE_SIZE));
});

test("Trail is still known to the next page of the tab", () => {
  const tab = storage();
  new Trail(tab).note(completed("b", "lookUp"));
  assert.deepEqual(new Trail(tab).cameraTo("b"), MOVES["lookUp"].camera(MOVE_SIZE));
});
