/**
 * The camera moves: one row each. What requests may name, which keys there are and which undo each other, where the
 * camera goes, the buttons of the page, the help, the API description and the tables of the docs all come from here.
 *
 * @module
 */

/** Three numbers along, or about, the axes right, down and forward. */
export type Triple = readonly [right: number, down: number, forward: number];

/** What requests and receipts call a camera move. */
export type CameraMotion =
  | "hold"
  | "forward"
  | "backward"
  | "strafeLeft"
  | "strafeRight"
  | "yawLeft"
  | "yawRight"
  | "custom";

/** The moves: those that have a name of their own in requests, and custom ones that have a key. */
export type MotionName = CameraMotion | "lookUp" | "lookDown";

/** One camera move. */
export interface MotionRow {
  /** What requests and receipts call it: its own name, or custom. */
  readonly motion: CameraMotion;
  /** Its key: a lower-case letter, or a space. A move without one takes its numbers from the request. */
  readonly key?: string;
  /** Translation, in units of the distance of a move. */
  readonly translation?: Triple;
  /** Rotation, in units of the angle of a move. */
  readonly rotation?: Triple;
  /** The row that undoes it; a move without one cannot be undone. */
  readonly opposite?: MotionName;
  /** What its button, the help and the docs call it. */
  readonly label: string;
  /** What the page says when it is done. */
  readonly done: string;
  /** The pad that has its button, and where; the same place of a stick makes the move. By default it is between the pads. */
  readonly pad?: readonly [name: PadName, side: PadSide];
}

/** A pad of four buttons on the page, which is a stick on a touch screen or gamepad. */
export type PadName = "move" | "look";

type PadSide = "up" | "left" | "down" | "right";

/** Every camera move by its name. */
// deno-fmt-ignore
export const MOTION_TABLE: Readonly<Record<MotionName, MotionRow>> = {
  hold: {
    motion: "hold", key: " ", translation: [0, 0, 0], rotation: [0, 0, 0],
    label: "Hold still", done: "Held still",
  },
  forward: {
    motion: "forward", key: "w", translation: [0, 0, 1], rotation: [0, 0, 0], opposite: "backward",
    label: "Forward", done: "Walked forward", pad: ["move", "up"],
  },
  backward: {
    motion: "backward", key: "s", translation: [0, 0, -1], rotation: [0, 0, 0], opposite: "forward",
    label: "Backward", done: "Walked backward", pad: ["move", "down"],
  },
  strafeLeft: {
    motion: "strafeLeft", key: "a", translation: [-1, 0, 0], rotation: [0, 0, 0], opposite: "strafeRight",
    label: "Left", done: "Stepped left", pad: ["move", "left"],
  },
  strafeRight: {
    motion: "strafeRight", key: "d", translation: [1, 0, 0], rotation: [0, 0, 0], opposite: "strafeLeft",
    label: "Right", done: "Stepped right", pad: ["move", "right"],
  },
  lookUp: {
    motion: "custom", key: "i", translation: [0, 0, 0], rotation: [1, 0, 0], opposite: "lookDown",
    label: "Look up", done: "Looked up", pad: ["look", "up"],
  },
  lookDown: {
    motion: "custom", key: "k", translation: [0, 0, 0], rotation: [-1, 0, 0], opposite: "lookUp",
    label: "Look down", done: "Looked down", pad: ["look", "down"],
  },
  yawLeft: {
    motion: "yawLeft", key: "j", translation: [0, 0, 0], rotation: [0, -1, 0], opposite: "yawRight",
    label: "Turn left", done: "Turned left", pad: ["look", "left"],
  },
  yawRight: {
    motion: "yawRight", key: "l", translation: [0, 0, 0], rotation: [0, 1, 0], opposite: "yawLeft",
    label: "Turn right", done: "Turned right", pad: ["look", "right"],
  },
  custom: { motion: "custom", opposite: "custom", label: "Custom move", done: "Made the move" },
};

const rows: readonly [string, MotionRow][] = Object.entries(MOTION_TABLE);

/**
 * What requests may call a camera move.
 *
 * @param freeCamera Whether the camera can rise, sink and roll.
 */
export function motionsOf(freeCamera: boolean): CameraMotion[] {
  return rows.flatMap(([name, row]) => name === row.motion && (freeCamera || isLevel(row)) ? [row.motion] : []);
}

/** A move that a key stands for. */
export type KeyMotion = MotionRow & Required<Pick<MotionRow, "key" | "translation" | "rotation">>;

/** The moves of keys by their key, in the order of the table. */
export const KEY_MOTIONS: ReadonlyMap<string, KeyMotion> = new Map(
  rows.flatMap(([, row]) => isKeyMotion(row) ? [[row.key, row]] : []),
);

function isKeyMotion(row: MotionRow): row is KeyMotion {
  return row.key !== undefined;
}

/** The keys of a pad: up, left, down and right; empty where there is none. */
export function padKeys(pad: PadName): readonly [up: string, left: string, down: string, right: string] {
  const at = (side: PadSide): string =>
    rows.find(([, row]) => row.pad?.[0] === pad && row.pad[1] === side)?.[1].key ?? "";
  return [at("up"), at("left"), at("down"), at("right")];
}

/**
 * The letters that move the camera: those of the pads, then all others.
 *
 * @param freeCamera Whether the camera can rise, sink and roll.
 */
export function motionKeys(freeCamera: boolean): string[] {
  const listed = new Set([...padKeys("move"), ...padKeys("look"), ...KEY_MOTIONS.keys()]);
  return [...listed].filter((key) => {
    const row = KEY_MOTIONS.get(key);
    return row !== undefined && key !== " " && (freeCamera || isLevel(row));
  });
}

/** Whether a camera that cannot rise, sink or roll can make a move. */
function isLevel({ translation, rotation }: MotionRow): boolean {
  return (translation?.[1] ?? 0) === 0 && (rotation?.[2] ?? 0) === 0;
}

/** The motion that undoes a motion; none undoes a hold. */
export function oppositeMotion(motion: CameraMotion): CameraMotion | undefined {
  const { opposite } = MOTION_TABLE[motion];
  return opposite && MOTION_TABLE[opposite].motion;
}

/** Keys that cancel each other, so that no action may have both of a pair. */
export const OPPOSITE_KEYS: readonly (readonly [string, string])[] = [...KEY_MOTIONS.values()].flatMap(
  (row, i, all) => {
    const other = all.findIndex((one) => row.opposite !== undefined && one === MOTION_TABLE[row.opposite]);
    return other > i ? [[row.key, all[other].key] as const] : [];
  },
);
