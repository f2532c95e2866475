/**
 * The walk from above.
 *
 * @module
 */
import type { WalkRecord, WalkState } from "../../lib/world/protocol/walk_record.ts";

/** A point of the map: right and forward of where the walk began. */
export interface PlanPoint {
  readonly x: number;
  readonly z: number;
}

/** Position and direction of a camera. */
export interface PlanCamera extends PlanPoint {
  /** Turn to the right, in radians; 0 looks forward, which is up on the map. */
  readonly turn: number;
}

/** The way between two states. */
export interface PlanWay {
  readonly points: readonly PlanPoint[];
  /** Whether it is on the active path. */
  readonly active: boolean;
}

/** A state on the map. */
export interface PlanPlace extends PlanCamera {
  readonly id: string;
  readonly active: boolean;
}

/** Everything on the map. */
export interface Plan {
  readonly ways: readonly PlanWay[];
  /** Those of abandoned branches first, so that the others lie over them; the current one last. */
  readonly places: readonly PlanPlace[];
  readonly here?: PlanPlace;
  /** Horizontal view angle in radians. */
  readonly view: number;
  /** Median distance between consecutive states, turns in place left out; undefined when no state has moved. */
  readonly pace?: number;
}

/** The angle of the wedge where the model does not say what its camera sees. */
const USUAL_VIEW = 60;

/** The camera of a world-to-camera pose: at `-Rᵀt`, looking along the third row of `R`. */
export function planCamera(pose: readonly number[]): PlanCamera {
  const at = (axis: number): number =>
    0 - (pose[axis] * pose[3] + pose[4 + axis] * pose[7] + pose[8 + axis] * pose[11]);
  return { x: at(0), z: at(2), turn: Math.atan2(pose[8], pose[10]) };
}

/**
 * Lays out the walk.
 *
 * @param path Ids of the active path.
 */
export function planLayout(walk: WalkRecord, path: readonly string[]): Plan {
  const onPath = new Set(path);
  const places = new Map(walk.states.map((state) => [state.stateId, placeOf(state, onPath)]));
  const ways = walk.states.flatMap((state): PlanWay[] => {
    const from = places.get(state.parentStateId ?? "");
    if (!from || !state.move) return [];
    const points = state.move.positions.map(([x, , z]) => ({ x, z }));
    return [{ points: [from, ...points], active: onPath.has(state.stateId) }];
  });
  const here = places.get(path.at(-1) ?? "");
  const pace = median(ways.map(({ points }) => between(points[0], points[points.length - 1])).filter((way) => way > 0));
  const rank = (place: PlanPlace): number => place === here ? 2 : Number(place.active);
  const first = (a: PlanWay, b: PlanWay): number => Number(a.active) - Number(b.active);
  return {
    ways: ways.sort(first),
    places: [...places.values()].sort((a, b) => rank(a) - rank(b)),
    ...(here && { here }),
    ...(pace !== undefined && { pace }),
    view: (walk.viewAngleDegrees ?? USUAL_VIEW) * Math.PI / 180,
  };
}

function placeOf({ stateId: id, worldPose: { worldToCamera } }: WalkState, path: ReadonlySet<string>): PlanPlace {
  return { id, active: path.has(id), ...planCamera(worldToCamera) };
}

function between(a: PlanPoint, b: PlanPoint): number {
  return Math.hypot(b.x - a.x, b.z - a.z);
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
