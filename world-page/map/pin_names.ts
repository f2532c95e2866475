/**
 * The names beside the pins of the map.
 *
 * @module
 */
import type { DrawingSize } from "./plan_window.ts";

/** Half the width and the height of a pin, in pixels. */
export const PIN = { side: 10, height: 26 } as const;

/** Half the width of a dot, in pixels. */
const DOT = 6;

/** A mark on the map; a pin has a name. */
export interface NamedMark {
  readonly id: string;
  /** Where its point is in the drawing. */
  readonly x: number;
  readonly y: number;
  readonly name?: string;
}

/** A name, placed from the point of its pin. */
export interface PinName {
  readonly text: string;
  readonly left: number;
  readonly baseline: number;
  readonly width: number;
}

/** Longest name; the whole one is in the label of its state. */
const LONGEST = 18;

/** Pixels from the pin to its name, from line to line, and from a name to the edge. */
const GAP = 13;
const LINE = 16;
const EDGE = 3;

/** Lines above each other that names of pins in one place are written in. */
const LINES = 5;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Finds room for the names of pins, none over another, nor over a mark where that can be helped: to the right of the pin,
 * else to the left, else in lines above. Those that come first choose first; a name without room is left out.
 *
 * @param widthOf Width of a text, in pixels.
 * @returns the names by the ids of their pins
 */
export function pinNames(
  marks: readonly NamedMark[],
  size: DrawingSize,
  widthOf: (text: string) => number,
): ReadonlyMap<string, PinName> {
  const drawn = marks.map(({ x, y, name }): Box => {
    const [side, height] = name === undefined ? [DOT, DOT] : [PIN.side, PIN.height];
    return { left: x - side, top: y - height, right: x + side, bottom: y + DOT };
  });
  const taken: Box[] = [];
  const names = new Map<string, PinName>();
  for (const mark of marks) {
    if (mark.name === undefined) continue;
    const text = shortened(mark.name);
    const places = placesOf(mark, text, widthOf(text)).filter(({ box }) => isInside(box, size));
    const free = places.filter(({ box }) => !taken.some((other) => meet(box, other)));
    const place = free.find(({ box }) => !drawn.some((other) => meet(box, other))) ?? free[0];
    if (!place) continue;
    taken.push(place.box);
    names.set(mark.id, place.name);
  }
  return names;
}

function placesOf({ x, y }: NamedMark, text: string, width: number): { readonly name: PinName; readonly box: Box }[] {
  return Array.from({ length: LINES }, (_, line) => -GAP - line * LINE).flatMap((baseline) =>
    [GAP, -GAP - width].map((left) => ({
      name: { text, left, baseline, width },
      box: { left: x + left, top: y + baseline - LINE + 4, right: x + left + width, bottom: y + baseline + 4 },
    }))
  );
}

function isInside({ left, top, right, bottom }: Box, { width, height }: DrawingSize): boolean {
  return left >= EDGE && top >= EDGE && right <= width - EDGE && bottom <= height - EDGE;
}

function meet(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** The beginning of a name, which is not cut within what is seen as one character. */
function shortened(name: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : name;
}
