/**
 * Actions of the camera-pose domain: the camera motion from one frame to the next.
 * A row is a relative pose in the axes of OpenCV (x right, y down, z forward): a translation, then the first and the
 * second column of a rotation matrix. The unit of translation is the model's own, not a meter.
 *
 * @module
 */
import { CAMERA_POSE_NUMBERS } from "./config.ts";

/** Three numbers along or about x, y and z. */
export type Vector3 = readonly [x: number, y: number, z: number];

/** A requested camera move. */
export interface CameraMove {
  /** Where the steps go, of length 1, or 0 for no steps; undefined where they go along `translationMeters`. */
  readonly direction: Vector3 | undefined;
  /** Its length scales the steps. */
  readonly translationMeters: Vector3;
  /** Over the whole clip. */
  readonly rotationDegrees: Vector3;
}

/** Vectors and angles up to this size count as zero. */
const NOTHING = 1e-4;

/** Step lengths of the recording that the model's camera moves follow, one per frame. */
// deno-fmt-ignore
const STEP_LENGTHS: readonly number[] = [
  1.0500536, 0.831602, 1.2212268, 0.9720731, 0.9993465, 1.0762539,
  1.122652, 1.0314639, 1.1905751, 1.0606865, 0.9353053, 0.9174763,
  1.1210613, 1.0429387, 1.0588595, 0.97221315, 0.9926645, 0.9850859,
  1.1022255, 1.0323226, 1.1055126, 0.94502294, 0.9213535, 0.83947164,
  1.0352356, 0.90264326, 0.9588954, 0.86977404, 0.94888395, 0.92043984,
  0.90365785, 0.84422064, 0.92741793, 0.82672334, 0.884315, 0.9315545,
  0.7850547, 0.8695018, 0.8786711, 0.81053734, 0.70392925, 0.769288,
  0.94021094, 0.7611255, 0.7937633, 0.6994287, 0.69785017, 0.74746966,
  0.60262173, 0.7680795, 0.7309134, 0.68868935, 0.60897315, 0.67939764,
  0.7198037, 0.67462045, 0.65143603, 0.72005373, 0.6324719, 0.6428534,
];

/**
 * The rows of a move over `count` frames, [count,9]. Step lengths follow a fixed envelope times the length of the
 * translation (1 when there is none); the rotation is divided evenly among the rows.
 *
 * @example
 * ```ts
 * import { compileActions } from "./action_rows.ts";
 * const turn = { direction: [0, 0, 0], translationMeters: [0, 0, 0], rotationDegrees: [0, 16, 0] } as const;
 * const rows = compileActions(turn, 16); // one degree to the right in every frame
 * console.assert(Math.abs(rows[3] - Math.cos(Math.PI / 180)) < 1e-6);
 * ```
 */
export function compileActions(move: CameraMove, count: number): Float32Array {
  const [x, y, z] = move.translationMeters;
  const length = Math.hypot(x, y, z);
  const moves = length > NOTHING;
  const direction = move.direction ?? (moves ? [x / length, y / length, z / length] : [0, 0, 0]);
  const rotation = rotationColumns(move.rotationDegrees, count);
  const rows = new Float32Array(count * CAMERA_POSE_NUMBERS);
  for (let i = 0; i < count; i++) {
    const step = STEP_LENGTHS[Math.min(i, STEP_LENGTHS.length - 1)] * (moves ? length : 1);
    rows.set([...direction.map((d) => d * step), ...rotation], i * CAMERA_POSE_NUMBERS);
  }
  return rows;
}

/**
 * Rows given by a client, truncated to `count` or extended by repeating the last one; never scaled.
 *
 * @throws {RangeError} naming the first row that does not have nine finite numbers.
 */
export function fitActions(rows: unknown, count: number): Float32Array {
  if (!Array.isArray(rows) || rows.length === 0) {
    throw new RangeError(
      `Cannot use the actions: expected a list of at least one row of ${CAMERA_POSE_NUMBERS} numbers`,
    );
  }
  for (const [i, row] of rows.entries()) {
    if (!Array.isArray(row) || row.length !== CAMERA_POSE_NUMBERS || !row.every(Number.isFinite)) {
      const is = Array.isArray(row) ? JSON.stringify(row) : typeof row;
      throw new RangeError(
        `Cannot use the actions: row ${i} is ${is}, expected ${CAMERA_POSE_NUMBERS} finite numbers`,
      );
    }
  }
  const fitted = new Float32Array(count * CAMERA_POSE_NUMBERS);
  for (let i = 0; i < count; i++) fitted.set(rows[Math.min(i, rows.length - 1)], i * CAMERA_POSE_NUMBERS);
  return fitted;
}

/** The first two columns of Rz Ry Rx for a `count`-th of the angles. */
function rotationColumns(degrees: Vector3, count: number): number[] {
  if (degrees.every((angle) => Math.abs(angle) <= NOTHING)) return [1, 0, 0, 0, 1, 0];
  const [x, y, z] = degrees.map((angle) => angle / count * Math.PI / 180);
  const [cx, sx, cy, sy, cz, sz] = [x, y, z].flatMap((angle) => [Math.cos(angle), Math.sin(angle)]);
  return [cz * cy, sz * cy, -sy, cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx];
}
