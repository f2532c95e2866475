/**
 * Turns a validated request into a move that is ready to run, and its outcome into a receipt.
 *
 * @module
 */
import type { Geometry } from "../../../models/world/world_model.ts";
import { type MoveKind, seedRecord } from "../../protocol/requests/move_fields.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import { inverseCamera } from "../../protocol/camera_keys.ts";
import { artifactNames } from "../artifacts.ts";
import type { Backend, PlannedRollout, PlannedTransition } from "../backend.ts";
import { type Edge, isInverseMove, type RetainedEdge, type RetainedEdges } from "../graph/edges.ts";
import type { Job, JobReceipt } from "./job.ts";
import { type MoveContext, type MoveStart, startMove } from "./move_start.ts";
import { type SessionState, stateAfterMove, stateAfterReplay } from "../graph/session_state.ts";
import { rolloutBody, transitionBody, walkedMove } from "./walked_move.ts";
import { hasFrames, replayEdge } from "../graph/replay_edge.ts";
import { oppositeMotion } from "../../protocol/motion_table.ts";
import type { RolloutRequest } from "../../protocol/requests/rollout_request.ts";
import { type MoveTools, runMove } from "./run_move.ts";
import type { TransitionRequest } from "../../protocol/requests/transition_request.ts";
import type { CameraRecord, MoveReceipt, RolloutReceipt, TransitionReceipt } from "../../protocol/job_record.ts";

/** A validated move; everything is settled except the work itself. */
export interface AcceptedMove {
  readonly kind: MoveKind;
  /** Whether the model must be ready. */
  readonly generates: boolean;
  /** The size of its frames, where it generates some. */
  readonly geometry?: Geometry;
  /** The number of its files. */
  readonly number: number;
  readonly outputPath: string;
  /** Runs it; `settle` writes its outcome down, and everything is rolled back if that fails. */
  readonly run: (job: Job, settle: (outcome: MoveOutcome) => Promise<void>) => Promise<MoveOutcome>;
}

/** The outcome of a move. */
export interface MoveOutcome {
  readonly state: SessionState;
  readonly receipt: JobReceipt;
  /** What the replay of the new edge needs; owned by the session from now on. */
  readonly retained?: { readonly id: string; readonly edge: RetainedEdge };
}

/** What accepting a move needs of its session. */
export interface AcceptContext extends MoveContext {
  readonly backend: Backend;
  readonly tools: MoveTools;
  readonly edges: RetainedEdges;
  /** Whether holds are kept too, for {@linkcode acceptUndo}. */
  readonly undoesHolds: boolean;
}

/**
 * Accepts a rollout.
 *
 * @throws {SvcError} what `startMove` throws.
 */
export async function acceptRollout(request: RolloutRequest, context: AcceptContext): Promise<AcceptedMove> {
  const { backend, tools, state } = context;
  const start = await startMove(request, backend.rollout, context, (site) => backend.planRollout(request, site));
  return {
    kind: "rollout",
    generates: true,
    geometry: start.geometry,
    number: start.number,
    outputPath: start.outputPath,
    run: async (job, settle) => {
      const options = { hasChain: state.depth > 0, keepFrames: false };
      const { modelState, ...outcome } = await runMove(tools, job, start, options, async ({ retained, ...end }) => {
        const move = walkedMove("rollout", rolloutBody(request, start), start.plan.poses, start, chunkPaths(job));
        const to = stateAfterMove(start.from, context.newId(), end.scene, undefined, move);
        const receipt = rolloutReceipt({ backend, job, from: start.from, to, ...end }, start);
        await settle({ state: to, receipt });
        return { state: to, receipt, modelState: retained.modelState };
      });
      if (modelState !== undefined) await tools.model.release(modelState);
      return outcome;
    },
  };
}

/**
 * Accepts a transition: the replay of the last edge if it is its exact inverse, else a generated one.
 *
 * @throws {SvcError} what `startMove` throws.
 */
export async function acceptTransition(request: TransitionRequest, context: AcceptContext): Promise<AcceptedMove> {
  const edge = context.state.edges.at(-1);
  const mayReturn = request.sourceImage === undefined && request.modelSpaceActions === undefined;
  if (edge && mayReturn && isInverseMove(edge, request)) {
    const retained = context.edges.get(edge.id);
    if (retained && await hasFrames(context.files, retained)) {
      return await acceptReplay(request, context, edge, retained);
    }
  }
  return await acceptGenerated(request, context);
}

/**
 * Accepts the replay of the last edge, whatever its camera.
 *
 * @throws {SvcError} `nothing_to_undo`.
 */
export async function acceptUndo(context: AcceptContext): Promise<AcceptedMove> {
  const edge = context.state.edges.at(-1);
  const retained = edge && context.edges.get(edge.id);
  if (edge && retained && await hasFrames(context.files, retained)) {
    const camera = inverseCamera(edge.camera) ?? edge.camera; // a hold is undone by a hold
    return await acceptReplay({ camera, output: undefined }, context, edge, retained);
  }
  const reason = edge ? "it is no longer kept" : "there is none";
  throw new SvcError("nothing_to_undo", `Cannot undo the last move: ${reason}, make another move first`);
}

async function acceptGenerated(request: TransitionRequest, context: AcceptContext): Promise<AcceptedMove> {
  const { backend, tools, state } = context;
  const { camera, frames: numFrames } = request;
  const start = await startMove(request, backend.transition, context, (site) => backend.planTransition(request, site));
  return {
    kind: "transition",
    generates: true,
    geometry: start.geometry,
    number: start.number,
    outputPath: start.outputPath,
    run: async (job, settle) => {
      // A move that has no inverse is never replayed: only a host can undo it.
      const keepFrames = oppositeMotion(camera.motion) !== undefined || context.undoesHolds;
      const options = { hasChain: state.depth > 0, keepFrames };
      return await runMove(tools, job, start, options, async ({ retained, ...end }) => {
        const { from, geometry, fps, seed, plan } = start;
        const id = context.newId();
        const { replayReceipt } = plan;
        const edge: Edge = { id, camera, geometry, fps, numFrames, seed, replayReceipt, source: sceneOf(from) };
        const body = transitionBody(request, start, !backend.hasCheckpoints);
        const move = walkedMove("transition", body, plan.poses, start, chunkPaths(job));
        const to = stateAfterMove(from, id, end.scene, keepFrames ? edge : undefined, move);
        const receipt = transitionReceipt({ backend, job, from, to, ...end }, start, camera);
        const outcome = { state: to, receipt, retained: { id, edge: retained } };
        await settle(outcome);
        return outcome;
      });
    },
  };
}

async function acceptReplay(
  request: Pick<TransitionRequest, "camera" | "output">,
  { state: from, backend, tools, files, nextNumber }: AcceptContext,
  edge: Edge,
  retained: RetainedEdge,
): Promise<AcceptedMove> {
  const output = request.output === undefined ? undefined : await files.clientOutput(request.output);
  const number = await nextNumber();
  const outputPath = output ?? files.statePath(artifactNames(number).output("transition"));
  return {
    kind: "transition",
    generates: false,
    number,
    outputPath,
    run: async (job, settle) =>
      await replayEdge(tools, job, { edge, retained, number, outputPath, from }, async (end) => {
        const to = stateAfterReplay(from, edge);
        const receipt = replayReceipt({ backend, job, from, to, ...end }, edge, outputPath, request.camera);
        await settle({ state: to, receipt });
        return { state: to, receipt };
      }),
  };
}

function chunkPaths({ chunks }: Job): string[] {
  return chunks.map(({ path }) => path);
}

/** The scene of a state. */
export function sceneOf({ frame, geometry, depth, pose, memory }: SessionState): Edge["source"] {
  return { frame, geometry, depth, pose, memory };
}

/** The result of a completed move. */
interface MoveResult {
  readonly backend: Backend;
  readonly job: Job;
  /** The state that it started from. */
  readonly from: SessionState;
  /** The state that it led to. */
  readonly to: SessionState;
  /** Frames of the video. */
  readonly frames: number;
  readonly framePath: string;
}

/** The receipt of a completed rollout. */
export function rolloutReceipt(result: MoveResult, start: MoveStart<PlannedRollout>): RolloutReceipt {
  return { ...moveReceipt(result, start), ...start.plan.receipt };
}

/** The receipt of a generated transition. */
function transitionReceipt(
  result: MoveResult,
  start: MoveStart<PlannedTransition>,
  camera: CameraRecord,
): TransitionReceipt {
  return { ...moveReceipt(result, start), camera, replayed: false, ...start.plan.receipt(result.frames) };
}

/** The receipt of a replayed transition. */
function replayReceipt(
  result: MoveResult,
  edge: Edge,
  outputPath: string,
  camera: CameraRecord,
): TransitionReceipt {
  const { geometry, fps, seed } = edge;
  const receipt = moveReceipt(result, { geometry, fps, seed, outputPath }, true);
  return { ...receipt, camera, replayed: true, ...edge.replayReceipt };
}

function moveReceipt(
  { backend, job, from, to, frames, framePath }: MoveResult,
  { geometry, fps, seed, outputPath }: Pick<MoveStart<unknown>, "geometry" | "fps" | "seed" | "outputPath">,
  replayed = false,
): MoveReceipt {
  const previous = from.path.at(-1);
  return {
    requestId: job.id,
    ...(previous && { previousStateId: previous.stateId }),
    stateId: to.path[to.path.length - 1].stateId,
    transitionIndex: to.transitions,
    outputPath,
    outputMediaPath: job.mediaPath("output"),
    terminalFramePath: framePath,
    terminalFrameMediaPath: job.mediaPath("terminal-frame"),
    pixelFrameCount: frames,
    width: geometry.width,
    height: geometry.height,
    fps,
    seed: seedRecord(seed),
    conditioningMode: replayed ? `${backend.conditioningMode}_cached_inverse` : backend.conditioningMode,
    chunks: [...job.chunks],
    ...backend.receiptOf(from, to, replayed),
  };
}
