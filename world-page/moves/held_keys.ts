/**
 * Keys that are held on the keyboard and by sticks and gamepads, several at a time; and the gamepads.
 *
 * @module
 */
import { cameraOfKeys } from "../../lib/world/protocol/camera_keys.ts";
import { motionKeys, OPPOSITE_KEYS, padKeys } from "../../lib/world/protocol/motion_table.ts";
import { type Move, MOVES } from "./moves.ts";
import type { Walker } from "./walker.ts";

/** How far a stick leans before it counts, as a part of its way. */
const DEAD_ZONE = 0.35;

/** Part of the lean along an axis at which its key is held: eight directions of equal size. */
const SECTOR = Math.sin(Math.PI / 8);

const ORDER: readonly string[] = motionKeys(true);

/** The keys of a stick that leans right and down, each -1 to 1. */
export function stickKeys(
  right: number,
  down: number,
  keys: readonly [up: string, left: string, down: string, right: string],
): string {
  const lean = Math.hypot(right, down);
  if (!(lean >= DEAD_ZONE)) return "";
  const [up, left, below, beside] = keys;
  const along = (part: number, plus: string, minus: string): string =>
    part > SECTOR ? plus : part < -SECTOR ? minus : "";
  return along(-down / lean, up, below) + along(right / lean, beside, left);
}

/** The keys that move and those that look, in the order of {@link stickKeys}. */
export const MOVE_KEYS: ReturnType<typeof padKeys> = padKeys("move");
export const LOOK_KEYS: ReturnType<typeof padKeys> = padKeys("look");

/** Walks while any of several sources holds keys; what they hold together is one move. */
export class HeldKeys {
  readonly #walker: Walker;
  readonly #sources = new Map<string, string>();
  readonly #moves = new Map<string, Move>(Object.values(MOVES).map((move) => [move.key, move]));
  #keys = "";
  #held: Move | undefined;

  constructor(walker: Walker) {
    this.#walker = walker;
  }

  /** A source holds these keys now, and no others. */
  hold(source: string, keys: string): void {
    if ((this.#sources.get(source) ?? "") === keys) return;
    this.#sources.set(source, keys);
    const [before, now] = [this.#keys, united([...this.#sources.values()].join(""))];
    if (now === before) return;
    const [held, move] = [this.#held, this.#moveOf(now)];
    [this.#keys, this.#held] = [now, move];
    // Keys seldom go up at the same time: the one that is last asks for no further move.
    const isLess = [...now].every((key) => before.includes(key));
    if (held && move && isLess) return this.#walker.exchange(held, move);
    if (held) this.#walker.release(held);
    if (move) this.#walker.press(move);
  }

  #moveOf(keys: string): Move | undefined {
    if (keys === "") return undefined;
    const known = this.#moves.get(keys) ?? { camera: (size) => cameraOfKeys(keys, size), done: "Moved" };
    this.#moves.set(keys, known);
    return known;
  }
}

/** Each key once, in a fixed order; opposite ones cancel each other. */
function united(keys: string): string {
  const held = new Set(keys);
  for (const [one, other] of OPPOSITE_KEYS) {
    if (!held.has(one) || !held.has(other)) continue;
    held.delete(one);
    held.delete(other);
  }
  return ORDER.filter((key) => held.has(key)).join("");
}

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
