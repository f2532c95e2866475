/**
 * The part of the map that is shown.
 *
 * @module
 */
import type { Plan, PlanPoint } from "./plan_layout.ts";

/** Pixels around what is fitted: room for the wedge and for names. */
const MARGIN = 46;

/** Pixels from the edge at which the camera counts as out of sight. */
const EDGE = 24;

/** A window on the map. */
export interface PlanWindow {
  /** The middle. */
  readonly x: number;
  readonly z: number;
  /** Pixels for one unit of the world. */
  readonly scale: number;
}

/** The size of a drawing in pixels. */
export interface DrawingSize {
  readonly width: number;
  readonly height: number;
}

/** The window that shows everything. A walk that has not gone anywhere yet is shown as if it had gone a little. */
export function fitWindow({ ways, places }: Plan, { width, height }: DrawingSize): PlanWindow {
  const points: readonly PlanPoint[] = [...places, ...ways.flatMap(({ points }) => points)];
  const bounds = (pick: (point: PlanPoint) => number): readonly [number, number] =>
    points.reduce(
      ([low, high], point) => [Math.min(low, pick(point)), Math.max(high, pick(point))],
      [
        Infinity,
        -Infinity,
      ] as readonly [number, number],
    );
  if (points.length === 0) return { x: 0, z: 0, scale: 1 };
  const [left, right] = bounds(({ x }) => x);
  const [near, far] = bounds(({ z }) => z);
  const room = (size: number): number => Math.max(1, size - 2 * MARGIN);
  const span = Math.max(right - left, far - near);
  const least = span > 0 ? span / 4 : 1;
  const scale = Math.min(room(width) / Math.max(right - left, least), room(height) / Math.max(far - near, least));
  return { x: (left + right) / 2, z: (near + far) / 2, scale: Number.isFinite(scale) && scale > 0 ? scale : 1 };
}

/** Where a point is in the drawing; forward is up. */
export function inDrawing(
  { x, z }: PlanPoint,
  window: PlanWindow,
  { width, height }: DrawingSize,
): { readonly x: number; readonly y: number } {
  return { x: width / 2 + (x - window.x) * window.scale, y: height / 2 - (z - window.z) * window.scale };
}

/** Whether a point can be seen. */
export function isInSight(point: PlanPoint, window: PlanWindow, size: DrawingSize): boolean {
  const { x, y } = inDrawing(point, window, size);
  return x >= EDGE && y >= EDGE && x <= size.width - EDGE && y <= size.height - EDGE;
}

/** The window after a factor of zoom around a point of the drawing, the middle by default. */
export function zoomed(
  window: PlanWindow,
  factor: number,
  size: DrawingSize,
  { x, y }: { readonly x: number; readonly y: number } = { x: size.width / 2, y: size.height / 2 },
): PlanWindow {
  const scale = window.scale * factor;
  if (!(scale > 1e-9 && scale < 1e9)) return window;
  const right = (x - size.width / 2) * (1 / window.scale - 1 / scale);
  const forward = (size.height / 2 - y) * (1 / window.scale - 1 / scale);
  return { x: window.x + right, z: window.z + forward, scale };
}
