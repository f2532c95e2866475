import assert from "node:assert/strict";
import { test } from "node:test";
import type { CameraRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { MOVE_SIZE } from "../../lib/world/protocol/camera_keys.ts";
import { inverseMove, MOVES } from "../../world-page/moves/moves.ts";
import type { Trail } from "../../world-page/session/trail.ts";

/** A walk from a to b, with `checkpoints` checkpoints, or in a world without any. */
function atB(retained: boolean, checkpoints?: number): WorldSnapshot {
  return {
    currentStateId: "b",
    stateIds: ["a", "b"],
    states: [{ stateId: "a", retained }, { stateId: "b", retained: true }],
    ...(checkpoints !== undefined && { checkpointCount: checkpoints }),
  } as unknown as WorldSnapshot;
}

function trailTo(b: CameraRecord | undefined): Trail {
  return { cameraTo: (id: string) => id === "b" ? b : undefined } as Trail;
}

const strafe = MOVES["strafeRight"].camera({ ...MOVE_SIZE, meters: 0.5 });

test("inverseMove() undoes the move that led here, with its own numbers", () => {
  assert.deepEqual(inverseMove(atB(true), trailTo(strafe)), MOVES["strafeLeft"].camera({ ...MOVE_SIZE, meters: 0.5 }));
});

test("inverseMove() says why it is missing, and names saved places only where the world has them", () => {
  const throws = (snapshot: WorldSnapshot, trail: Trail, words: RegExp) =>
    assert.throws(() => inverseMove(snapshot, trail), { message: words });
  throws({ ...atB(true), stateIds: ["b"] }, trailTo(strafe), /^Cannot walk back: this is where the walk began$/);
  throws(atB(false, 0), trailTo(strafe), /is no longer kept, return to a saved place or walk on$/);
  throws(atB(false), trailTo(strafe), /is no longer kept, walk on$/);
  throws(atB(true), trailTo(undefined), /does not have the move/);
  throws(
    atB(true),
    trailTo(MOVES["hold"].camera(MOVE_SIZE)),
    /^Cannot walk back: the last move was a hold, which has no inverse, walk on$/,
  );
});
