import { type HeldKeys, LOOK_KEYS, MOVE_KEYS, stickKeys } from "./held_keys.ts";
import type { Walker } from "./walker.ts";

/** Buttons of the standard layout (W3C Gamepad): the right one of the four walks back; the cross of arrows. */
const BACK = 1;
const ARROWS = { up: 12, down: 13, left: 14, right: 15 } as const;

/** Walks by gamepads of the standard layout while one is connected: the left stick or the arrows move, the right looks. */
export function walkByGamepad(held: HeldKeys, walker: Walker): void {
  let isRunning = false;
  let wasBack = false;
  const read = (): void => {
    const pads = navigator.getGamepads().filter((pad) => pad?.mapping === "standard");
    const [pad] = document.hasFocus() ? pads : [];
    const axis = (i: number): number => pad?.axes[i] ?? 0;
    const isDown = (i: number): boolean => pad?.buttons[i]?.pressed ?? false;
    const arrow = (less: number, more: number): number => Number(isDown(more)) - Number(isDown(less));
    held.hold("gamepad moves", stickKeys(axis(0), axis(1), MOVE_KEYS));
    held.hold("gamepad arrows", stickKeys(arrow(ARROWS.left, ARROWS.right), arrow(ARROWS.up, ARROWS.down), MOVE_KEYS));
    held.hold("gamepad looks", stickKeys(axis(2), axis(3), LOOK_KEYS));
    const isBack = isDown(BACK);
    if (isBack && !wasBack) walker.press("back");
    if (!isBack && wasBack) walker.release("back");
    wasBack = isBack;
    isRunning = pads.length > 0;
    if (isRunning) requestAnimationFrame(read);
  };
  addEventListener("gamepadconnected", () => {
    if (isRunning) return;
    isRunning = true;
    requestAnimationFrame(read);
  });
}
