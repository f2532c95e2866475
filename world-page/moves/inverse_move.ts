import type { CameraRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { inverseCamera } from "../../lib/world/protocol/camera_keys.ts";
import type { Trail } from "../session/trail.ts";

/**
 * The inverse of the last move.
 *
 * @throws {Error} saying why there is none, and what can be done instead
 */
export function inverseMove(snapshot: WorldSnapshot, trail: Trail): CameraRecord {
  const { current_state_id: here, state_ids: path, states, checkpoint_count: checkpoints } = snapshot;
  const instead = checkpoints === undefined ? "walk on" : "return to a saved place or walk on";
  if (here === undefined || path.length < 2) throw new Error("Cannot walk back: this is where the walk began");
  if (!states.find(({ state_id }) => state_id === path[path.length - 2])?.retained) {
    throw new Error(`Cannot walk back: the last move is no longer kept, ${instead}`);
  }
  const camera = trail.cameraTo(here);
  if (camera === undefined) {
    throw new Error(
      "Cannot walk back: this page does not know which move led here, " +
        `press the key of the opposite move, or ${instead}`,
    );
  }
  const move = inverseCamera(camera);
  if (move === undefined) {
    throw new Error(`Cannot walk back: the last move was a hold, which has no inverse, ${instead}`);
  }
  return move;
}
