/**
 * Walks through a corridor and remembers where the camera was at every frame.
 *
 * @module
 */
import { DEGREES_PER_FRAME, UNITS_PER_FRAME } from "../../lib/models/arworld/trajectory.ts";
import { HALF_WIDTH, MARGIN } from "./corridor_geometry.ts";

/** Frames that one block of latents shows: the first of a chain, and every later one. */
const FIRST_BLOCK_FRAMES = 9;
const BLOCK_FRAMES = 12;

/** Where a walk begins. */
export interface WalkStart {
  /** Radians to the right of +z. */
  readonly yaw: number;
  readonly x: number;
  readonly z: number;
}

/** A camera in the corridor. */
export interface CameraPlace {
  /** Camera axes to world axes, 3x3 row-major. */
  readonly rotation: readonly number[];
  readonly position: readonly [number, number, number];
}

/**
 * One action per frame from one action per block.
 *
 * @param blocks Keys of every block, as of the world's own rollouts.
 */
export function actionsPerFrame(blocks: readonly string[]): string[] {
  return blocks.flatMap((keys, i) => Array<string>(i === 0 ? FIRST_BLOCK_FRAMES : BLOCK_FRAMES).fill(keys));
}

/**
 * Follows the keys as the world does, but slides along the walls: the model is told what was commanded and has to know
 * that walls stop it.
 *
 * @param actions Keys of every frame; the first frame has moved already.
 */
export function walkCorridor(actions: readonly string[], start: WalkStart, speed: number): CameraPlace[] {
  let rotation = rotateY([1, 0, 0, 0, 1, 0, 0, 0, 1], start.yaw);
  let { x, z } = start;
  return actions.map((keys) => {
    const held = (plus: string, minus: string) => Number(keys.includes(plus)) - Number(keys.includes(minus));
    const turn = speed * DEGREES_PER_FRAME * Math.PI / 180;
    rotation = rotateX(rotateY(rotation, held("l", "j") * turn), held("i", "k") * turn);
    const right = held("d", "a") * speed * UNITS_PER_FRAME;
    const forward = held("w", "s") * speed * UNITS_PER_FRAME;
    const step = [0, 3, 6].map((row) => rotation[row] * right + rotation[row + 2] * forward);
    if (Math.abs(x + step[0]) < HALF_WIDTH - MARGIN) x += step[0];
    z += step[2];
    return { rotation, position: [x, 0, z] }; // feet stay on the floor, however steep the look
  });
}

/** R Ry(angle): turns to the right. */
function rotateY(r: readonly number[], angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [0, 3, 6].flatMap((i) => [c * r[i] - s * r[i + 2], r[i + 1], s * r[i] + c * r[i + 2]]);
}

/** R Rx(angle): turns up. */
function rotateX(r: readonly number[], angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [0, 3, 6].flatMap((i) => [r[i], c * r[i + 1] + s * r[i + 2], c * r[i + 2] - s * r[i + 1]]);
}
