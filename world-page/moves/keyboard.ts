import { OPPOSITE_KEYS } from "../../lib/world/protocol/motion_table.ts";
import type { HeldKeys } from "./held_keys.ts";
import { MOVES } from "./moves.ts";
import type { Step, Walker } from "./walker.ts";

/** The keys that can be held together; of two opposite ones the last counts. */
const opposites = new Map(
  OPPOSITE_KEYS.flatMap(([one, other]): [string, string][] => [[one, other], [other, one]]),
);

/** The keys that make a step of their own. */
const steps = new Map<string, Step>([[" ", MOVES["hold"]], ["backspace", "back"]]);

/** What the keyboard does. */
export interface KeyboardActions {
  readonly cancel: () => void;
  readonly fullScreen: () => void;
  /** Whether letters walk. */
  readonly lettersWalk: () => boolean;
}

/** Walks by keys, several at a time, unless the focused element needs them. */
export function walkByKeyboard(
  held: HeldKeys,
  walker: Walker,
  { cancel, fullScreen, lettersWalk }: KeyboardActions,
): void {
  const letters = new Set<string>();
  const hold = (): void => {
    const down = [...letters];
    held.hold("keyboard", down.filter((key, i) => !down.includes(opposites.get(key)!, i)).join(""));
  };
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    const key = event.key.toLowerCase();
    if (key === "escape") return cancel();
    if (key === "f" && lettersWalk()) return fullScreen();
    const step = steps.get(key);
    const isLetter = opposites.has(key) && lettersWalk();
    if (!step && !isLetter) return;
    event.preventDefault();
    if (event.repeat) return;
    if (step) return walker.press(step);
    letters.add(key);
    hold();
  });
  addEventListener("keyup", (event) => {
    const key = event.key.toLowerCase();
    const step = steps.get(key);
    if (step) walker.release(step);
    if (letters.delete(key)) hold();
  });
  // Keys released while the page is not focused cause no event.
  addEventListener("blur", () => {
    letters.clear();
    hold();
    walker.releaseAll();
  });
}

/** Whether the focused element needs the key: a field, a dialog, or a button that space presses. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog, textarea, input:not([type=checkbox])")) return true;
  return key === " " && target.closest("button, summary, [role=button], input") !== null;
}
