/**
 * Moves of a camera through a place, as sessions send them, and what they really look like.
 *
 * @module
 */
import type { RgbFrames } from "../../lib/media/images/rgb_image.ts";
import { type CameraMove, compileActions } from "../../lib/models/actionworld/action_rows.ts";
import { MOTION_TABLE, type MotionRow } from "../../lib/world/protocol/motion_table.ts";
import { CAMERA_POSE_NUMBERS } from "../../lib/models/actionworld/config.ts";
import { renderWalk } from "../fixtures/places/place.ts";
import { type Camera, cameraAt, type Slide, type WalkStart } from "../fixtures/places/walk_place.ts";
import type { EvalScene } from "./eval_scenes.ts";
import type { Size } from "./films.ts";

/** Frames that a move adds. */
export const MOVE_FRAMES = 16;

/** Units of the world of a step of length 1, as `corridor-nano-actions` was trained. */
const UNIT = 0.075;

/** Degrees of a turn. */
const TURN = 15;

function move({ translation, rotation = [0, 0, 0] }: MotionRow): CameraMove {
  const [x, y, z] = rotation;
  return { direction: translation, translationMeters: [0, 0, 0], rotationDegrees: [x * TURN, y * TURN, z * TURN] };
}

/** The moves that are judged, each the opposite of its neighbour: those of keys that can be undone. */
export const MOVES: Readonly<Record<string, CameraMove>> = Object.fromEntries(
  Object.entries(MOTION_TABLE).filter(([, { key, opposite }]) => key !== undefined && opposite !== undefined)
    .map(([name, row]) => [name, move(row)]),
);

/** Twenty moves, mostly along the corridor. */
export const LONG_WALK: readonly CameraMove[] = [
  ...["forward", "forward", "yawRight", "forward", "yawLeft", "forward", "strafeLeft", "forward", "strafeRight"],
  ...["lookUp", "lookDown", "backward", "yawLeft", "forward", "yawRight", "forward", "hold", "forward", "backward"],
  "forward",
].map((name) => MOVES[name] ?? move(MOTION_TABLE.hold));

/** The rows of a move. */
export function rowsOf(camera: CameraMove): Float32Array {
  return compileActions(camera, MOVE_FRAMES);
}

/** What moves really look like, 16 frames each after the first. */
export function renderMoves(
  { paint, start, slide }: EvalScene,
  moves: readonly CameraMove[],
  { width, height }: Size,
): RgbFrames {
  return renderWalk(paint, walkMoves(moves, start, slide), width, height);
}

/** The frames of move `i`; the picture that it begins with is not among them. */
export function framesOfMove(i: number): { readonly from: number; readonly to: number } {
  return { from: MOVE_FRAMES * i + 1, to: MOVE_FRAMES * (i + 1) + 1 };
}

/** Follows moves from the start, row by row; whoever meets a wall slides along it. */
export function walkMoves(moves: readonly CameraMove[], start: WalkStart, slide: Slide): Camera[] {
  const cameras = [cameraAt(start)];
  for (const rows of moves.map(rowsOf)) {
    for (let i = 0; i < rows.length; i += CAMERA_POSE_NUMBERS) {
      cameras.push(stepOf(cameras[cameras.length - 1], rows.subarray(i, i + CAMERA_POSE_NUMBERS), slide));
    }
  }
  return cameras;
}

/** The camera one row further on: the step is in the camera's own axes before the turn. */
function stepOf({ rotation: r, position: [x, y, z] }: Camera, row: Float32Array, slide: Slide): Camera {
  const [dx, dy, dz, ax, ay, az, bx, by, bz] = row;
  const along = (axis: number) => UNIT * (r[3 * axis] * dx + r[3 * axis + 1] * dy + r[3 * axis + 2] * dz);
  const columns = [[ax, ay, az], [bx, by, bz], [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]];
  const rotation = [0, 3, 6].flatMap((i) => columns.map(([a, b, d]) => r[i] * a + r[i + 1] * b + r[i + 2] * d));
  const [right, forward] = slide([x, z], [along(0), along(2)]);
  return { rotation, position: [right, y, forward] };
}
