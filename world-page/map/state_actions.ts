import type { CheckpointRecord, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import type { StateLabel } from "./state_labels.ts";

/** What the states on the map and in the graph can do. */
export interface StateActions {
  readonly restore: (checkpoint: CheckpointRecord) => void;
  readonly backTo: (stateId: string) => void;
  readonly reversible: (snapshot: WorldSnapshot) => ReadonlySet<string>;
}

/** Goes to a state if it can be reached. */
export function goTo(actions: StateActions, stateId: string, label: StateLabel): void {
  if (label.reach === "saved" && label.checkpoint) actions.restore(label.checkpoint);
  else if (label.reach === "back") actions.backTo(stateId);
}

/** The name of a state for those who do not see it, with what it does. */
export function fullLabel({ text, action }: StateLabel): string {
  return action ? `${text}: ${action}` : text;
}
