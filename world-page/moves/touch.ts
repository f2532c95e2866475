/**
 * Walks by touch: two sticks, and buttons.
 *
 * @module
 */
import { byId } from "../ui/dom.ts";
import { type HeldKeys, LOOK_KEYS, MOVE_KEYS, stickKeys } from "./held_keys.ts";
import { MOVES } from "./moves.ts";
import type { Step, Walker } from "./walker.ts";

/** Walks by two sticks on a touch screen: the left one moves, the right one looks. */
export function walkBySticks(held: HeldKeys): void {
  stick("stick-move", (x, y) => held.hold("left stick", stickKeys(x, y, MOVE_KEYS)));
  stick("stick-look", (x, y) => held.hold("right stick", stickKeys(x, y, LOOK_KEYS)));
}

function stick(id: string, lean: (right: number, down: number) => void): void {
  const base = byId(id, HTMLElement);
  const knob = base.querySelector("span")!;
  let pointer: number | undefined;
  const set = (x: number, y: number, radius: number): void => {
    const reach = Math.min(1, 1 / Math.hypot(x, y)); // 1 in the middle, where it does not matter
    const [right, down] = Math.hypot(x, y) > 0 ? [x * reach, y * reach] : [0, 0];
    knob.style.transform = `translate(${right * radius}px, ${down * radius}px)`;
    lean(right, down);
  };
  const follow = ({ pointerId, clientX, clientY }: PointerEvent): void => {
    if (pointerId !== pointer) return;
    const { left, top, width, height } = base.getBoundingClientRect();
    const radius = width / 3;
    set((clientX - left - width / 2) / radius, (clientY - top - height / 2) / radius, radius);
  };
  base.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    pointer ??= event.pointerId;
    base.setPointerCapture(event.pointerId);
    follow(event);
  });
  base.addEventListener("pointermove", follow);
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    base.addEventListener(end, ({ pointerId }) => {
      if (pointerId !== pointer) return;
      pointer = undefined;
      set(0, 0, 0);
    });
  }
  base.addEventListener("contextmenu", (event) => event.preventDefault());
}

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
