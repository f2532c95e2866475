import type { CameraRecord, WorldSnapshot } from "../lib/world/protocol/wire.ts";
import { inverse } from "./moves.ts";
import type { Trail } from "./trail.ts";

/**
 * The move that walks the last one back.
 *
 * @throws {Error} in words when there is none, with what can be done instead
 */
export function wayBack(snapshot: WorldSnapshot, trail: Trail): CameraRecord {
  const { current_state_id: here, state_ids: path, states, checkpoint_count: locks } = snapshot;
  const instead = locks === undefined ? "walk on" : "return to a lock or walk on";
  if (here === undefined || path.length < 2) throw new Error("Cannot walk back: this is where the walk began");
  if (!states.find(({ state_id }) => state_id === path[path.length - 2])?.retained) {
    throw new Error(`Cannot walk back: the last move is not kept for it, ${instead}`);
  }
  const camera = trail.cameraTo(here);
  if (camera === undefined) {
    throw new Error(
      "Cannot walk back: this page has not seen by which move the walk came here, " +
        `press the opposite key of that move, or ${instead}`,
    );
  }
  const way = inverse(camera);
  if (way === undefined) throw new Error(`Cannot walk back over a hold: it has no opposite, ${instead}`);
  return way;
}
