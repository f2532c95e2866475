import type { CheckpointRecord, StateRecord, WorldSnapshot } from "../../lib/world/protocol/wire.ts";

/** How a state can be reached from the current one. */
export type Reach = "here" | "saved" | "back" | "none";

/** The text of a state, and how it can be reached. */
export interface StateLabel {
  /** Such as `State 3, saved as Door`. */
  readonly text: string;
  /** The available action, such as `walk back to it`, if any. */
  readonly action?: string;
  readonly reach: Reach;
  /** The checkpoint of the state. */
  readonly checkpoint?: CheckpointRecord;
}

/**
 * Labels a state of a session.
 *
 * @param reversible ids of the states that inverse moves lead back to
 */
export function stateLabel(
  state: StateRecord,
  snapshot: WorldSnapshot,
  checkpoints: readonly CheckpointRecord[],
  reversible: ReadonlySet<string>,
): StateLabel {
  const here = state.state_id === snapshot.current_state_id;
  const checkpoint = checkpoints.find(({ state_id }) => state_id === state.state_id);
  const name = state.parent_state_id === undefined ? "Start" : `State ${state.transition_index}`;
  const text = [
    name,
    ...(here ? ["you are here"] : []),
    ...(checkpoint ? [`saved as ${checkpoint.name}`] : []),
    ...(here || checkpoint ? [] : [state.retained ? "can be returned to" : "cannot be returned to"]),
  ].join(", ");
  if (here) return { text, reach: "here", ...(checkpoint && { checkpoint }) };
  if (checkpoint) return { text, action: "return to it", reach: "saved", checkpoint };
  return reversible.has(state.state_id) ? { text, action: "walk back to it", reach: "back" } : { text, reach: "none" };
}
