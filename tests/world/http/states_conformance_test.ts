import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JobRecord } from "../../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../../lib/world/protocol/wire.ts";
import { moveTo, ok, PICTURE, refused, SESSION, UPLOAD, withSession, withWorld } from "../../support/with_world.ts";
import { type CallInit, deferred, ROLLOUT, transition, type WorldHarness } from "../../support/world_harness.ts";
import { modelUnavailable } from "../../../lib/errors/svc_error.ts";
import type { Wire } from "../../../lib/json/wire_form.ts";

const CHECKPOINTS = `${SESSION}/checkpoints`;

/** A world that has moved once and has a checkpoint. */
function withCheckpoint(work: (h: WorldHarness, checkpoint: string) => Promise<void>): Promise<void> {
  return withWorld(async (h) => {
    await moveTo(h, "transitions", transition("forward"));
    const checkpoint = await ok(h.call("POST", CHECKPOINTS, { json: { name: "door" } }), 201);
    await work(h, checkpoint.checkpoint_id);
  });
}

/** Everything that would change the session. */
function operations(checkpoint: string): [method: string, path: string, init?: CallInit][] {
  return [
    ["POST", `${SESSION}/transitions`, { json: transition("backward") }],
    ["POST", `${SESSION}/transitions`, { json: transition("yawLeft") }],
    ["POST", `${SESSION}/rollouts`, { json: ROLLOUT }],
    ["POST", `${SESSION}/prepare`],
    ["POST", `${SESSION}/source`, UPLOAD],
    ["POST", `${SESSION}/reset`],
    ["POST", `${SESSION}/reset`, { json: {} }],
    ["POST", `${SESSION}/unload`],
    ["POST", CHECKPOINTS, { json: { name: "window" } }],
    ["POST", `${CHECKPOINTS}/${checkpoint}/restore`],
    ["DELETE", `${CHECKPOINTS}/${checkpoint}`],
  ];
}

/** A job of which the first block has begun and does not end. */
async function begunJob(h: WorldHarness, body: unknown = transition("yawLeft")): Promise<Wire<JobRecord>> {
  const begun = deferred();
  h.model.onGenerate = begun.resolve;
  h.model.gate = new Promise(() => {});
  const job = await ok(h.call("POST", `${SESSION}/transitions`, { json: body }), 202);
  await begun.promise;
  return job;
}

const session = (h: WorldHarness): Promise<Wire<WorldSnapshot>> => ok(h.call("GET", SESSION));

/** What a move changes; files have their own look at the folder. */
async function worldOf(h: WorldHarness): Promise<unknown> {
  return { session: await session(h), chain: h.model.chain, files: readdirSync(h.folder, { recursive: true }).sort() };
}

// @row world-session > Snapshot > `phase`
// @row world-session > States > cold → ready by prepare, `--prepare` or the first move
// @row world-session > Endpoints > `POST …/session/prepare`
test("cold: prepare loads and warms, and a second one changes nothing", () =>
  withSession(async (h) => {
    assert.equal((await session(h)).phase, "cold");
    const first = await ok(h.call("POST", `${SESSION}/prepare`));
    assert.deepEqual([first.phase, first.keeps_models_warm, first.model.device], ["ready", true, "cpu (fake)"]);
    assert.deepEqual(await ok(h.call("POST", `${SESSION}/prepare`)), first);
    assert.deepEqual(h.model.calls, ["prepare"]);
  }));

for (const [kind, body] of [["transitions", transition("forward")], ["rollouts", ROLLOUT]] as const) {
  // @row world-session > States > cold → ready by prepare, `--prepare` or the first move => transitions
  // @row world-session > States > cold → ready by prepare, `--prepare` or the first move => rollouts
  test(`cold: the first of ${kind} loads the model itself`, () =>
    withSession(async (h) => {
      const cold = await ok(h.call("POST", `${SESSION}/source`, UPLOAD));
      assert.deepEqual([cold.phase, h.model.calls], ["cold", []]);
      const job = await moveTo(h, kind, body);
      assert.equal(job.status, "completed");
      assert.equal(job.progress_events[0].stage, "denoising");
      assert.equal((await session(h)).phase, "ready");
      assert.equal(h.model.calls[0], "prepare");
    }));
}

// @row world-session > Snapshot > `phase`
// @row world-session > Snapshot > Reading never waits for the model
// @row world-session > States > A competing operation fails, nothing changes
test("preparing: the session can be read, and everything else is 409, a second prepare too", () =>
  withSession(async (h) => {
    const gate = deferred();
    const prepare = h.model.prepare.bind(h.model);
    const begun = deferred();
    h.model.prepare = () => {
      begun.resolve();
      return gate.promise.then(() => prepare());
    };
    const first = h.call("POST", `${SESSION}/prepare`);
    await begun.promise;
    for (const [method, path, init] of operations("00000000-0000-4000-8000-000000000000")) {
      await refused(h.call(method, path, init), 409, "session_busy");
    }
    const { phase, keeps_models_warm } = await session(h);
    assert.deepEqual([phase, keeps_models_warm], ["preparing", false]);
    assert.equal((await ok(h.call("GET", "/health"))).phase, "preparing");
    gate.resolve();
    assert.equal((await ok(first)).phase, "ready");
  }));

// @row world-session > States > A failed prepare returns to cold
test("preparing: a model that cannot be loaded leaves the session cold, and it can be tried again", () =>
  withSession(async (h) => {
    h.model.failure = { call: "prepare", error: modelUnavailable("model_invalid", "Cannot load it") };
    await refused(h.call("POST", `${SESSION}/prepare`), 503, "model_invalid");
    assert.equal((await session(h)).phase, "cold");
    assert.equal((await ok(h.call("POST", `${SESSION}/prepare`))).phase, "ready");
  }));

// @row world-session > Snapshot > `phase`
// @row world-session > Snapshot > `active_job`
// @row world-session > States > ready → generating by a transition or a rollout: 202
test("ready: a move is 202 with a queued job and its Location, and the session generates", () =>
  withCheckpoint(async (h) => {
    for (const [kind, body] of [["transitions", transition("yawLeft")], ["rollouts", ROLLOUT]] as const) {
      const gate = deferred();
      h.model.gate = gate.promise;
      const response = await h.call("POST", `${SESSION}/${kind}`, { json: body });
      const location = response.headers.get("location");
      const job = await ok(response, 202);
      assert.equal(location, `/v1/world/jobs/${job.job_id}`);
      assert.deepEqual([job.status, job.kind], ["queued", kind.slice(0, -1)]);
      const { phase, active_job: active } = await session(h);
      assert.deepEqual([phase, active?.job_id, active?.status], ["generating", job.job_id, "generating"]);
      gate.resolve();
      await h.ended(job);
      const after = await session(h);
      assert.deepEqual([after.phase, after.active_job], ["ready", undefined]);
    }
  }));

// @row world-session > States > A competing operation fails, nothing changes
// @row world-session > Errors > A competing operation: 409 `session_busy`
// @row world-session > Limits > One active job
test("generating: every operation that would change the session is 409 and changes nothing", () =>
  withCheckpoint(async (h, checkpoint) => {
    await begunJob(h);
    const before = await worldOf(h);
    for (const [method, path, init] of operations(checkpoint)) {
      const message = await refused(h.call(method, path, init), 409, "session_busy");
      assert.match(message, /job [0-9a-f-]{36} is running, wait until it has ended$/);
    }
    assert.deepEqual(await worldOf(h), before);
  }));

test("generating: the session, its jobs, media and checkpoints can be read", () =>
  withCheckpoint(async (h, checkpoint) => {
    const { job_id: id } = await begunJob(h);
    const paths = ["/health", SESSION, `/v1/world/jobs/${id}`, `${SESSION}/media/frame`, CHECKPOINTS];
    for (const path of [...paths, `${CHECKPOINTS}/${checkpoint}/media/frame`, "/openapi.json"]) {
      const response = await h.call("GET", path);
      assert.equal(response.status, 200, path);
      await response.body?.cancel();
    }
  }));

// @row world-session > Job > `status` cancelling
// @row world-session > States > DELETE of an active job: cancelling, then exactly as before
// @row world-session > Rules of the world server > Cancel and failure are transactions
test("cancelling: the session stays busy until the job has ended, and is then exactly as before it", () =>
  withCheckpoint(async (h, checkpoint) => {
    const before = await worldOf(h);
    const job = await begunJob(h, { ...transition("yawLeft"), num_frames: 24, output: join(h.folder, "mine.mp4") });
    const asked = await ok(h.call("DELETE", `/v1/world/jobs/${job.job_id}`), 202);
    assert.deepEqual([asked.status, asked.completed_at, asked.error], ["cancelling", undefined, undefined]);
    const again = await h.ended(job);
    assert.deepEqual([again.status, again.chunks, again.receipt, again.error], ["cancelled", [], undefined, undefined]);
    assert.ok(again.completedAt);
    assert.deepEqual(await worldOf(h), before);
    assert.deepEqual(
      await ok(h.call("DELETE", `/v1/world/jobs/${job.job_id}`), 202),
      await ok(
        h.call("GET", `/v1/world/jobs/${job.job_id}`),
      ),
    );
    h.model.gate = undefined;
    assert.equal((await ok(h.call("POST", `${CHECKPOINTS}/${checkpoint}/restore`))).phase, "ready");
    assert.equal((await moveTo(h, "transitions", transition("backward"))).receipt?.replayed, true);
  }));

// @row world-session > Job > `status` cancelling
// @row world-session > States > A competing operation fails, nothing changes
test("cancelling: a job that is slow to stop keeps everything else out", () =>
  withCheckpoint(async (h, checkpoint) => {
    const stop = deferred();
    const begun = deferred();
    const snapshot = h.model.snapshot.bind(h.model);
    h.model.snapshot = async () => {
      begun.resolve();
      await stop.promise;
      return await snapshot();
    };
    const job = await ok(h.call("POST", `${SESSION}/transitions`, { json: transition("yawLeft") }), 202);
    await begun.promise;
    await ok(h.call("DELETE", `/v1/world/jobs/${job.job_id}`), 202);
    for (const [method, path, init] of operations(checkpoint)) {
      await refused(h.call(method, path, init), 409, "session_busy");
    }
    assert.equal((await session(h)).active_job?.status, "cancelling");
    stop.resolve();
    assert.equal((await h.ended(job)).status, "cancelled");
  }));

// @row world-session > States > DELETE of an active job: cancelling, then exactly as before
test("cancelling: a job that has not begun to load yet ends as cancelled too", () =>
  withSession(async (h) => {
    await ok(h.call("POST", `${SESSION}/source`, UPLOAD));
    const before = await session(h);
    const gate = deferred();
    const prepare = h.model.prepare.bind(h.model);
    h.model.prepare = () => gate.promise.then(() => prepare());
    const job = await ok(h.call("POST", `${SESSION}/rollouts`, { json: ROLLOUT }), 202);
    assert.equal((await ok(h.call("DELETE", `/v1/world/jobs/${job.job_id}`), 202)).status, "cancelling");
    gate.resolve();
    assert.equal((await h.ended(job)).status, "cancelled");
    const { current_state_id, state_ids, transition_count } = await session(h);
    assert.deepEqual([current_state_id, state_ids, transition_count], [before.current_state_id, before.state_ids, 0]);
    assert.deepEqual(h.model.requests, []);
  }));

// @row world-session > States > The next move continues from the terminal state
test("completed: the next move continues from the new state, with the boundary frame first", () =>
  withWorld(async (h) => {
    const root = (await session(h)).current_state_id;
    const one = (await moveTo(h, "transitions", transition("forward"))).receipt!;
    const two = (await moveTo(h, "transitions", transition("yawLeft"))).receipt!;
    const three = (await moveTo(h, "rollouts", ROLLOUT)).rollout_receipt!;
    assert.deepEqual([one, two, three].map((r) => r.previous_state_id), [root, one.state_id, two.state_id]);
    assert.deepEqual([one, two, three].map((r) => r.transition_index), [1, 2, 3]);
    assert.deepEqual([one, two, three].map((r) => r.pixel_frame_count), [9, 13, 25]);
    const { state_ids, current_state_id, transition_count } = await session(h);
    assert.deepEqual(state_ids, [root, one.state_id, two.state_id, three.state_id]);
    assert.deepEqual([current_state_id, transition_count], [three.state_id, 3]);
    assert.equal(h.model.calls.filter((call) => call === "begin").length, 1);
  }));

// @row world-session > Checkpoints > Cleared by reset, source and unload
// @row world-session > States > reset
// @row world-session > Endpoints > `POST …/session/reset`
// @row world-session > Errors > 409 `session_cold`, `no_current_state`, `too_many_checkpoints`
test("reset clears the chain, path and checkpoints and keeps the model; a source image starts over", () =>
  withCheckpoint(async (h, checkpoint) => {
    writeFileSync(join(h.folder, "a.png"), PICTURE);
    const empty = await ok(h.call("POST", `${SESSION}/reset`));
    assert.deepEqual([empty.phase, empty.state_ids, empty.states, empty.checkpoint_count], ["ready", [], [], 0]);
    for (const name of ["current_state_id", "current_frame_path", "current_frame_media_path"] as const) {
      assert.equal(empty[name], undefined);
    }
    await refused(h.call("POST", `${CHECKPOINTS}/${checkpoint}/restore`), 404, "checkpoint_not_found");
    await refused(h.call("POST", CHECKPOINTS, { json: { name: "x" } }), 409, "no_current_state");
    const param = "source_image";
    for (const [kind, body] of [["transitions", transition("forward")], ["rollouts", ROLLOUT]] as const) {
      await refused(h.call("POST", `${SESSION}/${kind}`, { json: body }), 400, "source_required", param);
    }
    const fresh = await ok(h.call("POST", `${SESSION}/reset`, { json: { source_image: join(h.folder, "a.png") } }));
    assert.deepEqual([fresh.state_ids.length, fresh.transition_count, fresh.phase], [1, 0, "ready"]);
    assert.equal((await moveTo(h, "transitions", transition("forward"))).receipt?.pixel_frame_count, 9);
  }));

// @row world-session > Checkpoints > Cleared by reset, source and unload
// @row world-session > States > unload
// @row world-session > Endpoints > `POST …/session/unload`
test("unload releases the model and the checkpoints; the next move loads it and continues from the picture", () =>
  withCheckpoint(async (h, checkpoint) => {
    const moved = await session(h);
    const cold = await ok(h.call("POST", `${SESSION}/unload`));
    assert.deepEqual([cold.phase, cold.keeps_models_warm, cold.checkpoint_count], ["cold", false, 0]);
    assert.deepEqual([cold.generated_latent_frame_count, cold.scene_memory_frame_count], [0, 0]);
    assert.equal(cold.current_frame_media_path, moved.current_frame_media_path);
    assert.equal(h.model.prepared, false);
    await refused(h.call("GET", CHECKPOINTS), 409, "session_cold");
    await refused(h.call("POST", `${CHECKPOINTS}/${checkpoint}/restore`), 409, "session_cold");
    const { receipt } = await moveTo(h, "transitions", transition("backward"));
    assert.deepEqual([receipt!.replayed, receipt!.pixel_frame_count], [false, 9]);
    assert.equal((await session(h)).phase, "ready");
    assert.equal((await ok(h.call("POST", `${SESSION}/unload`))).phase, "cold");
    assert.equal((await ok(h.call("POST", `${SESSION}/unload`))).phase, "cold");
  }));

// @row world-session > Snapshot > `checkpoint_count`
// @row world-session > States > Create, restore, delete a checkpoint
test("a checkpoint is a fork: after restoring it, the next move starts from its state and continues bit for bit", () =>
  withCheckpoint(async (h, checkpoint) => {
    const at = await session(h);
    const before = (await moveTo(h, "rollouts", ROLLOUT)).rollout_receipt!;
    const chain = h.model.chain;
    await moveTo(h, "rollouts", { ...ROLLOUT, action_seq: ["s"] });
    const restored = await ok(h.call("POST", `${CHECKPOINTS}/${checkpoint}/restore`));
    assert.equal(restored.current_state_id, at.current_state_id);
    const again = (await moveTo(h, "rollouts", ROLLOUT)).rollout_receipt!;
    assert.equal(again.previous_state_id, at.current_state_id);
    assert.notEqual(again.state_id, before.state_id);
    assert.deepEqual(h.model.chain, chain);
    assert.deepEqual(again.terminal_world_pose, before.terminal_world_pose);
    const deleted = await ok(h.call("DELETE", `${CHECKPOINTS}/${checkpoint}`));
    assert.equal(deleted.checkpoint_id, checkpoint);
    assert.equal((await session(h)).checkpoint_count, 0);
  }));

// @row world-session > Snapshot > `states` with parent, index, depth
// @row world-session > Snapshot > `retained`
test("a state is retained as long as it can be returned to without generating", () =>
  withWorld(async (h) => {
    const flags = async () => (await session(h)).states.map(({ retained }) => retained);
    await moveTo(h, "transitions", transition("forward"));
    await moveTo(h, "transitions", transition("yawLeft"));
    assert.deepEqual(await flags(), [true, true, true]);
    await moveTo(h, "transitions", transition("hold"));
    assert.deepEqual(await flags(), [false, false, false, true]);
    await ok(h.call("POST", CHECKPOINTS, { json: { name: "door" } }), 201);
    await moveTo(h, "rollouts", ROLLOUT);
    assert.deepEqual(await flags(), [false, false, false, true, true]);
    const { states, state_ids } = await session(h);
    assert.deepEqual(states.map((state) => state.state_id), state_ids);
    assert.deepEqual(states.map(({ depth }) => depth), [0, 1, 2, 3, 4]);
    assert.deepEqual(states.map(({ transition_index }) => transition_index), [0, 1, 2, 3, 4]);
    assert.deepEqual(states.map((state) => state.parent_state_id), [undefined, ...state_ids.slice(0, -1)]);
  }));

// @row world-session > Options > `--max-retained-edges`
// @row world-session > Rules of the world server > Edges keep what was overwritten, the oldest go first
test("with no retained edges nothing is replayed, with one the last move is", () =>
  Promise.all([0, 1].map((maxRetainedEdges) =>
    withWorld(async (h) => {
      await moveTo(h, "transitions", transition("forward"));
      await moveTo(h, "transitions", transition("forward"));
      const back = [];
      for (let i = 0; i < 2; i++) back.push((await moveTo(h, "transitions", transition("backward"))).receipt!.replayed);
      assert.deepEqual(back, [maxRetainedEdges === 1, false]);
    }, { limits: { maxRetainedEdges } })
  )).then(() => {}));

// @row world-session > Options > `--max-checkpoints`
test("as many checkpoints as the limit can be held, and not one more", () =>
  Promise.all([0, 1, 2].map((maxCheckpoints) =>
    withWorld(async (h) => {
      for (let i = 0; i < maxCheckpoints; i++) await ok(h.call("POST", CHECKPOINTS, { json: { name: `${i}` } }), 201);
      await refused(h.call("POST", CHECKPOINTS, { json: { name: "x" } }), 409, "too_many_checkpoints");
      assert.equal((await ok(h.call("GET", CHECKPOINTS))).length, maxCheckpoints);
    }, { limits: { maxCheckpoints } })
  )).then(() => {}));

for (
  const [kind, body, file] of [
    ["transitions", transition("yawLeft"), /chunk-0001/],
    ["transitions", transition("yawLeft"), /state-/],
    ["transitions", transition("yawLeft"), /transition-\d+\.mp4/],
    ["transitions", transition("backward"), /transition-\d+\.mp4/],
    ["rollouts", ROLLOUT, /chunk-0002/],
    ["rollouts", ROLLOUT, /rollout-\d+\.mp4/],
  ] as const
) {
  const what = `${kind} ${"camera" in body ? (body["camera"] as { motion: string }).motion : "of two blocks"}`;
  // @row world-session > States > A failed job leaves the session as before
  // @row world-session > Errors > 500 `disk_full`
  // @row world-session > Rules of the world server > Cancel and failure are transactions
  test(`failed: a full disk at ${file} of ${what} fails the job and leaves everything as it was`, () =>
    withCheckpoint(async (h) => {
      const before = await worldOf(h);
      h.disk.fails = { path: file, error: Object.assign(new Error("ENOSPC: /home/x"), { code: "ENOSPC" }) };
      const job = await moveTo(h, kind, body);
      assert.deepEqual([job.status, job.error?.code, job.error?.type], ["failed", "disk_full", "server_error"]);
      assert.doesNotMatch(job.error!.message, /ENOSPC|home/);
      assert.deepEqual(job.chunks, []);
      await refused(h.call("GET", `/v1/world/jobs/${job.job_id}/media/output`), 404, "media_not_found");
      assert.deepEqual(await worldOf(h), before);
    }));
}

// @row world-session > Errors > 500 `disk_full`
test("a full disk refuses an upload and a checkpoint with 500 disk_full, and leaves everything as it was", () =>
  withCheckpoint(async (h) => {
    const before = await worldOf(h);
    h.disk.fails = { path: /./, error: Object.assign(new Error("full"), { code: "ENOSPC" }) };
    await refused(h.call("POST", `${SESSION}/source`, UPLOAD), 500, "disk_full");
    await refused(h.call("POST", CHECKPOINTS, { json: { name: "x" } }), 500, "disk_full");
    assert.deepEqual(await worldOf(h), before);
  }));

// @row world-session > Job > The last 256 ended jobs
// @row world-session > Limits > 256 progress events, 256 ended jobs
test("the last 256 ended jobs are kept, an older one is 404 job_expired", () =>
  withWorld(async (h) => {
    h.model.gate = new Promise(() => {});
    const ids: string[] = [];
    for (let i = 0; i < 258; i++) {
      const job = await ok(h.call("POST", `${SESSION}/rollouts`, { json: ROLLOUT }), 202);
      ids.push(job.job_id);
      h.session.cancel(job.job_id);
      await h.ended(job);
    }
    for (const method of ["GET", "DELETE"]) {
      await refused(h.call(method, `/v1/world/jobs/${ids[0]}`), 404, "job_expired");
    }
    await refused(h.call("GET", `/v1/world/jobs/${ids[0].toUpperCase()}/media/output`), 404, "job_expired");
    assert.equal((await h.call("GET", `/v1/world/jobs/${ids[2]}`)).status, 200);
  }));

// @row world-session > Rollout > `num_output_frames`; frames are (n - 1) · 4 + 1
// @row world-session > Job > The last 256 progress events
test("a job reports its progress in increasing steps, of the longest rollout too", () =>
  withWorld(async (h) => {
    const job = await moveTo(h, "rollouts", { ...ROLLOUT, num_output_frames: 252 });
    assert.equal(job.status, "completed");
    const last = job.progress_events.at(-1)!;
    assert.deepEqual(job.progress, last);
    assert.deepEqual([last.stage, last.fraction], ["saving", 1]);
    assert.equal(last.step_index, last.total_steps);
    const fractions = job.progress_events.map(({ fraction }) => fraction);
    assert.deepEqual(fractions, [...fractions].sort((a, b) => a - b));
    assert.equal(job.rollout_receipt!.pixel_frame_count, 1005);
  }));

// @row world-session > Errors > A missing model: 503 with every file and the command; nothing is downloaded
test("missing model files are 503 that names them and the remedy, for prepare and for both kinds of move", () =>
  withSession(async (h) => {
    await ok(h.call("POST", `${SESSION}/source`, UPLOAD));
    for (
      const [path, json] of [["prepare", undefined], ["transitions", transition("forward")], [
        "rollouts",
        ROLLOUT,
      ]] as const
    ) {
      const message = await refused(h.call("POST", `${SESSION}/${path}`, { json }), 503, "model_unavailable");
      assert.match(message, /base\/vae\.safetensors/);
    }
    assert.equal((await session(h)).phase, "cold");
    assert.deepEqual(h.model.calls, []);
  }, {
    rootsError: modelUnavailable(
      "model_unavailable",
      "Cannot prepare fake: a file is missing (base/vae.safetensors); install it",
    ),
  }));
