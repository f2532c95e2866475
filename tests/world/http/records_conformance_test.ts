import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { DISABLED_SCENE_MEMORY } from "../../../lib/world/protocol/scene_memory_policy.ts";
import { moveTo, ok, refused, SESSION, UPLOAD, withSession, withWorld } from "../../support/with_world.ts";
import { deferred, ROLLOUT, transition, type WorldHarness } from "../../support/world_harness.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

const POLICY = {
  mode: "paper_reconstructed_revisit_anchor",
  maximum_frame_count: 96,
  minimum_frame_gap: 3,
  maximum_yaw_distance_degrees: 2,
  maximum_translation_distance: 0.1,
  exact_revisit_maximum_yaw_distance_degrees: 0.01,
  exact_revisit_maximum_translation_distance: 0.001,
  recycling_strength: 0.08,
};

/** What a fresh snapshot of an arworld says. */
const FRESH = {
  object: "world.session",
  backend: "arworld",
  phase: "cold",
  transition_count: 0,
  state_ids: [],
  states: [],
  keeps_models_warm: false,
  keeps_terminal_latent: false,
  conditioning_mode: "causal_camera_latents",
  model: { id: "fake", device: "auto", dtype: "auto" },
  generated_latent_frame_count: 0,
  retained_latent_frame_count: 0,
  checkpoint_count: 0,
  current_world_pose: { world_to_camera: IDENTITY },
  scene_memory_mode: "paper_reconstructed_revisit_anchor",
  scene_memory_policy: POLICY,
  scene_memory_frame_count: 0,
  scene_memory_retrieval_count: 0,
  scene_memory_recycled_frame_count: 0,
};

// @row world-session > Endpoints > `GET /health`
test("GET /health has exactly object, status, backend, phase and version", () =>
  withSession(async (h) => {
    assert.deepEqual(await ok(h.call("GET", "/health")), {
      object: "world.health",
      status: "ok",
      backend: "arworld",
      phase: "cold",
      version: "1.2.3",
    });
  }));

// @row world-session > Snapshot > `object`
// @row world-session > Snapshot > `session_id`
// @row world-session > Snapshot > `transition_count`
// @row world-session > Snapshot > `current_state_id`
// @row world-session > Snapshot > `state_ids`
// @row world-session > Snapshot > `keeps_models_warm`
// @row world-session > Snapshot > `keeps_terminal_latent`
// @row world-session > Snapshot > `model`
// @row world-session > Snapshot > `current_frame_path`
// @row world-session > Snapshot > `generated_latent_frame_count`
// @row world-session > Snapshot > `retained_latent_frame_count`
// @row world-session > Snapshot > `current_world_pose`
// @row world-session > Snapshot > `backend`, `conditioning_mode`
// @row world-session > Snapshot > `phase`
// @row world-session > Snapshot > `states` with parent, index, depth
// @row world-session > Snapshot > `current_frame_media_path`
// @row world-session > Snapshot > `checkpoint_count`
// @row world-session > Snapshot > `scene_memory_mode`, `scene_memory_policy`
// @row world-session > Endpoints > `GET …/session`
// @row world-session > Versions > `backend` selects the recipe, `conditioning_mode` names it too
// @row world-session > Rules of every route > Keys out in snake_case, optional ones left out, never null
test("the snapshot of a fresh session has every field but those of a state, and none is null", () =>
  withSession(async (h) => {
    const { session_id: id, ...snapshot } = await ok(h.call("GET", SESSION));
    assert.match(id, UUID);
    assert.deepEqual(snapshot, FRESH);
  }));

// @row world-session > Snapshot > The five answers are one record
test("prepare, source, reset and unload answer with the snapshot that GET gives", () =>
  withSession(async (h) => {
    const steps: [string, Parameters<typeof h.call>[2]?][] = [
      ["prepare"],
      ["source", UPLOAD],
      ["reset"],
      ["source", UPLOAD],
      ["unload"],
    ];
    for (const [step, init] of steps) {
      assert.deepEqual(await ok(h.call("POST", `${SESSION}/${step}`, init)), await ok(h.call("GET", SESSION)), step);
    }
  }));

// @row world-session > Snapshot > `object`
// @row world-session > Snapshot > `session_id`
// @row world-session > Snapshot > `transition_count`
// @row world-session > Snapshot > `current_state_id`
// @row world-session > Snapshot > `state_ids`
// @row world-session > Snapshot > `keeps_models_warm`
// @row world-session > Snapshot > `keeps_terminal_latent`
// @row world-session > Snapshot > `model`
// @row world-session > Snapshot > `current_frame_path`
// @row world-session > Snapshot > `generated_latent_frame_count`
// @row world-session > Snapshot > `retained_latent_frame_count`
// @row world-session > Snapshot > `current_world_pose`
// @row world-session > Snapshot > `backend`, `conditioning_mode`
// @row world-session > Snapshot > `phase`
// @row world-session > Snapshot > `states` with parent, index, depth
// @row world-session > Snapshot > `current_frame_media_path`
// @row world-session > Snapshot > `checkpoint_count`
// @row world-session > Snapshot > `scene_memory_mode`, `scene_memory_policy`
// @row world-session > Limits > 3 retained clean latents
// @row world-session > Rules of every route > Keys out in snake_case, optional ones left out, never null
test("the snapshot after moves has the state, its picture, and the latents of the chain", () =>
  withWorld(async (h) => {
    const source = await ok(h.call("GET", SESSION));
    const { session_id, current_state_id: root } = source;
    assert.deepEqual(source, {
      ...FRESH,
      session_id,
      phase: "ready",
      keeps_models_warm: true,
      model: { id: "fake", device: "cpu (fake)", dtype: "f32" },
      current_state_id: root,
      state_ids: [root],
      states: [{ state_id: root, transition_index: 0, depth: 0, retained: true }],
      current_frame_path: join(h.folder, "source-0001.png"),
      current_frame_media_path: `${SESSION}/media/frame`,
    });
    const { rollout_receipt: receipt } = await moveTo(h, "rollouts", ROLLOUT);
    const { state_id, terminal_world_pose, terminal_frame_path, terminal_frame_media_path } = receipt!;
    const moved = await ok(h.call("GET", SESSION));
    assert.deepEqual(moved, {
      ...source,
      transition_count: 1,
      current_state_id: state_id,
      state_ids: [root, state_id],
      states: [
        { state_id: root, transition_index: 0, depth: 0, retained: false },
        { state_id, parent_state_id: root, transition_index: 1, depth: 1, retained: true },
      ],
      keeps_terminal_latent: true,
      current_frame_path: terminal_frame_path,
      current_frame_media_path: terminal_frame_media_path,
      generated_latent_frame_count: 6,
      retained_latent_frame_count: 3,
      current_world_pose: terminal_world_pose,
      scene_memory_frame_count: 6,
    });
    assert.match(state_id, UUID);
    const pose = terminal_world_pose!.world_to_camera;
    assert.equal(pose.length, 16);
    assert.deepEqual(pose.slice(12), [0, 0, 0, 1]);
    assert.notDeepEqual(pose, IDENTITY);
  }));

// @row world-session > Options > `--disable-scene-memory`
// @row world-session > Snapshot > `scene_memory_mode`, `scene_memory_policy`
test("the snapshot shows a disabled scene memory", () =>
  withWorld(async (h) => {
    await moveTo(h, "rollouts", ROLLOUT);
    const snapshot = await ok(h.call("GET", SESSION));
    assert.equal(snapshot.scene_memory_mode, "disabled");
    const zeros = Object.fromEntries(Object.keys(POLICY).map((name) => [name, 0]));
    assert.deepEqual(snapshot.scene_memory_policy, { ...zeros, mode: "disabled" });
    assert.equal(snapshot.scene_memory_frame_count, 0);
  }, { limits: { sceneMemory: DISABLED_SCENE_MEMORY } }));

// @row world-session > Snapshot > `scene_memory_frame_count`, `scene_memory_retrieval_count`, `scene_memory_recycled_frame_count`
// @row world-session > Receipts > `scene_memory_mode`; `scene_memory_retrieval_count` and `scene_memory_recycled_frame_count` of this move
test("scene memory counts returns of a walk back to its start, exact ones as recycled", () =>
  withWorld(async (h) => {
    const described: number[][] = [];
    for (const action of ["d", "d", "d", "a", "a", "a"]) {
      const { rollout_receipt: r } = await moveTo(h, "rollouts", { ...ROLLOUT, action_seq: [action] });
      described.push([r!.scene_memory_retrieval_count!, r!.scene_memory_recycled_frame_count!]);
    }
    const snapshot = await ok(h.call("GET", SESSION));
    const sum = (i: number) => described.reduce((total, counts) => total + counts[i], 0);
    // Out and back of 6 latents each: 16 returns, 5 of them exact, and 28 latents kept.
    assert.deepEqual([sum(0), sum(1), snapshot.scene_memory_frame_count], [16, 5, 28]);
    assert.equal(snapshot.scene_memory_retrieval_count, 16);
    assert.equal(snapshot.scene_memory_recycled_frame_count, 5);
    assert.equal(snapshot.generated_latent_frame_count, 36);
    assert.equal(snapshot.retained_latent_frame_count, 3);
  }));

/** A job that waits in its second block, with its first chunk listed. */
async function halfway(h: WorldHarness): Promise<string> {
  const waiting = deferred();
  const gate = deferred();
  let blocks = 0;
  h.model.onGenerate = () => {
    if (++blocks === 2) h.model.gate = gate.promise;
  };
  const unsubscribe = h.session.events.subscribe(() => {
    const record = h.session.snapshot().activeJob;
    if (record?.chunks.length === 1) waiting.resolve();
  });
  const job = await ok(h.call("POST", `${SESSION}/rollouts`, { json: ROLLOUT }), 202);
  await waiting.promise;
  unsubscribe();
  return job.job_id;
}

// @row world-session > Snapshot > `active_job`
// @row world-session > Job > `job_id`
// @row world-session > Job > `kind`
// @row world-session > Job > `created_at`
// @row world-session > Job > `started_at`
// @row world-session > Job > `completed_at`
// @row world-session > Job > `progress`
// @row world-session > Job > `progress_events`
// @row world-session > Job > `status` generating, cancelled
// @row world-session > Job > `chunks`
// @row world-session > Chunks > `block_index`
// @row world-session > Chunks > `block_count`
// @row world-session > Chunks > `pixel_frame_start`
// @row world-session > Chunks > `codec`
// @row world-session > Chunks > `media_path`
// @row world-session > Chunks > `path`
// @row world-session > Chunks > `pixel_frame_count`, `pixel_frame_range`: 9 frames first, 12 after; 13 in a continued world
// @row world-session > Chunks > Listed as soon as the file can be fetched
// @row world-session > Endpoints > `GET, DELETE /v1/world/jobs/…`
// @row world-session > Rules of every route > Keys out in snake_case, optional ones left out, never null
// @row world-session > Rules of every route > Ids and times
test("a job record has what is known at the time: queued, generating with chunks, cancelled", () =>
  withWorld(async (h) => {
    const id = await halfway(h);
    const path = `/v1/world/jobs/${id}`;
    const { created_at, started_at, progress, progress_events: events, chunks, ...record } = await ok(
      h.call("GET", path),
    );
    assert.deepEqual(record, { job_id: id, kind: "rollout", status: "generating" });
    for (const time of [created_at, started_at]) assert.match(time, TIME);
    assert.deepEqual(events.at(-1), progress);
    assert.deepEqual(Object.keys(progress).sort(), ["fraction", "stage", "step_index", "total_steps", "updated_at"]);
    assert.ok(["denoising", "decoding"].includes(progress.stage) && progress.fraction < 1, JSON.stringify(progress));
    assert.match(progress.updated_at, TIME);
    assert.deepEqual(chunks, [{
      block_index: 0,
      block_count: 2,
      pixel_frame_start: 0,
      pixel_frame_count: 9,
      pixel_frame_range: [0, 9],
      codec: "avc1.64000a",
      media_path: `${path}/media/chunks/0`,
      path: join(h.folder, "rollout-0002.chunks", "chunk-0001.mp4"),
    }]);
    assert.equal((await h.call("GET", chunks[0].media_path)).status, 200);
    assert.deepEqual((await ok(h.call("GET", SESSION))).active_job, await ok(h.call("GET", path)));
    await ok(h.call("DELETE", path), 202);
    await h.ended(h.session.job(id).record());
    const { completed_at, ...ended } = await ok(h.call("GET", path));
    assert.match(completed_at, TIME);
    const keys = ["chunks", "created_at", "job_id", "kind", "progress", "progress_events", "started_at", "status"];
    assert.deepEqual(Object.keys(ended).sort(), keys);
  }));

// @row world-session > Job > `status` queued
test("the record of a job that was just accepted is queued and has neither start nor progress", () =>
  withWorld(async (h) => {
    const { job_id, created_at, ...record } = await ok(h.call("POST", `${SESSION}/rollouts`, { json: ROLLOUT }), 202);
    assert.match(job_id, UUID);
    assert.match(created_at, TIME);
    assert.deepEqual(record, { kind: "rollout", status: "queued", progress_events: [], chunks: [] });
  }));

// @row world-session > Job > `status` failed, `error`
// @row world-session > Errors > Unforeseen errors are sanitized
test("the record of a failed job has the error object and no receipt", () =>
  withWorld(async (h) => {
    h.media.failure = new Error("/home/someone: the encoder broke");
    const { status, error, receipt, rollout_receipt } = await moveTo(h, "rollouts", ROLLOUT);
    assert.deepEqual([status, receipt, rollout_receipt], ["failed", undefined, undefined]);
    assert.deepEqual([error?.type, error?.code], ["server_error", "internal_error"]);
    assert.doesNotMatch(error!.message, /home|encoder/);
  }));

/** What receipts of both kinds contain. */
function shared(h: WorldHarness, id: string, kind: string, number: string): Record<string, unknown> {
  return {
    request_id: id,
    output_path: join(h.folder, `${kind}-${number}.mp4`),
    output_media_path: `/v1/world/jobs/${id}/media/output`,
    terminal_frame_path: join(h.folder, `state-${number}.png`),
    terminal_frame_media_path: `/v1/world/jobs/${id}/media/terminal-frame`,
    width: 64,
    height: 32,
  };
}

// @row world-session > Job > `status` completed
// @row world-session > Job > `rollout_receipt`
// @row world-session > Chunks > `pixel_frame_count`, `pixel_frame_range`: 9 frames first, 12 after; 13 in a continued world
// @row world-session > Receipts > `request_id`
// @row world-session > Receipts > `previous_state_id`
// @row world-session > Receipts > `state_id`
// @row world-session > Receipts > `transition_index`
// @row world-session > Receipts > `output_path`
// @row world-session > Receipts > `output_media_path`
// @row world-session > Receipts > `terminal_frame_path`
// @row world-session > Receipts > `terminal_frame_media_path`
// @row world-session > Receipts > `pixel_frame_count`
// @row world-session > Receipts > `conditioning_mode`
// @row world-session > Receipts > `seed`
// @row world-session > Receipts > `fps`
// @row world-session > Receipts > `terminal_world_pose`
// @row world-session > Receipts > `chunks`
// @row world-session > Receipts > `width`, `height`
// @row world-session > Receipts > `action_seq`, `action_speed_list`, `latent_frame_count`, `speed`
// @row world-session > Endpoints > `POST …/session/rollouts`
test("the receipt of a rollout has exactly the fields of the contract", () =>
  withWorld(async (h) => {
    const root = (await ok(h.call("GET", SESSION))).current_state_id;
    const body = { ...ROLLOUT, action_seq: ["W", "l"], action_speed_list: [2, 1], seed: "18446744073709551615" };
    const job = await moveTo(h, "rollouts", body);
    assert.equal(job.receipt, undefined);
    const { state_id, terminal_world_pose, ...receipt } = job.rollout_receipt!;
    assert.match(state_id, UUID);
    assert.equal(terminal_world_pose!.world_to_camera.length, 16);
    assert.deepEqual(receipt, {
      ...shared(h, job.job_id, "rollout", "0002"),
      previous_state_id: root,
      transition_index: 1,
      action_seq: ["w", "l"],
      action_speed_list: [2, 1],
      latent_frame_count: 6,
      pixel_frame_count: 21,
      speed: 1.5,
      effective: { seed: "18446744073709551615" },
      conditioning_mode: "causal_camera_latents",
      chunks: job.chunks,
      scene_memory_mode: "paper_reconstructed_revisit_anchor",
      scene_memory_retrieval_count: 0,
      scene_memory_recycled_frame_count: 0,
      seed: "18446744073709551615",
      fps: 16,
    });
    assert.deepEqual(job.chunks.map((chunk) => chunk.pixel_frame_range), [[0, 9], [9, 21]]);
    const next = await moveTo(h, "rollouts", body);
    assert.equal(next.rollout_receipt!.seed, "18446744073709551615");
    assert.deepEqual(next.rollout_receipt!.effective, { seed: 1 }, "the seed plus two blocks, modulo 2^64");
  }));

// @row world-session > Job > `status` completed
// @row world-session > Job > `receipt`
// @row world-session > Chunks > `pixel_frame_count`, `pixel_frame_range`: 9 frames first, 12 after; 13 in a continued world
// @row world-session > Receipts > `request_id`
// @row world-session > Receipts > `previous_state_id`
// @row world-session > Receipts > `state_id`
// @row world-session > Receipts > `transition_index`
// @row world-session > Receipts > `output_path`
// @row world-session > Receipts > `output_media_path`
// @row world-session > Receipts > `terminal_frame_path`
// @row world-session > Receipts > `terminal_frame_media_path`
// @row world-session > Receipts > `pixel_frame_count`
// @row world-session > Receipts > `conditioning_mode`
// @row world-session > Receipts > `seed`
// @row world-session > Receipts > `fps`
// @row world-session > Receipts > `terminal_world_pose`
// @row world-session > Receipts > `chunks`
// @row world-session > Receipts > `width`, `height`
// @row world-session > Receipts > `camera`, `replayed`, `effective`
// @row world-session > Endpoints > `POST …/session/transitions`
test("the receipt of a transition has exactly the fields of the contract, and what really ran", () =>
  withWorld(async (h) => {
    await moveTo(h, "transitions", transition("forward"));
    const from = (await ok(h.call("GET", SESSION))).current_state_id;
    const job = await moveTo(h, "transitions", { ...transition("yawLeft"), seed: 7, steps: 9 });
    assert.equal(job.rollout_receipt, undefined);
    const { state_id, terminal_world_pose, ...receipt } = job.receipt!;
    assert.match(state_id, UUID);
    assert.equal(terminal_world_pose!.world_to_camera.length, 16);
    assert.deepEqual(receipt, {
      ...shared(h, job.job_id, "transition", "0003"),
      previous_state_id: from,
      transition_index: 2,
      camera: { motion: "yawLeft", translation_meters: [0, 0, 0], rotation_degrees: [0, -15, 0] },
      pixel_frame_count: 13,
      conditioning_mode: "causal_camera_latents",
      chunks: job.chunks,
      replayed: false,
      effective: { steps: 4, guidance_scale: 1, shift: 5, num_frames: 12, seed: 8, action: "j" },
      scene_memory_mode: "paper_reconstructed_revisit_anchor",
      scene_memory_retrieval_count: 0,
      scene_memory_recycled_frame_count: 0,
      seed: 7,
      fps: 24,
    });
    assert.deepEqual(job.chunks.map((chunk) => chunk.pixel_frame_range), [[0, 13]]);
  }));

// @row world-session > Snapshot > `backend`, `conditioning_mode`
// @row world-session > Snapshot > What an actionworld leaves out
// @row world-session > Receipts > `action_space`, `action_domain`, `model_space_actions`, `raw_actions`
// @row world-session > Versions > `backend` selects the recipe, `conditioning_mode` names it too
// @row world-session > Versions > `raw_actions` equals `model_space_actions`
test("an actionworld's snapshot and receipt have exactly the fields of the contract", () =>
  withWorld(async (h) => {
    const root = (await ok(h.call("GET", SESSION))).current_state_id;
    const rows = Array.from({ length: 4 }, (_, i) => [i, 0, 0, 1, 0, 0, 0, 1, 0]);
    const body = { ...transition("forward"), num_frames: 5, model_space_actions: rows, seed: 7 };
    const job = await moveTo(h, "transitions", body);
    const { state_id, ...receipt } = job.receipt!;
    assert.deepEqual(receipt, {
      ...shared(h, job.job_id, "transition", "0002"),
      previous_state_id: root,
      transition_index: 1,
      camera: { motion: "forward", translation_meters: [0, 0, 0.5], rotation_degrees: [0, 0, 0] },
      pixel_frame_count: 5,
      conditioning_mode: "camera_pose_media_reencode",
      chunks: job.chunks,
      replayed: false,
      effective: { steps: 30, guidance_scale: 1, shift: 3, num_frames: 5, seed: 7 },
      action_space: "normalized_model_space",
      action_domain: "camera_pose",
      model_space_actions: rows,
      raw_actions: rows,
      seed: 7,
      fps: 30,
    });
    const { session_id, ...snapshot } = await ok(h.call("GET", SESSION));
    assert.match(session_id, UUID);
    assert.deepEqual(snapshot, {
      object: "world.session",
      backend: "actionworld",
      phase: "ready",
      transition_count: 1,
      current_state_id: state_id,
      state_ids: [root, state_id],
      states: [
        { state_id: root, transition_index: 0, depth: 0, retained: true },
        { state_id, parent_state_id: root, transition_index: 1, depth: 1, retained: true },
      ],
      keeps_models_warm: true,
      keeps_terminal_latent: false,
      conditioning_mode: "camera_pose_media_reencode",
      current_frame_path: receipt.terminal_frame_path,
      current_frame_media_path: receipt.terminal_frame_media_path,
      model: { id: "fake", device: "cpu (fake)", dtype: "f32" },
    });
    assert.equal((await ok(h.call("GET", "/health"))).backend, "actionworld");
  }, { backend: "actionworld" }));

// @row world-session > Rollout > Refused by an actionworld
test("an actionworld refuses rollouts and every use of checkpoints with 400 unsupported_for_backend", () =>
  withWorld(async (h) => {
    const checkpoint = `${SESSION}/checkpoints/00000000-0000-4000-8000-000000000000`;
    const asked: [method: string, path: string, json?: unknown][] = [
      ["POST", `${SESSION}/rollouts`, ROLLOUT],
      ["GET", `${SESSION}/checkpoints`],
      ["POST", `${SESSION}/checkpoints`, { name: "x" }],
      ["POST", `${checkpoint}/restore`],
      ["GET", `${checkpoint}/media/frame`],
      ["DELETE", checkpoint],
    ];
    for (const [method, path, json] of asked) {
      await refused(h.call(method, path, { json }), 400, "unsupported_for_backend");
    }
  }, { backend: "actionworld" }));

// @row world-session > Checkpoints > `checkpoint_id`
// @row world-session > Checkpoints > `name`
// @row world-session > Checkpoints > `created_at`
// @row world-session > Checkpoints > `session_id`
// @row world-session > Checkpoints > `state_id`
// @row world-session > Checkpoints > `transition_index`
// @row world-session > Checkpoints > `generated_latent_frame_count`
// @row world-session > Checkpoints > `retained_latent_frame_count`
// @row world-session > Checkpoints > `current_world_pose`
// @row world-session > Checkpoints > `scene_memory_frame_count`
// @row world-session > Checkpoints > `frame_media_path`
// @row world-session > Checkpoints > The list, oldest first
// @row world-session > Endpoints > `GET, POST …/session/checkpoints`
// @row world-session > Endpoints > `DELETE …/checkpoints/…`
// @row world-session > Limits > 3 retained clean latents
// @row world-session > Rules of every route > Ids and times
test("a checkpoint has exactly the fields of the contract, and the list has it unchanged, oldest first", () =>
  withWorld(async (h) => {
    await moveTo(h, "transitions", transition("forward"));
    const snapshot = await ok(h.call("GET", SESSION));
    const { checkpoint_id: id, created_at, ...checkpoint } = await ok(
      h.call("POST", `${SESSION}/checkpoints`, { json: { name: "the door" } }),
      201,
    );
    assert.match(id, UUID);
    assert.match(created_at, TIME);
    assert.deepEqual(checkpoint, {
      name: "the door",
      session_id: snapshot.session_id,
      state_id: snapshot.current_state_id,
      transition_index: 1,
      generated_latent_frame_count: 3,
      retained_latent_frame_count: 3,
      current_world_pose: snapshot.current_world_pose,
      scene_memory_frame_count: snapshot.scene_memory_frame_count,
      frame_media_path: `${SESSION}/checkpoints/${id}/media/frame`,
    });
    const second = await ok(h.call("POST", `${SESSION}/checkpoints`, { json: { name: "the door" } }), 201);
    const list = await ok(h.call("GET", `${SESSION}/checkpoints`));
    assert.deepEqual(list, [{ checkpoint_id: id, created_at, ...checkpoint }, second]);
    assert.deepEqual(await ok(h.call("DELETE", `${SESSION}/checkpoints/${id}`)), list[0]);
  }));

// @row world-session > Rules of the world server > Files of one counter, never reused
test("files are numbered by one counter over every kind, which continues after a reset and over cancelled jobs", () =>
  withWorld(async (h) => {
    const one = await moveTo(h, "transitions", transition("forward"));
    h.media.failure = new Error("broken");
    await moveTo(h, "rollouts", ROLLOUT);
    await ok(h.call("POST", `${SESSION}/reset`));
    await ok(h.call("POST", `${SESSION}/source`, UPLOAD));
    const two = await moveTo(h, "rollouts", ROLLOUT);
    const checkpoint = await ok(h.call("POST", `${SESSION}/checkpoints`, { json: { name: "x" } }), 201);
    await ok(h.call("POST", `${SESSION}/checkpoints/${checkpoint.checkpoint_id}/restore`));
    const three = await moveTo(h, "transitions", transition("forward"));
    const names = [one.receipt!, two.rollout_receipt!, three.receipt!].map(({ output_path: path }) => path);
    const expected = ["transition-0002.mp4", "rollout-0005.mp4", "transition-0007.mp4"];
    assert.deepEqual(names, expected.map((name) => join(h.folder, name)));
  }));
