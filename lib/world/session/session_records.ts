/**
 * What a session is, in the words of the wire.
 *
 * @module
 */
import { latentCounts } from "../backends/arworld_backend.ts";
import type { Backend } from "./backend.ts";
import type { Job } from "./job.ts";
import type { Navigation } from "./navigation.ts";
import type { PathState, Place } from "./place.ts";
import type { RetainedEdges } from "./retained_edges.ts";
import type { ShownFrame } from "./scene.ts";
import type { CheckpointRecord, ModelRecord, SessionPhase, StateRecord, WorldSnapshot } from "../protocol/wire.ts";
import type { WorldModelInfo } from "../../models/world/world_model.ts";

/** What a snapshot is made from. */
export interface SessionParts {
  readonly sessionId: string;
  readonly phase: SessionPhase;
  readonly navigation: Navigation;
  readonly model: ModelRecord;
  readonly job: Job | undefined;
  readonly backend: Backend;
}

/** The snapshot of a session. */
export function sessionSnapshot(parts: SessionParts): WorldSnapshot {
  const { phase, navigation, job, backend } = parts;
  const { place } = navigation;
  const current = place.path.at(-1);
  const { frame } = place;
  return {
    object: "world.session",
    backend: backend.name,
    phase,
    session_id: parts.sessionId,
    transition_count: place.transitions,
    ...(current && { current_state_id: current.state_id }),
    state_ids: place.path.map((state) => state.state_id),
    states: knownStates(navigation),
    keeps_models_warm: phase === "ready" || phase === "generating",
    keeps_terminal_latent: backend.hasCheckpoints && place.depth > 0,
    conditioning_mode: backend.conditioningMode,
    ...(frame && { current_frame_path: frame.path, current_frame_media_path: frameMediaPath(frame) }),
    ...(job && { active_job: job.record() }),
    model: parts.model,
    ...(backend.hasCheckpoints && { checkpoint_count: navigation.locks.size }),
    ...backend.snapshotOf(place),
  };
}

/** The record of a new lock. */
export function checkpointRecord(
  place: Place,
  lock: Pick<CheckpointRecord, "checkpoint_id" | "name" | "created_at" | "session_id">,
): CheckpointRecord {
  const state = place.path[place.path.length - 1];
  return {
    checkpoint_id: lock.checkpoint_id,
    name: lock.name,
    created_at: lock.created_at,
    session_id: lock.session_id,
    state_id: state.state_id,
    transition_index: place.transitions,
    ...latentCounts(place),
    frame_media_path: `/v1/world/session/checkpoints/${lock.checkpoint_id}/media/frame`,
  };
}

/** The states of the active path, then those that only locks lead to. */
function knownStates({ place, edges, locks }: Navigation): StateRecord[] {
  const places = [place, ...locks.list().map((lock) => lock.place)];
  const retained = new Set(places.flatMap((from) => withinReach(from, edges)));
  const states = new Map<string, PathState>(places.flatMap(({ path }) => path).map((s) => [s.state_id, s]));
  return [...states.values()].map((state) => ({ ...state, retained: retained.has(state.state_id) }));
}

/** The last state of a path, and those before it as far as edges are kept. */
function withinReach({ path, edges: walked }: Place, edges: RetainedEdges): string[] {
  const reach = path.slice(-1);
  for (const edge of [...walked].reverse()) {
    const source = path[path.length - 1 - reach.length];
    if (!source || !edges.get(edge.id)) break;
    reach.push(source);
  }
  return reach.map((state) => state.state_id);
}

function frameMediaPath({ jobId }: ShownFrame): string {
  return jobId ? `/v1/world/jobs/${jobId}/media/terminal-frame` : "/v1/world/session/media/frame";
}

/** What the snapshot says of a model that is loaded. */
export function modelRecord({ id, path, basePath, device, dtype }: WorldModelInfo): ModelRecord {
  return {
    id,
    ...(path !== undefined && { path }),
    ...(basePath !== undefined && { base_path: basePath }),
    device,
    dtype,
  };
}
