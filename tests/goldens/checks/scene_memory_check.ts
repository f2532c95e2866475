/**
 * Check of scene memory against `scene_memory.json.br`.
 *
 * @module
 */
import * as v from "valibot";
import { cameraPosition, cameraYaw } from "../../../lib/models/arworld/trajectory.ts";
import { type Matrix4, ORIGIN } from "../../../lib/world/protocol/pose.ts";
import {
  isWithin,
  positionDistance,
  type RevisitRule,
  rotationAngle,
  WHOLE_ROTATION,
} from "../../../lib/world/session/scene/revisit_rule.ts";
import { planRollout } from "../../../lib/world/protocol/move_plan.ts";
import { NO_MEMORIES, type SceneMemory, visitBlock } from "../../../lib/world/session/scene/scene_memory.ts";
import type { SceneMemoryPolicyRecord } from "../../../lib/world/protocol/wire.ts";
import { type Comparison, largestDifference, type Numbers } from "../golden.ts";

const POSITION = 3e-5;
const DEGREES = 1e-2;

/** At strength 0 returns are counted but not applied; to see them in the tables they are looked up with another one. */
const UNLIKE_ZERO = 0.5;

const policySchema = v.object({
  minimum_frame_gap: v.number(),
  gap_fraction: v.boolean(),
  maximum_yaw: v.number(),
  maximum_translation: v.number(),
  exact_yaw: v.number(),
  exact_translation: v.number(),
  exact_rotation: v.number(),
  strength: v.number(),
  capacity: v.number(),
  rotation_gate: v.boolean(),
});
const blockSchema = v.object({
  block: v.number(),
  first_latent: v.number(),
  matches: v.array(v.object({
    target_latent: v.number(),
    matched_latent: v.number(),
    gap: v.number(),
    yaw_degrees: v.number(),
    distance: v.number(),
    strength: v.number(),
    near_ties: v.optional(v.array(v.number()), []),
  })),
  stored_latents_after: v.array(v.number()),
});
const scenarioSchema = v.object({
  name: v.string(),
  rollouts: v.optional(v.array(v.string())),
  latents_per_rollout: v.optional(v.number()),
  poses_x_yaw: v.optional(v.array(v.array(v.tuple([v.number(), v.number()])))),
  policy: policySchema,
  terminal_position: v.optional(v.array(v.number())),
  terminal_yaw_degrees: v.optional(v.number()),
  latents: v.number(),
  retrievals: v.number(),
  exact_restores: v.number(),
  stored: v.number(),
  blocks: v.optional(v.array(blockSchema), []),
  first_blocks: v.optional(v.array(blockSchema), []),
  last_block: v.optional(blockSchema),
});

type Policy = v.InferOutput<typeof policySchema>;
type Block = v.InferOutput<typeof blockSchema>;
type Scenario = v.InferOutput<typeof scenarioSchema>;

/** One of our blocks: memory before and after it, and the model's inputs. */
interface OurBlock extends ReturnType<typeof visitBlock> {
  readonly before: SceneMemory;
  readonly poses: readonly Matrix4[];
}

/** Compares every table of the file with ours. */
export function checkSceneMemory(json: unknown): Comparison[] {
  const { scenarios } = v.parse(v.object({ scenarios: v.array(scenarioSchema) }), json);
  return scenarios.flatMap(checkScenario);
}

function checkScenario(scenario: Scenario): Comparison[] {
  const comparisons: Comparison[] = [];
  const compare = (field: string, ours: Numbers, expected: Numbers, tolerance = 0) =>
    comparisons.push({ name: `${scenario.name} ${field}`, maxAbs: largestDifference(ours, expected), tolerance });

  const blocks = visit(posesOf(scenario), scenario.policy);
  const { memory, poses } = blocks[blocks.length - 1];
  compare("latents", [3 * blocks.length], [scenario.latents]);
  compare("retrievals", [memory.retrievals], [scenario.retrievals]);
  if (scenario.policy.strength > 0) compare("exact_restores", [memory.recycled], [scenario.exact_restores]);
  compare("stored", [memory.entries.length], [scenario.stored]);
  const end = poses[poses.length - 1];
  if (scenario.terminal_position) {
    compare("terminal_position", cameraPosition(end), scenario.terminal_position, POSITION);
  }
  if (scenario.terminal_yaw_degrees !== undefined) {
    compare("terminal_yaw", [cameraYaw(end)], [scenario.terminal_yaw_degrees], DEGREES);
  }
  for (const expected of [...scenario.blocks, ...scenario.first_blocks, scenario.last_block ?? []].flat()) {
    const named = (field: string, ours: Numbers, numbers: Numbers, tolerance?: number) =>
      compare(`block ${expected.block} ${field}`, ours, numbers, tolerance);
    checkBlock(blocks[expected.block], expected, scenario.policy, named);
  }
  return comparisons;
}

function checkBlock(
  { before, memory, block: { recall }, poses }: OurBlock,
  { first_latent, matches, stored_latents_after }: Block,
  policy: Policy,
  compare: (field: string, ours: Numbers, expected: Numbers, tolerance?: number) => void,
): void {
  compare("stored_latents_after", memory.entries.map(({ latent }) => latent), stored_latents_after);
  compare("targets", recall.map(({ frame }) => first_latent + frame), matches.map((m) => m.target_latent));
  for (const match of matches) {
    const ours = recall.find(({ frame }) => first_latent + frame === match.target_latent);
    if (!ours || match.near_ties.includes(ours.latent)) continue;
    const named = (field: string) => `target ${match.target_latent} ${field}`;
    const entry = before.entries.find(({ latent }) => latent === ours.latent)!;
    const pose = poses[ours.frame];
    compare(named("matched_latent"), [ours.latent], [match.matched_latent]);
    compare(named("gap"), [match.target_latent - ours.latent], [match.gap]);
    compare(named("yaw"), [yawDistance(pose, entry.pose)], [match.yaw_degrees], DEGREES);
    compare(named("distance"), [positionDistance(pose, entry.pose)], [match.distance], POSITION);
    if (policy.strength > 0) compare(named("strength"), [ours.strength], [match.strength]);
  }
}

/** Sends blocks of poses through memory. */
function visit(blocks: readonly (readonly Matrix4[])[], given: Policy): OurBlock[] {
  const policy: SceneMemoryPolicyRecord = {
    mode: "paper_reconstructed_revisit_anchor",
    maximumFrameCount: given.capacity,
    minimumFrameGap: given.minimum_frame_gap,
    maximumYawDistanceDegrees: given.maximum_yaw,
    maximumTranslationDistance: given.maximum_translation,
    exactRevisitMaximumYawDistanceDegrees: given.exact_yaw,
    exactRevisitMaximumTranslationDistance: given.exact_translation,
    recyclingStrength: given.strength || UNLIKE_ZERO,
  };
  const rule = ruleOf(given);
  let memory = NO_MEMORIES;
  return blocks.map((poses, block) => {
    const before = memory;
    const visited = visitBlock(memory, policy, 3 * block, poses, rule);
    memory = visited.memory;
    return { ...visited, before, poses };
  });
}

/** The published rule compares yaw; the file has variants of it. */
function ruleOf({ gap_fraction, rotation_gate, exact_rotation }: Policy): RevisitRule {
  const isTurned = (a: Matrix4, b: Matrix4, limit: number) => rotation_gate && !isWithin(rotationAngle(a, b), limit);
  return {
    requiredGap: gap_fraction ? WHOLE_ROTATION.requiredGap : (policy) => policy.minimumFrameGap,
    isNear: (policy, a, b) =>
      isWithin(yawDistance(a, b), policy.maximumYawDistanceDegrees) &&
      isWithin(positionDistance(a, b), policy.maximumTranslationDistance) &&
      !isTurned(a, b, policy.maximumYawDistanceDegrees),
    isSame: (policy, a, b) =>
      isWithin(yawDistance(a, b), policy.exactRevisitMaximumYawDistanceDegrees) &&
      isWithin(positionDistance(a, b), policy.exactRevisitMaximumTranslationDistance) &&
      !isTurned(a, b, exact_rotation),
    cost: (a, b) => yawDistance(a, b) + 10 * positionDistance(a, b),
  };
}

function yawDistance(a: Matrix4, b: Matrix4): number {
  const turn = Math.abs(cameraYaw(a) - cameraYaw(b)) % 360;
  return Math.min(turn, 360 - turn);
}

/** World poses by block. */
function posesOf(scenario: Scenario): Matrix4[][] {
  if (scenario.poses_x_yaw) return scenario.poses_x_yaw.map((block) => block.map(([x, yaw]) => poseAt(x, yaw)));
  let pose = ORIGIN;
  return (scenario.rollouts ?? []).flatMap((action) => {
    const latentFrames = scenario.latents_per_rollout ?? 3;
    const plan = planRollout({ actions: [action], weights: [1], latentFrames, speed: 1.5 }, pose);
    pose = plan.terminalPose;
    return plan.blocks.map(({ poses }) => [...poses]);
  });
}

/** World-to-camera pose of a level camera on the x axis. */
function poseAt(x: number, yawDegrees: number): Matrix4 {
  const yaw = yawDegrees * Math.PI / 180;
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  return [c, 0, -s, -c * x, 0, 1, 0, 0, s, 0, c, -s * x, 0, 0, 0, 1];
}
