/**
 * Check of trajectories and poses against `arworld_trajectories.json.br`.
 *
 * @module
 */
import * as v from "valibot";
import { INTRINSICS } from "../../../lib/models/arworld/camera.ts";
import {
  cameraPosition,
  cameraYaw,
  chainViews,
  chunkRelativeViews,
  firstFrameRelativeViews,
  latentPixelFrames,
  latentViews,
  pixelFrameCount,
  segmentLengths,
} from "../../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";
import { type Comparison, largestDifference, type Numbers } from "../golden.ts";

const POSE = 3e-5;
const numbers = v.array(v.number());
const actions = v.array(v.tuple([v.string(), v.number()]));
const fileSchema = v.object({
  programs: v.array(v.object({
    name: v.string(),
    actions,
    speed: v.number(),
    latent_frames: v.number(),
    pixel_frames: v.number(),
    segment_lengths: numbers,
    aligned_pixel_indices: numbers,
    latent_indices_listed: numbers,
    chunk_relative_world_to_camera: v.array(numbers),
    first_frame_relative_world_to_camera: v.array(numbers),
    terminal_position: numbers,
    terminal_forward: numbers,
  })),
  intrinsics: v.object({ fx: v.number(), fy: v.number() }),
  global_pose_chains: v.array(v.object({
    speed: v.optional(v.number()),
    rollouts: v.array(v.object({
      actions,
      latents: v.number(),
      speed: v.optional(v.number()),
      terminal_world_to_camera: numbers,
      position: numbers,
      yaw_degrees: v.number(),
      world_to_camera: v.array(numbers),
    })),
  })),
});

/** Compares every number of the file with ours. */
export function checkTrajectories(json: unknown): Comparison[] {
  const file = v.parse(fileSchema, json);
  const comparisons: Comparison[] = [];
  const compare = (name: string, ours: Numbers, expected: Numbers, tolerance: number) =>
    comparisons.push({ name, maxAbs: largestDifference(ours, expected), tolerance });

  compare("intrinsics", [INTRINSICS.fx, INTRINSICS.fy], [file.intrinsics.fx, file.intrinsics.fy], 1e-6);
  for (const program of file.programs) {
    const named = (field: string) => `${program.name}.${field}`;
    const weights = program.actions.map(([, weight]) => weight);
    const frames = pixelFrameCount(program.latent_frames);
    compare(named("pixel_frames"), [frames], [program.pixel_frames], 0);
    compare(named("segment_lengths"), segmentLengths(weights, frames), program.segment_lengths, 0);
    compare(named("aligned"), latentPixelFrames(program.latent_frames), program.aligned_pixel_indices, 0);
    const views = pathViews(program.actions, program.latent_frames, program.speed);
    const first = firstFrameRelativeViews(views);
    const listed = (all: Float32Array) => program.latent_indices_listed.flatMap((k) => [...viewAt(all, k)]);
    compare(
      named("chunk_relative"),
      listed(chunkRelativeViews(views)),
      program.chunk_relative_world_to_camera.flat(),
      POSE,
    );
    compare(named("first_frame_relative"), listed(first), program.first_frame_relative_world_to_camera.flat(), POSE);
    const last = viewAt(first, program.latent_frames - 1);
    compare(named("terminal_position"), cameraPosition(last), program.terminal_position, POSE);
    compare(named("terminal_forward"), last.subarray(8, 11), program.terminal_forward, POSE);
  }
  for (const [i, chain] of file.global_pose_chains.entries()) {
    let pose: Float32Array = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    for (const [j, rollout] of chain.rollouts.entries()) {
      const named = (field: string) => `chain ${i} rollout ${j} ${field}`;
      const views = pathViews(rollout.actions, rollout.latents, rollout.speed ?? chain.speed ?? 1.5);
      const world = chainViews(firstFrameRelativeViews(views), pose);
      compare(named("world_to_camera"), world, rollout.world_to_camera.flat(), POSE);
      pose = viewAt(world, rollout.latents - 1);
      compare(named("terminal"), pose, rollout.terminal_world_to_camera, POSE);
      compare(named("position"), cameraPosition(pose), rollout.position, POSE);
      compare(named("yaw"), [cameraYaw(pose)], [rollout.yaw_degrees], 1e-2);
    }
  }
  return comparisons;
}

function pathViews(path: readonly (readonly [string, number])[], latentFrames: number, speed: number): Float32Array {
  const [keys, weights] = [path.map(([key]) => key), path.map(([, weight]) => weight)];
  return latentViews({ steps: keys.map(stepOfKeys), weights, latentFrames, speed });
}

function viewAt(views: Float32Array, index: number): Float32Array {
  return views.subarray(16 * index, 16 * index + 16);
}
