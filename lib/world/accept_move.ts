/**
 * Turns the body of a request into a move that only has to be run.
 *
 * @module
 */
import { artifactNames, type MoveKind } from "./artifact_numbers.ts";
import { type Edge, isWayBack } from "./edge.ts";
import type { Job, JobReceipt } from "./job.ts";
import { type MoveContext, startMove } from "./move_start.ts";
import { replayReceipt, rolloutReceipt, transitionReceipt } from "./move_receipts.ts";
import { type Place, placeAfterMove, placeAfterReplay } from "./place.ts";
import { hasFrames, replayEdge } from "./replay_edge.ts";
import type { RetainedEdge, RetainedEdges } from "./retained_edges.ts";
import { ROLLOUT_DEFAULTS, type RolloutRequest } from "./rollout_request.ts";
import { planRollout } from "./rollout_plan.ts";
import { type MoveTools, runMove } from "./run_move.ts";
import { planTransition } from "./transition_plan.ts";
import { framesOf, TRANSITION_DEFAULTS, type TransitionRequest } from "./transition_request.ts";

/** A move whose request is right; everything is settled but the work itself. */
export interface AcceptedMove {
  readonly kind: MoveKind;
  /** Whether the model must be ready. */
  readonly generates: boolean;
  readonly run: (job: Job) => Promise<MoveOutcome>;
}

/** What a move has come to. */
export interface MoveOutcome {
  readonly place: Place;
  readonly receipt: JobReceipt;
  /** What walking back over the new edge needs; it belongs to the session from now on. */
  readonly retained?: { readonly id: string; readonly edge: RetainedEdge };
}

/** What accepting a move needs of its session. */
export interface AcceptContext extends MoveContext {
  readonly tools: MoveTools;
  readonly edges: RetainedEdges;
}

/**
 * Accepts a rollout.
 *
 * @throws {WorldError} what `startMove` throws.
 */
export async function acceptRollout(request: RolloutRequest, context: AcceptContext): Promise<AcceptedMove> {
  const { tools, place: { latents } } = context;
  const start = await startMove(request, ROLLOUT_DEFAULTS, context, (from) => planRollout(request, from.pose));
  return {
    kind: "rollout",
    generates: true,
    run: async (job) => {
      const { retained, ...end } = await runMove(tools, job, start, { hasChain: latents > 0, keepFrames: false });
      if (retained.modelState !== undefined) await tools.model.release(retained.modelState);
      const place = placeAfterMove(start.from, tools.randomId(), end.scene, undefined);
      const { mode: memoryMode } = tools.sceneMemory;
      return { place, receipt: rolloutReceipt({ job, from: start.from, place, memoryMode, ...end }, start, request) };
    },
  };
}

/**
 * Accepts a transition: the way back over the last edge when it is its exact inverse, else one that generates.
 *
 * @throws {WorldError} what `startMove` throws.
 */
export async function acceptTransition(request: TransitionRequest, context: AcceptContext): Promise<AcceptedMove> {
  const edge = context.place.edges.at(-1);
  if (edge && request.sourceImage === undefined && isWayBack(edge, request)) {
    const retained = context.edges.get(edge.id);
    if (retained && await hasFrames(context.files, retained)) {
      return await acceptReplay(request, context, edge, retained);
    }
  }
  return await acceptGenerated(request, context);
}

async function acceptGenerated(request: TransitionRequest, context: AcceptContext): Promise<AcceptedMove> {
  const { tools, place: { latents } } = context;
  const { camera } = request;
  const numFrames = framesOf(request);
  const start = await startMove(
    request,
    TRANSITION_DEFAULTS,
    context,
    (from) => planTransition(camera, numFrames, from.latents === 0, from.pose),
  );
  return {
    kind: "transition",
    generates: true,
    run: async (job) => {
      // A hold has no inverse, so nothing could ever walk it back.
      const keepFrames = camera.motion !== "hold";
      const { retained, ...end } = await runMove(tools, job, start, { hasChain: latents > 0, keepFrames });
      const { from, geometry, fps, seed } = start;
      const id = tools.randomId();
      const edge: Edge = { id, camera, geometry, fps, numFrames, seed, source: sceneOf(from) };
      const place = placeAfterMove(from, id, end.scene, keepFrames ? edge : undefined);
      const { mode: memoryMode } = tools.sceneMemory;
      const receipt = transitionReceipt({ job, from, place, memoryMode, ...end }, start, camera);
      return { place, receipt, retained: { id, edge: retained } };
    },
  };
}

async function acceptReplay(
  request: TransitionRequest,
  { place: from, tools, files, nextNumber }: AcceptContext,
  edge: Edge,
  retained: RetainedEdge,
): Promise<AcceptedMove> {
  const output = request.output === undefined ? undefined : await files.clientOutput(request.output);
  const number = await nextNumber();
  const outputPath = output ?? files.statePath(artifactNames(number).output("transition"));
  return {
    kind: "transition",
    generates: false,
    run: async (job) => {
      const end = await replayEdge(tools, job, { edge, retained, number, outputPath });
      const place = placeAfterReplay(from, edge);
      const result = { job, from, place, memoryMode: tools.sceneMemory.mode, ...end };
      return { place, receipt: replayReceipt(result, edge, outputPath, request.camera) };
    },
  };
}

function sceneOf({ frame, geometry, latents, pose, memory }: Place): Edge["source"] {
  return { frame, geometry, latents, pose, memory };
}
