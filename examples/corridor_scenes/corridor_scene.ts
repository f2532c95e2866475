/**
 * The corridors that the embedded world was trained on: one geometry in many colours.
 *
 * A corridor is a box without ends along z. Units are the world's: about a stride is 1.
 *
 * @module
 */

/** Red, green and blue, 1 is full; more is allowed before fog and clamping. */
export type Colour = readonly [number, number, number];

/** Names of wall and door colours. */
export const HUES: Readonly<Record<string, Colour>> = {
  red: [0.80, 0.26, 0.22],
  orange: [0.88, 0.52, 0.20],
  yellow: [0.88, 0.78, 0.32],
  green: [0.30, 0.62, 0.32],
  teal: [0.20, 0.62, 0.62],
  blue: [0.26, 0.42, 0.82],
  purple: [0.56, 0.34, 0.74],
  white: [0.86, 0.85, 0.80],
};

/** How well lit a corridor is. */
export type Light = "dark" | "bright";

const FOGS: Readonly<Record<Light, Colour>> = { dark: [0.05, 0.05, 0.07], bright: [0.62, 0.63, 0.64] };

/** Colours of one corridor. */
export interface CorridorScene {
  readonly wallName: string;
  readonly doorName: string;
  readonly light: Light;
  readonly wall: Colour;
  readonly door: Colour;
  readonly floor: Colour;
  readonly fog: Colour;
  /** Brightness between the lamps. */
  readonly ambient: number;
}

/** Numbers in [0, 1). */
export type Random = () => number;

/**
 * Draws a corridor.
 *
 * @param light Its light; undefined draws it, mostly bright.
 */
export function sampleScene(random: Random, light?: Light): CorridorScene {
  const names = Object.keys(HUES);
  const wall = Math.floor(random() * names.length);
  const door = (wall + 1 + Math.floor(random() * (names.length - 1))) % names.length;
  const drawn: Light = random() > 0.12 ? "bright" : "dark";
  const tint: Colour = [0.94 + 0.12 * random(), 0.94 + 0.12 * random(), 0.94 + 0.12 * random()];
  return makeScene(names[wall], names[door], light ?? drawn, tint);
}

/** A corridor with named colours; `tint` shifts the walls a little. */
export function makeScene(wallName: string, doorName: string, light: Light, tint: Colour = [1, 1, 1]): CorridorScene {
  const bright = light === "bright" ? 1 : 0;
  const hue = each((c) => Math.min(1, Math.max(0, HUES[wallName][c] * tint[c])));
  const floor: Colour = [0.50, 0.44, 0.38];
  return {
    wallName,
    doorName,
    light,
    wall: each((c) => hue[c] * (1 + 0.12 * bright)),
    door: each((c) => HUES[doorName][c] * (0.75 + 0.2 * bright)),
    floor: each((c) => floor[c] * (1 + 0.4 * bright)),
    fog: each((c) => FOGS[light][c] * (1 - 0.4 * bright) + 0.4 * bright * hue[c]),
    ambient: 0.5 + 0.2 * bright,
  };
}

/** The prompt of a corridor, in the words of the training data. */
export function captionOf({ wallName, doorName, light }: CorridorScene): string {
  return `a ${wallName} corridor with ${doorName} doors and warm lamps, ${light}`;
}

function each(channel: (c: number) => number): Colour {
  return [channel(0), channel(1), channel(2)];
}
