/**
 * The session as wire records: its snapshot, its checkpoints, its model and its walk.
 *
 * @module
 */
import { latentCounts, type ShownFrame } from "./scene/scene.ts";
import type { Backend } from "./backend.ts";
import type { Continuity } from "./journal/session_image.ts";
import type { Job } from "./moves/job.ts";
import type { Navigation } from "./graph/navigation.ts";
import type { PathState, SessionState } from "./graph/session_state.ts";
import type { RetainedEdges } from "./graph/edges.ts";
import type { CheckpointRecord, ModelRecord, SessionPhase, StateRecord, WorldSnapshot } from "../protocol/wire.ts";
import type { WorldModelInfo } from "../../models/world/world_model.ts";
import { poseRecord } from "../protocol/pose.ts";
import type { ModelRoots } from "../protocol/model_files.ts";
import type { WalkRecord } from "../protocol/walk_record.ts";

/** Where the session's video of the walk is. */
const VIDEO = "/v1/world/session/walk/media/output";

/** The parts of a snapshot. */
interface SessionParts {
  readonly sessionId: string;
  readonly phase: SessionPhase;
  readonly navigation: Navigation;
  readonly model: ModelRecord;
  readonly job: Job | undefined;
  readonly backend: Backend;
  /** How the session continues after its last process. */
  readonly continuity?: Continuity | undefined;
  /** How far the source image is from what the model was made for. */
  readonly sourceDistance?: number | undefined;
}

/** The snapshot of a session. */
export function sessionSnapshot(parts: SessionParts): WorldSnapshot {
  const { phase, navigation, job, backend } = parts;
  const { state } = navigation;
  const current = state.path.at(-1);
  const { frame } = state;
  return {
    object: "world.session",
    backend: backend.name,
    phase,
    sessionId: parts.sessionId,
    transitionCount: state.transitions,
    ...(current && { currentStateId: current.stateId }),
    stateIds: state.path.map((state) => state.stateId),
    states: knownStates(navigation),
    keepsModelsWarm: phase === "ready" || phase === "generating",
    keepsTerminalLatent: backend.hasCheckpoints && state.depth > 0,
    conditioningMode: backend.conditioningMode,
    ...(frame && { currentFramePath: frame.path, currentFrameMediaPath: frameMediaPath(frame) }),
    ...(job && { activeJob: job.record() }),
    model: parts.model,
    ...(backend.hasCheckpoints && { checkpointCount: navigation.checkpoints.size }),
    ...(parts.continuity && { continuity: parts.continuity }),
    ...(parts.sourceDistance !== undefined && { sourceDistance: parts.sourceDistance }),
    ...backend.snapshotOf(state),
  };
}

/** The record of a new checkpoint. */
export function checkpointRecord(
  state: SessionState,
  checkpoint: Pick<CheckpointRecord, "checkpointId" | "name" | "createdAt" | "sessionId">,
): CheckpointRecord {
  const current = state.path[state.path.length - 1];
  return {
    checkpointId: checkpoint.checkpointId,
    name: checkpoint.name,
    createdAt: checkpoint.createdAt,
    sessionId: checkpoint.sessionId,
    stateId: current.stateId,
    transitionIndex: state.transitions,
    ...latentCounts(state),
    frameMediaPath: `/v1/world/session/checkpoints/${checkpoint.checkpointId}/media/frame`,
  };
}

function knownStates({ edges, reachable }: Navigation): StateRecord[] {
  const retained = new Set(reachable.flatMap((from) => withinReach(from, edges)));
  return pathStates(reachable).map(({ stateId, parentStateId, transitionIndex, depth }) => ({
    stateId,
    ...(parentStateId !== undefined && { parentStateId }),
    transitionIndex,
    depth,
    retained: retained.has(stateId),
  }));
}

/** The last state of a path, and those before it as far as edges are kept. */
function withinReach({ path, edges: walked }: SessionState, edges: RetainedEdges): string[] {
  const reach = path.slice(-1);
  for (const edge of [...walked].reverse()) {
    const source = path[path.length - 1 - reach.length];
    if (!source || !edges.get(edge.id)) break;
    reach.push(source);
  }
  return reach.map((state) => state.stateId);
}

function frameMediaPath({ jobId }: ShownFrame): string {
  return jobId ? `/v1/world/jobs/${jobId}/media/terminal-frame` : "/v1/world/session/media/frame";
}

/** The model record of a loaded model. */
export function modelRecord({ id, path, basePath, device, dtype }: WorldModelInfo): ModelRecord {
  return {
    id,
    ...(path !== undefined && { path }),
    ...(basePath !== undefined && { basePath }),
    device,
    dtype,
  };
}

/** The states of the active path, then those that only checkpoints lead to. */
function pathStates(reachable: readonly SessionState[]): PathState[] {
  return [...new Map(reachable.flatMap(({ path }) => path).map((state) => [state.stateId, state])).values()];
}

/** The parts of a record of the walk. */
interface WalkParts {
  readonly sessionId: string;
  readonly backend: Backend;
  readonly navigation: Navigation;
  /** Undefined while the model is missing. */
  readonly roots: ModelRoots | undefined;
}

/** Where the camera has been on every path that the session can return to. */
export function walkRecord({ sessionId, backend, navigation, roots }: WalkParts): WalkRecord {
  const { state } = navigation;
  const current = state.path.at(-1);
  const [root] = state.path;
  const isWhole = root !== undefined && root.move === undefined;
  const frame = nextFrame(backend, navigation, roots);
  return {
    object: "world.walk",
    sessionId,
    backend: backend.name,
    ...(current && { currentStateId: current.stateId }),
    ...(backend.viewAngle !== undefined && { viewAngleDegrees: backend.viewAngle }),
    ...(frame && { frame }),
    ...(isWhole && root.sourcePath !== undefined && { sourcePath: root.sourcePath }),
    ...(state.path.some(({ move }) => move) && { videoMediaPath: VIDEO }),
    states: pathStates(navigation.reachable).map(({ stateId, parentStateId, pose, move }) => ({
      stateId,
      ...(parentStateId !== undefined && { parentStateId }),
      worldPose: poseRecord(pose),
      ...(move && {
        move: { kind: move.kind, ...(move.request && { request: move.request }), positions: move.positions },
      }),
    })),
  };
}

function nextFrame(
  { transition }: Backend,
  { state: { geometry } }: Navigation,
  roots: ModelRoots | undefined,
): WalkRecord["frame"] {
  const width = geometry?.width ?? roots?.defaults.width;
  const height = geometry?.height ?? roots?.defaults.height;
  if (!roots && !geometry) return undefined;
  return {
    width: width ?? transition.width,
    height: height ?? transition.height,
    fps: roots?.defaults.fps ?? transition.fps,
  };
}
