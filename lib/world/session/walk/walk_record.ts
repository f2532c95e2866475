/**
 * The walk as a wire record.
 *
 * @module
 */
import type { Backend } from "../backend.ts";
import type { Navigation } from "../graph/navigation.ts";
import { poseRecord } from "../../protocol/pose.ts";
import type { ModelRoots } from "../../protocol/model_files.ts";
import { pathStates } from "../session_records.ts";
import type { WalkFrame, WalkRecord } from "../../protocol/walk_record.ts";

/** The parts of a record of the walk. */
export interface WalkParts {
  readonly sessionId: string;
  readonly backend: Backend;
  readonly navigation: Navigation;
  /** Undefined while the model is missing. */
  readonly roots: ModelRoots | undefined;
}

/** Where the session's video of the walk is. */
const VIDEO = "/v1/world/session/walk/media/output";

/** Where the camera has been on every path that the session can return to. */
export function walkRecord({ sessionId, backend, navigation, roots }: WalkParts): WalkRecord {
  const { state } = navigation;
  const current = state.path.at(-1);
  const [root] = state.path;
  const isWhole = root !== undefined && root.move === undefined;
  const frame = nextFrame(backend, navigation, roots);
  return {
    object: "world.walk",
    session_id: sessionId,
    backend: backend.name,
    ...(current && { current_state_id: current.state_id }),
    ...(backend.viewAngle !== undefined && { view_angle_degrees: backend.viewAngle }),
    ...(frame && { frame }),
    ...(isWhole && root.sourcePath !== undefined && { source_path: root.sourcePath }),
    ...(state.path.some(({ move }) => move) && { video_media_path: VIDEO }),
    states: pathStates(navigation.reachable).map(({ state_id, parent_state_id, pose, move }) => ({
      state_id,
      ...(parent_state_id !== undefined && { parent_state_id }),
      world_pose: poseRecord(pose),
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
): WalkFrame | undefined {
  const width = geometry?.width ?? roots?.defaults.width;
  const height = geometry?.height ?? roots?.defaults.height;
  if (!roots && !geometry) return undefined;
  return {
    width: width ?? transition.width,
    height: height ?? transition.height,
    fps: roots?.defaults.fps ?? transition.fps,
  };
}
