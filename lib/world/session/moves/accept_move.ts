/**
 * Turns a validated request into a move that is ready to run.
 *
 * @module
 */
import type { Geometry } from "../../../models/world/world_model.ts";
import type { MoveKind } from "../../protocol/requests/move_request.ts";
import { artifactNames } from "../artifact_numbers.ts";
import type { Backend } from "../backend.ts";
import { type Edge, isInverseMove } from "../graph/edges.ts";
import type { Job, JobReceipt } from "./job.ts";
import { type MoveContext, startMove } from "./move_start.ts";
import { replayReceipt, rolloutReceipt, transitionReceipt } from "./move_receipts.ts";
import { type SessionState, stateAfterMove, stateAfterReplay } from "../graph/session_state.ts";
import { rolloutBody, transitionBody, walkedMove } from "../walk/walked_move.ts";
import { hasFrames, replayEdge } from "../graph/replay_edge.ts";
import type { RetainedEdge, RetainedEdges } from "../graph/retained_edges.ts";
import type { RolloutRequest } from "../../protocol/requests/rollout_request.ts";
import { type MoveTools, runMove } from "./run_move.ts";
import type { TransitionRequest } from "../../protocol/requests/transition_fields.ts";

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
      // A hold has no inverse, so its frames would never be replayed.
      const keepFrames = camera.motion !== "hold";
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
  request: TransitionRequest,
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

function sceneOf({ frame, geometry, depth, pose, memory }: SessionState): Edge["source"] {
  return { frame, geometry, depth, pose, memory };
}
