import assert from "node:assert/strict";
import { test } from "node:test";
import type { CameraRecord, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { MOVE_SIZE, MOVES } from "../../world-page/moves.ts";
import type { Trail } from "../../world-page/trail.ts";
import { wayBack } from "../../world-page/way_back.ts";

/** A walk from a to b, in a world with locks when their number is given. */
function atB(retained: boolean, locks?: number): WorldSnapshot {
  return {
    current_state_id: "b",
    state_ids: ["a", "b"],
    states: [{ state_id: "a", retained }, { state_id: "b", retained: true }],
    ...(locks !== undefined && { checkpoint_count: locks }),
  } as unknown as WorldSnapshot;
}

function trailTo(b: CameraRecord | undefined): Trail {
  return { cameraTo: (id: string) => id === "b" ? b : undefined } as Trail;
}

const strafe = MOVES["strafeRight"].camera({ ...MOVE_SIZE, meters: 0.5 });

test("wayBack() undoes the move that led here, with its own numbers", () => {
  assert.deepEqual(wayBack(atB(true), trailTo(strafe)), MOVES["strafeLeft"].camera({ ...MOVE_SIZE, meters: 0.5 }));
});

test("wayBack() tells why there is none, and names locks only where the world has them", () => {
  const told = (snapshot: WorldSnapshot, trail: Trail, words: RegExp) =>
    assert.throws(() => wayBack(snapshot, trail), { message: words });
  told({ ...atB(true), state_ids: ["b"] }, trailTo(strafe), /^Cannot walk back: this is where the walk began$/);
  told(atB(false, 0), trailTo(strafe), /is not kept for it, return to a lock or walk on$/);
  told(atB(false), trailTo(strafe), /is not kept for it, walk on$/);
  told(atB(true), trailTo(undefined), /has not seen by which move/);
  told(
    atB(true),
    trailTo(MOVES["hold"].camera(MOVE_SIZE)),
    /^Cannot walk back over a hold: it has no opposite, walk on$/,
  );
});
