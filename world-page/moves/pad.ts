import { MOVES } from "./moves.ts";
import type { Step, Walker } from "./walker.ts";

/** Walks by buttons on the screen: while one is pressed, or once for a keyboard or screen reader click. */
export function walkByButtons(walker: Walker): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-move], #back")) {
    holdToWalk(button, walker, MOVES[button.dataset["move"] ?? ""] ?? "back");
  }
}

function holdToWalk(button: HTMLButtonElement, walker: Walker, step: Step): void {
  button.addEventListener("pointerdown", ({ button: which }) => {
    if (which === 0) walker.press(step);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    button.addEventListener(end, () => walker.release(step));
  }
  // A click without a pointer (detail 0) comes from a key or a screen reader.
  button.addEventListener("click", ({ detail }) => {
    if (detail === 0) walker.once(step);
  });
  button.addEventListener("contextmenu", (event) => event.preventDefault());
}
