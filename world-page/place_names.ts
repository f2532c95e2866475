import type { CheckpointRecord, StateRecord, WorldSnapshot } from "../lib/world/protocol/wire.ts";

/** How a place can be reached from where the session stands. */
export type Reach = "here" | "lock" | "back" | "none";

/** A place in words, and how it can be reached. */
export interface PlaceWords {
  /** Such as `Place 3, locked as Door`. */
  readonly text: string;
  /** What can be done, such as `walk back to it`; undefined where nothing can. */
  readonly action?: string;
  readonly reach: Reach;
  /** The lock that leads there. */
  readonly lock?: CheckpointRecord;
}

/**
 * Names a place of a session.
 *
 * @param waysBack ids of the states that can be walked back to
 */
export function placeWords(
  state: StateRecord,
  snapshot: WorldSnapshot,
  locks: readonly CheckpointRecord[],
  waysBack: ReadonlySet<string>,
): PlaceWords {
  const here = state.state_id === snapshot.current_state_id;
  const lock = locks.find(({ state_id }) => state_id === state.state_id);
  const name = state.parent_state_id === undefined ? "Start" : `Place ${state.transition_index}`;
  const text = [
    name,
    ...(here ? ["you are here"] : []),
    ...(lock ? [`locked as ${lock.name}`] : []),
    ...(here || lock ? [] : [state.retained ? "can be returned to" : "only passed"]),
  ].join(", ");
  if (here) return { text, reach: "here", ...(lock && { lock }) };
  if (lock) return { text, action: "return to it", reach: "lock", lock };
  return waysBack.has(state.state_id) ? { text, action: "walk back to it", reach: "back" } : { text, reach: "none" };
}
