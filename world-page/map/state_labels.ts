/**
 * The states on the map and in the graph: their labels, what they can do, and the focus among them.
 *
 * @module
 */
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
  const here = state.stateId === snapshot.currentStateId;
  const checkpoint = checkpoints.find(({ stateId }) => stateId === state.stateId);
  const name = state.parentStateId === undefined ? "Start" : `State ${state.transitionIndex}`;
  const text = [
    name,
    ...(here ? ["you are here"] : []),
    ...(checkpoint ? [`saved as ${checkpoint.name}`] : []),
    ...(here || checkpoint ? [] : [state.retained ? "can be returned to" : "cannot be returned to"]),
  ].join(", ");
  if (here) return { text, reach: "here", ...(checkpoint && { checkpoint }) };
  if (checkpoint) return { text, action: "return to it", reach: "saved", checkpoint };
  return reversible.has(state.stateId) ? { text, action: "walk back to it", reach: "back" } : { text, reach: "none" };
}

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

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Lets the arrow keys move the focus between the states of a drawing. */
export function roveByArrows(drawing: HTMLElement): void {
  drawing.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const marks = [...drawing.querySelectorAll<SVGElement>(".state")];
    const at = marks.indexOf(event.target as SVGElement);
    const next = marks[at + (step ?? 0)];
    if (step === undefined || at < 0 || !next) return;
    event.preventDefault();
    for (const mark of marks) mark.setAttribute("tabindex", mark === next ? "0" : "-1");
    next.focus();
  });
}

/** Draws, and gives the focus back to the state that had it. */
export function keepingFocus(drawing: HTMLElement, draw: () => void): void {
  const focused = drawing.contains(document.activeElement)
    ? document.activeElement?.getAttribute("data-state")
    : undefined;
  draw();
  if (!focused) return;
  const mark = drawing.querySelector<SVGElement>(`[data-state="${focused}"]`);
  if (!mark) return;
  for (const other of drawing.querySelectorAll(".state")) other.setAttribute("tabindex", other === mark ? "0" : "-1");
  mark.focus();
}
