import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { WalkRecord, WalkState } from "../../../lib/world/protocol/walk_record.ts";
import { moveTo, ok, refused, SESSION, UPLOAD, withSession, withWorld } from "../../support/with_world.ts";
import { ROLLOUT, transition, type WorldHarness } from "../../support/world_harness.ts";
import { assertClose } from "../../support/assert_close.ts";
import type { Wire } from "../../../lib/json/wire_form.ts";

const VIDEO = `${SESSION}/walk/media/output`;

function walkOf(h: WorldHarness): Promise<Wire<WalkRecord>> {
  return ok(h.call("GET", `${SESSION}/walk`));
}

/** The text that the fake media has for a video. */
async function videoOf(h: WorldHarness): Promise<string> {
  return await (await h.call("GET", VIDEO)).text();
}

function positionOf({ world_pose: { world_to_camera: v } }: Wire<WalkState>): number[] {
  return [0, 1, 2].map((axis) => -[0, 4, 8].reduce((sum, row) => sum + v[row + axis] * v[row + 3], 0));
}

// @row world-session > Endpoints > `GET …/session/walk`
test("GET walk lists where the camera has been, and the requests that make every move again", () =>
  withWorld(async (h) => {
    await moveTo(h, "transitions", { ...transition("forward"), seed: "18446744073709551615" });
    await moveTo(h, "rollouts", { ...ROLLOUT, num_output_frames: 99, speed: 2 });
    const { states, ...walk } = await walkOf(h);
    const [root, first, second] = states;
    assert.equal(walk.current_state_id, second.state_id);
    assert.deepEqual(walk.frame, { width: 64, height: 32, fps: 24 });
    assert.ok(Math.abs(walk.view_angle_degrees! - 89.4) < 0.1);
    assert.match(walk.source_path!, /source-0001\.png$/);
    assert.equal(walk.video_media_path, VIDEO);
    assert.equal(root.move, undefined);
    assert.deepEqual(positionOf(root).map(Math.abs), [0, 0, 0]);
    assert.deepEqual(first.move!.request, {
      prompt: "a corridor",
      camera: { motion: "forward", translation_meters: [0, 0, 0.5], rotation_degrees: [0, 0, 0] },
      num_frames: 9,
      width: 64,
      height: 32,
      fps: 24,
      seed: "18446744073709551615",
    });
    assert.deepEqual(first.move!.positions, [[0, 0, 0], [0, 0, 0.075], [0, 0, 0.375]]);
    assertClose(positionOf(first), [0, 0, 0.375], 1e-6);
    assert.deepEqual(second.move!.request, {
      prompt: "a corridor",
      action_seq: ["w", "l"],
      action_speed_list: [1, 1],
      num_output_frames: 99,
      speed: 2,
      width: 64,
      height: 32,
      fps: 16,
      seed: 42,
    });
    assert.equal(second.parent_state_id, first.state_id);
    assert.equal(second.move!.positions.length, 32);
    assertClose(second.move!.positions.at(-1)!, positionOf(second), 1e-4);
  }));

test("the requests of the walk make the same frames in a new world", () =>
  withWorld(async (h) => {
    await moveTo(h, "transitions", transition("forward"));
    await moveTo(h, "transitions", transition("yawLeft"));
    await moveTo(h, "transitions", transition("yawRight")); // replayed: not part of the path
    await moveTo(h, "rollouts", ROLLOUT);
    const made = h.media.encoded.map(({ frames }) => frames.data);
    const { states } = await walkOf(h);
    const requests = states.flatMap(({ move }) => move?.request ?? []);
    assert.equal(requests.length, 2);
    await ok(h.call("POST", `${SESSION}/source`, UPLOAD));
    h.media.encoded.length = 0;
    for (const request of requests) {
      await moveTo(h, "camera" in request ? "transitions" : "rollouts", request);
    }
    const again = h.media.encoded.map(({ frames }) => frames.data);
    assert.deepEqual(again, [made[0], ...made.slice(-2)]);
  }));

test("the walk has abandoned branches that checkpoints lead to, and forgets a longer request", () =>
  withWorld(async (h) => {
    await moveTo(h, "transitions", transition("forward"));
    const { checkpoint_id: id } = await ok(h.call("POST", `${SESSION}/checkpoints`, { json: { name: "a" } }), 201);
    await moveTo(h, "transitions", transition("strafeLeft"));
    await ok(h.call("POST", `${SESSION}/checkpoints`, { json: { name: "b" } }), 201);
    await ok(h.call("POST", `${SESSION}/checkpoints/${id}/restore`));
    await moveTo(h, "transitions", { ...transition("yawRight"), prompt: "p".repeat(5000) });
    const { states } = await walkOf(h);
    assert.equal(states.length, 4);
    assert.deepEqual(states.map(({ move }) => move && move.request !== undefined), [undefined, true, false, true]);
    const [, fork, current, left] = states;
    assert.deepEqual([current.parent_state_id, left.parent_state_id], [fork.state_id, fork.state_id]);
    assert.ok(positionOf(left)[0] < -0.2 && Math.abs(positionOf(current)[0]) < 1e-6);
  }));

// @row world-session > Endpoints > `GET …/session/walk`
test("an actionworld's walk adds up the rows of its clips, and takes them back", () =>
  withWorld(async (h) => {
    const clip = (motion: "forward" | "backward" | "yawRight" | "yawLeft") => ({
      ...transition(motion),
      num_frames: 17,
    });
    await moveTo(h, "transitions", { ...clip("yawRight"), camera: camera("yawRight", [0, 0, 0], [0, 90, 0]) });
    await moveTo(h, "transitions", { ...clip("forward"), steps: 2 });
    const { states, view_angle_degrees } = await walkOf(h);
    assert.equal(view_angle_degrees, undefined);
    const [x, y, z] = positionOf(states[2]);
    assert.ok(x > 5 && Math.abs(y) < 1e-6 && Math.abs(z) < 1e-5, `${[x, y, z]}`);
    const { request } = states[2].move!;
    assert.deepEqual(request && "camera" in request && [request.steps, request.guidance_scale, request.shift], [
      2,
      1,
      3,
    ]);
    await moveTo(h, "transitions", clip("backward"));
    await moveTo(h, "transitions", { ...clip("yawLeft"), camera: camera("yawLeft", [0, 0, 0], [0, -90, 0]) });
    const back = await walkOf(h);
    assert.equal(back.states.length, 1);
    assert.equal(back.video_media_path, undefined);
    // Rows that say nothing, and huge ones, leave numbers that can be sent.
    const huge = [3e38, -3e38, 0, 0, 0, 0, 0, 0, 0];
    await moveTo(h, "transitions", { ...clip("forward"), model_space_actions: [huge, [0, 0, 1, 0, 5, 0, 0, 9, 0]] });
    const numbers = (await walkOf(h)).states.flatMap(({ world_pose }) => world_pose.world_to_camera);
    assert.ok(numbers.every((value) => typeof value === "number"));
  }, { backend: "actionworld" }));

function camera(motion: string, translation_meters: number[], rotation_degrees: number[]): Record<string, unknown> {
  return { motion, translation_meters, rotation_degrees };
}

// @row world-session > Endpoints > `GET …/session/walk/media/output`
test("the video of the walk is the active path, made once and again only for another path", () =>
  withWorld(async (h) => {
    await refused(h.call("GET", VIDEO), 404, "media_not_found");
    await moveTo(h, "transitions", { ...transition("forward"), fps: 12 });
    await moveTo(h, "transitions", transition("yawLeft"));
    const [one, two] = await Promise.all([videoOf(h), videoOf(h)]);
    assert.equal(one, two);
    assert.match(one, /^video 12,24 chunk 0 9 .*;chunk 0 13 .*;$/);
    const videos = () => readdirSync(h.folder).filter((name) => name.startsWith("walk-"));
    assert.equal(videos().length, 1);
    await moveTo(h, "transitions", transition("yawRight"));
    assert.match(await videoOf(h), /^video 12 chunk 0 9 [^;]*;$/);
    assert.equal(videos().length, 1);
    rmSync(join(h.folder, videos()[0]));
    assert.match(await videoOf(h), /^video 12 /);
    rmSync(join(h.folder, videos()[0]));
    rmSync(join(h.folder, "transition-0002.chunks"), { recursive: true });
    const message = await refused(h.call("GET", VIDEO), 404, "media_not_found");
    assert.match(message, /removed/);
  }));

test("a walk without a model, an image or a move is empty", () =>
  withSession(async (h) => {
    const { session_id: _id, view_angle_degrees: _angle, ...walk } = await walkOf(h);
    assert.deepEqual(walk, { object: "world.walk", backend: "arworld", states: [] });
  }, { rootsError: new Error("gone") }));
