import { MOVES } from "./moves.ts";
import type { Step, Walker } from "./walker.ts";

const steps = new Map<string, Step>([
  ...Object.values(MOVES).map((move): [string, Step] => [move.key, move]),
  ["backspace", "back"],
]);

/** Walks by keys, unless the focused element needs them. */
export function walkByKeyboard(
  walker: Walker,
  lettersWalk: () => boolean,
  { cancel, fullScreen }: { readonly cancel: () => void; readonly fullScreen: () => void },
): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    const key = event.key.toLowerCase();
    if (key === "escape") return cancel();
    if (key === "f" && lettersWalk()) return fullScreen();
    const step = steps.get(key);
    if (step === undefined || (key.length === 1 && key !== " " && !lettersWalk())) return;
    event.preventDefault();
    if (!event.repeat) walker.press(step);
  });
  addEventListener("keyup", (event) => {
    const step = steps.get(event.key.toLowerCase());
    if (step !== undefined) walker.release(step);
  });
  // Keys released while the page is not focused cause no event.
  addEventListener("blur", () => walker.releaseAll());
}

/** Whether the focused element needs the key: a field, a dialog, or a button that space presses. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog, textarea, input:not([type=checkbox])")) return true;
  return key === " " && target.closest("button, summary, [role=button], input") !== null;
}
