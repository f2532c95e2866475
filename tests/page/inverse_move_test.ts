import assert from "node:assert/strict";
import { test } from "node:test";
import type { WalkRecord } from "../../lib/world/protocol/walk_record.ts";
import type { CameraRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { MOVE_SIZE } from "../../lib/world/protocol/camera_keys.ts";
import { inverseMove, MOVES } from "../../world-page/moves/moves.ts";

/** A walk from a to b, with `checkpoints` checkpoints, or in a world without any. */
function atB(retained: boolean, checkpoints?: number): WorldSnapshot {
  return {
    currentStateId: "b",
    stateIds: ["a", "b"],
    states: [{ stateId: "a", retained }, { stateId: "b", retained: true }],
    ...(checkpoints !== undefined && { checkpointCount: checkpoints }),
  } as unknown as WorldSnapshot;
}

function walkTo(camera: CameraRecord | undefined): WalkRecord {
  const states = [{ stateId: "b", ...(camera && { move: { kind: "transition", request: { camera } } }) }];
  return { states } as unknown as WalkRecord;
}

const strafe = MOVES["strafeRight"].camera({ ...MOVE_SIZE, meters: 0.5 });

test("inverseMove() undoes the move that led here, with its own numbers", () => {
  assert.deepEqual(inverseMove(atB(true), walkTo(strafe)), MOVES["strafeLeft"].camera({ ...MOVE_SIZE, meters: 0.5 }));
});

test("inverseMove() says why it is missing, and names saved places only where the world has them", () => {
  const throws = (snapshot: WorldSnapshot, walk: WalkRecord, words: RegExp) =>
    assert.throws(() => inverseMove(snapshot, walk), { message: words });
  throws({ ...atB(true), stateIds: ["b"] }, walkTo(strafe), /^Cannot walk back: this is where the walk began$/);
  throws(atB(false, 0), walkTo(strafe), /is no longer kept, return to a saved place or walk on$/);
  throws(atB(false), walkTo(strafe), /is no longer kept, walk on$/);
  throws(atB(true), walkTo(undefined), /what led here was not a single move/);
  throws(
    atB(true),
    walkTo(MOVES["hold"].camera(MOVE_SIZE)),
    /^Cannot walk back: the last move was a hold, which has no inverse, walk on$/,
  );
});
