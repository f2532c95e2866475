/**
 * The state of a session.
 *
 * @module
 */
import type { Edge } from "./edges.ts";
import { type Matrix4, ORIGIN } from "../../protocol/pose.ts";
import type { Scene, ShownFrame } from "../scene/scene.ts";
import { NO_MEMORIES } from "../scene/scene_memory.ts";
import type { StateRecord } from "../../protocol/wire.ts";
import type { WalkedMove } from "../moves/walked_move.ts";

/** Maximum number of states in the path; older ones are dropped, so that a long walk does not grow its snapshot. */
const MAX_STATES = 1000;

/** A state of the active path. */
export interface PathState extends Omit<StateRecord, "retained"> {
  /** World-to-camera pose. */
  readonly pose: Matrix4;
  /** The move that led here; absent at a source image. */
  readonly move?: WalkedMove;
  /** File of a source image. */
  readonly sourcePath?: string;
}

/**
 * Everything of a session that a job changes, apart from the model's own state. Each success replaces it as a whole, so
 * that a failure has nothing to undo.
 */
export interface SessionState extends Scene {
  /** The active path, root first. */
  readonly path: readonly PathState[];
  /** The replayable edges at the end of the path, oldest first. */
  readonly edges: readonly Edge[];
  /** Moves since the last reset. */
  readonly transitions: number;
}

/** A session without an image. */
export const INITIAL_STATE: SessionState = {
  path: [],
  edges: [],
  frame: undefined,
  geometry: undefined,
  depth: 0,
  pose: ORIGIN,
  memory: NO_MEMORIES,
  transitions: 0,
};

/** A new world that starts from an image. */
export function stateAtSource(stateId: string, frame: ShownFrame, transitions = 0): SessionState {
  return {
    ...INITIAL_STATE,
    frame,
    transitions,
    path: [{ stateId, transitionIndex: 0, depth: 0, pose: ORIGIN, sourcePath: frame.path }],
  };
}

/**
 * The state at the end of a generated move that started at `from`.
 *
 * @param edge The edge, if it is replayable; without it no earlier state can be returned to either.
 * @param move The move as the walk remembers it.
 */
export function stateAfterMove(
  from: SessionState,
  stateId: string,
  scene: Scene,
  edge: Edge | undefined,
  move: WalkedMove,
): SessionState {
  const parent = from.path.at(-1);
  const state = {
    stateId,
    ...(parent && { parentStateId: parent.stateId }),
    transitionIndex: from.transitions + 1,
    depth: parent ? parent.depth + 1 : 0,
    pose: scene.pose,
    move,
  };
  return {
    ...scene,
    path: [...from.path, state].slice(-MAX_STATES),
    edges: edge ? [...from.edges, edge] : [],
    transitions: from.transitions + 1,
  };
}

/** The state after the last edge was replayed: its source exactly, except for the number of moves. */
export function stateAfterReplay(from: SessionState, edge: Edge): SessionState {
  return {
    ...edge.source,
    path: from.path.slice(0, -1),
    edges: from.edges.slice(0, -1),
    transitions: from.transitions + 1,
  };
}
