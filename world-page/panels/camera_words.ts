/** The position and view of a camera as text. */
export interface CameraWords {
  readonly position: string;
  readonly view: string;
}

/**
 * Describes a world-to-camera matrix: the camera is at `-Rᵀt` and looks along the third row of `R`; the axes of the
 * world are right, down and forward.
 *
 * @param matrix 16 numbers, row-major
 */
export function cameraWords(matrix: readonly number[]): CameraWords {
  const row = (i: number): readonly number[] => matrix.slice(4 * i, 4 * i + 3);
  const [x, y, z] = [0, 1, 2].map((axis) => -[0, 1, 2].reduce((sum, i) => sum + row(i)[axis] * matrix[4 * i + 3], 0));
  const [right, down, forward] = row(2);
  const yaw = degrees(Math.atan2(right, forward));
  const pitch = degrees(Math.asin(Math.max(-1, Math.min(1, -down))));
  return {
    position: list([
      sided(z, 2, "", "ahead", "behind"),
      sided(x, 2, "", "right", "left"),
      sided(-y, 2, "", "up", "down"),
    ], "At the start"),
    view: list([sided(yaw, 1, "°", "right", "left"), sided(pitch, 1, "°", "up", "down")], "Straight ahead"),
  };
}

function sided(value: number, digits: number, unit: string, positive: string, negative: string): string | undefined {
  const size = Math.abs(value).toFixed(digits);
  return Number(size) === 0 ? undefined : `${size}${unit} ${value > 0 ? positive : negative}`;
}

function list(parts: readonly (string | undefined)[], none: string): string {
  return parts.filter((part) => part !== undefined).join(", ") || none;
}

function degrees(radians: number): number {
  return radians * 180 / Math.PI;
}
