/**
 * Sessions of a causal video model: latents continue from cached ones, with poses and scene memory.
 *
 * @module
 */
import type { Backend, MadeScene, PlannedMove } from "../session/backend.ts";
import { effectiveSeed, seedRecord } from "../protocol/requests/move_fields.ts";
import { latentCounts, type Scene } from "../session/scene/scene.ts";
import type { MoveSite } from "../session/moves/move_start.ts";
import { poseRecord } from "../protocol/pose.ts";
import { type PlannedBlock, planRollout, planTransition, type RolloutPlan } from "../protocol/move_plan.ts";
import { readRolloutRequest, ROLLOUT_DEFAULTS, type RolloutRequest } from "../protocol/requests/rollout_request.ts";
import { DEFAULT_SCENE_MEMORY } from "../protocol/scene_memory_policy.ts";
import { readTransitionRequest, TRANSITION_DEFAULTS } from "../protocol/requests/transition_request.ts";
import type { SceneMemoryPolicyRecord } from "../protocol/wire.ts";
import { SAMPLER_SHIFT, SAMPLER_STEPS } from "../../models/arworld/sampling/sampler_math.ts";
import { INTRINSICS } from "../../models/arworld/camera.ts";
import type { WorldModel } from "../../models/world/world_model.ts";
import { invalidField } from "../../errors/svc_error.ts";
import { joinFrames, type RgbFrames } from "../../media/images/rgb_image.ts";
import type { ChunkPublisher } from "../session/moves/chunk_publisher.ts";
import type { Job } from "../session/moves/job.ts";
import { type SceneMemory, visitBlock } from "../session/scene/scene_memory.ts";
import { LATENTS_PER_BLOCK } from "../../models/arworld/trajectory.ts";

/** Options of {@linkcode arworldBackend}. */
export interface ArworldBackendOptions {
  readonly model: WorldModel;
  /** The scene memory policy; the published one by default. */
  readonly sceneMemory?: SceneMemoryPolicyRecord | undefined;
  /**
   * Whether a transition's first block is two chunks, of which the first is made before the rest is decoded: worth it
   * where a block takes much longer than what it shows.
   */
  readonly early?: boolean;
}

/** Backs a session with an arworld. */
export function arworldBackend(
  { model, sceneMemory = DEFAULT_SCENE_MEMORY, early = false }: ArworldBackendOptions,
): Backend {
  const generating = (
    { blocks, terminalPose: pose }: RolloutPlan,
    { prompt, seed }: { readonly prompt: string; readonly seed: bigint },
    { from }: MoveSite,
    early = false,
  ): PlannedMove => ({
    chunks: blocks.length + (early ? 1 : 0),
    poses: blocks.flatMap((block) => block.poses),
    async generate(job, publisher, onBlock): Promise<MadeScene> {
      const run = { job, blocks, prompt, seed, from, memoryPolicy: sceneMemory, onBlock, early };
      const memory = await runBlocks(model, publisher, run);
      return { depth: from.depth + blocks.length, pose, memory };
    },
  });
  return {
    name: "arworld",
    model,
    conditioningMode: "causal_camera_latents",
    hasCheckpoints: true,
    viewAngle: 2 * Math.atan(0.5 / INTRINSICS.fx) * 180 / Math.PI,
    transition: TRANSITION_DEFAULTS,
    rollout: ROLLOUT_DEFAULTS,
    readTransition: readTransitionRequest,
    planTransition(request, site) {
      const { depth, pose } = site.from;
      const { action, ...plan } = planTransition(request.camera, request.frames, depth === 0, pose);
      return {
        ...generating(plan, request, site, early),
        receipt: (frames) => ({
          effective: {
            steps: SAMPLER_STEPS.length,
            guidanceScale: 1, // the weights are distilled: no unconditional pass
            shift: SAMPLER_SHIFT,
            numFrames: frames - (depth > 0 ? 1 : 0),
            seed: seedRecord(effectiveSeed(request.seed, depth)),
            action,
          },
        }),
        replayReceipt: {},
      };
    },
    readRollout: readRolloutRequest,
    planRollout(request, site) {
      const plan = planRollout(request, site.from.pose);
      checkReach(request, plan);
      return {
        ...generating(plan, request, site),
        receipt: {
          actionSeq: request.actions,
          actionSpeedList: request.weights,
          latentFrameCount: request.latentFrames,
          speed: request.speed,
          effective: { seed: seedRecord(effectiveSeed(request.seed, site.from.depth)) },
        },
      };
    },
    snapshotOf: (state) => ({
      ...latentCounts(state),
      sceneMemoryMode: sceneMemory.mode,
      sceneMemoryPolicy: sceneMemory,
      sceneMemoryRetrievalCount: state.memory.retrievals,
      sceneMemoryRecycledFrameCount: state.memory.recycled,
    }),
    receiptOf: (from, to, replayed) => ({
      terminalWorldPose: poseRecord(to.pose),
      sceneMemoryMode: sceneMemory.mode,
      sceneMemoryRetrievalCount: replayed ? 0 : to.memory.retrievals - from.memory.retrievals,
      sceneMemoryRecycledFrameCount: replayed ? 0 : to.memory.recycled - from.memory.recycled,
    }),
  };
}

function checkReach({ speed }: RolloutRequest, { terminalPose }: RolloutPlan): void {
  if (terminalPose.every(Number.isFinite)) return;
  throw invalidField("speed", `Cannot start a rollout: "speed" is ${speed}, too far to go`);
}

/** Progress steps of one block: four denoising steps, the cache pass, decoding. */
const BLOCK_STEPS = 6;

/** The blocks of one job; the model is in the state that they start from. */
interface BlockRun {
  readonly job: Job;
  readonly blocks: readonly PlannedBlock[];
  readonly prompt: string;
  /** The request's seed. */
  readonly seed: bigint;
  /** The state before the first block. */
  readonly from: Scene;
  readonly memoryPolicy: SceneMemoryPolicyRecord;
  readonly onBlock: ((scene: MadeScene) => Promise<void>) | undefined;
  /** Whether the first block is two chunks. */
  readonly early: boolean;
}

/**
 * Runs all blocks of a job; returns the scene memory after them.
 * Rejects with the first failure or the reason of the job's signal; a chunk may still be being written then.
 */
async function runBlocks(model: WorldModel, publisher: ChunkPublisher, run: BlockRun): Promise<SceneMemory> {
  const { job, blocks, from: { depth, frame } } = run;
  const { signal } = publisher;
  const total = blocks.length * BLOCK_STEPS;
  let { memory } = run.from;
  for (const [block, { views, poses }] of blocks.entries()) {
    const seed = effectiveSeed(run.seed, depth + block);
    const visit = visitBlock(memory, run.memoryPolicy, (depth + block) * LATENTS_PER_BLOCK, poses);
    // Where blocks are kept one by one, each ends before its frames are taken.
    const early = block > 0 || run.onBlock ? undefined : run.early ? "split" : "whole";
    // A continuing chain shows its last frame again, so that the clip joins the previous one.
    const shown = block === 0 && depth > 0 ? [{ ...frame!.image, count: 1 }] : [];
    let isGiven = false;
    const add = (frames: RgbFrames): Promise<void> => {
      isGiven = true;
      return publisher.add(shown.length > 0 ? joinFrames([...shown.splice(0), frames]) : frames);
    };
    const generated = await model.generate({
      prompt: run.prompt,
      seed,
      views,
      memory: visit.block,
    }, {
      signal,
      // A failure aborts the publisher's signal, and with it the block.
      ...early && { early, onFrames: (frames) => void add(frames).catch(() => {}) },
      onProgress: ({ stage, step, loaded }) => {
        if (loaded) return job.loading(loaded);
        const done = block * BLOCK_STEPS + Math.min(step, BLOCK_STEPS - 1);
        job.progress(stage, done, total, done / total);
      },
    });
    signal.throwIfAborted();
    memory = visit.memory;
    await run.onBlock?.({ depth: depth + block + 1, pose: poses[poses.length - 1], memory });
    if (!isGiven) await add(generated);
  }
  await publisher.finish();
  job.progress("saving", total, total, 1);
  return memory;
}
