import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { text } from "../../support/fake_media.ts";
import {
  deferred,
  type HarnessOptions,
  transition,
  type WorldHarness,
  worldHarness,
} from "../../support/world_harness.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const SOURCE = text("image 200 100 7");
const UNKNOWN = "ffffffff-0000-4000-8000-000000000000";

async function withSession(work: (h: WorldHarness) => Promise<void>, options: HarnessOptions = {}): Promise<void> {
  const harness = await worldHarness(options);
  try {
    await harness.session.prepare();
    await harness.session.setSource(SOURCE);
    await work(harness);
  } finally {
    await harness.close();
  }
}

function rejects(promise: Promise<unknown>, code: string, param?: string): Promise<void> {
  return assert.rejects(promise, (error) => {
    assert.ok(error instanceof SvcError, String(error));
    assert.deepEqual([error.code, error.param], [code, param]);
    return true;
  });
}

function lock(h: WorldHarness, name = "here"): Promise<{ checkpointId: string; name: string }> {
  return h.session.createCheckpoint({ name });
}

test("WorldSession.createCheckpoint() reports the state of the checkpoint", () =>
  withSession(async (h) => {
    await h.move("forward");
    const record = await h.session.createCheckpoint({ name: "the door" });
    const snapshot = h.session.snapshot();
    assert.match(record.createdAt, /^1970-01-01T00:00:00\.\d{3}Z$/);
    assert.deepEqual(record, {
      checkpointId: record.checkpointId,
      name: "the door",
      createdAt: record.createdAt,
      sessionId: snapshot.sessionId,
      stateId: snapshot.currentStateId,
      transitionIndex: 1,
      generatedLatentFrameCount: 3,
      retainedLatentFrameCount: 3,
      currentWorldPose: snapshot.currentWorldPose,
      sceneMemoryFrameCount: snapshot.sceneMemoryFrameCount,
      frameMediaPath: `/v1/world/session/checkpoints/${record.checkpointId}/media/frame`,
    });
    assert.equal(snapshot.checkpointCount, 1);
    assert.deepEqual(h.session.checkpoints(), [record]);
  }));

// @row world-session > Checkpoints > What a checkpoint captures
test("WorldSession.restoreCheckpoint() continues bit for bit as the session would have", () =>
  withSession(async (h) => {
    await h.move("forward");
    await h.walk();
    const { checkpointId: id } = await lock(h);
    const locked = h.session.snapshot();
    const going = ["yawLeft", "forward", "strafeRight"] as const;
    for (const motion of going) await h.move(motion);
    const first = { chain: h.model.chain, requests: h.model.requests.slice(-3) };
    assert.deepEqual(await h.session.restoreCheckpoint(id), locked);
    for (const motion of going) await h.move(motion);
    assert.deepEqual({ chain: h.model.chain, requests: h.model.requests.slice(-3) }, first);
    assert.deepEqual(await h.session.restoreCheckpoint(id.toUpperCase()), locked);
  }));

// @row world-session > Checkpoints > What a checkpoint captures
// @row world-session > Scene memory > Checkpoints and cancelled moves take no memory of another future
test("WorldSession.restoreCheckpoint() forks: no memory of the future that was left comes along", () =>
  withSession(async (h) => {
    await h.move("forward");
    const { checkpointId: id } = await lock(h);
    const memories = h.session.snapshot().sceneMemoryFrameCount;
    for (let i = 0; i < 3; i++) await h.move("strafeLeft");
    assert.ok(h.session.snapshot().sceneMemoryFrameCount! > memories!);
    const before = h.session.snapshot().currentStateId;
    const restored = await h.session.restoreCheckpoint(id);
    assert.equal(restored.sceneMemoryFrameCount, memories);
    const job = await h.move("yawLeft");
    assert.equal(job.receipt?.previousStateId, restored.currentStateId);
    assert.ok(!h.session.snapshot().states.some((state) => state.stateId === before));
  }));

test("WorldSession.restoreCheckpoint() brings the edges of its path along", () =>
  withSession(async (h) => {
    await h.move("forward");
    await h.move("yawLeft");
    const { checkpointId: id } = await lock(h);
    await h.move("yawRight");
    await h.move("backward");
    assert.deepEqual(h.session.snapshot().states.map((s) => s.retained), [true, true, true]);
    await h.session.restoreCheckpoint(id);
    assert.equal((await h.move("yawRight")).receipt?.replayed, true);
    assert.equal((await h.move("backward")).receipt?.replayed, true);
  }));

test("WorldSession.snapshot() shows states that only a checkpoint leads to, once", () =>
  withSession(async (h) => {
    await h.move("forward");
    await lock(h, "a");
    await lock(h, "b");
    const there = h.session.snapshot().currentStateId;
    await h.move("backward");
    const { states, stateIds: path } = h.session.snapshot();
    assert.equal(path.length, 1);
    assert.deepEqual(states.map((s) => [s.stateId, s.parentStateId, s.retained]), [
      [path[0], undefined, true],
      [there, path[0], true],
    ]);
  }));

// @row world-session > Checkpoints > Its picture is a copy
test("WorldSession keeps a checkpoint's picture apart from the files of the session", () =>
  withSession(async (h) => {
    await h.move("forward");
    const { checkpointId: id } = await lock(h);
    const kept = readFileSync(h.session.checkpointFrame(id));
    writeFileSync(h.session.snapshot().currentFramePath!, "changed");
    assert.deepEqual(readFileSync(h.session.checkpointFrame(id)), kept);
    await h.session.restoreCheckpoint(id);
    await h.move("forward");
    assert.equal(h.media.encoded.at(-1)?.frames.count, 13);
  }));

test("WorldSession.deleteCheckpoint() gives the checkpoint and releases all that it held", () =>
  withSession(async (h) => {
    await h.move("forward");
    const record = await lock(h);
    await h.move("backward");
    const path = h.session.checkpointFrame(record.checkpointId);
    assert.deepEqual(await h.session.deleteCheckpoint(record.checkpointId), record);
    assert.deepEqual(h.session.checkpoints(), []);
    assert.ok(!existsSync(path));
    assert.equal(h.model.snapshots.size, 0);
    assert.ok(!readdirSync(h.folder).some((name) => name.endsWith(".frames")));
    await rejects(h.session.deleteCheckpoint(record.checkpointId), "checkpoint_not_found");
    await rejects(h.session.restoreCheckpoint(UNKNOWN), "checkpoint_not_found");
    assert.throws(() => h.session.checkpointFrame(UNKNOWN), { code: "checkpoint_not_found" });
  }));

for (
  const [name, clear] of [
    ["reset", (h: WorldHarness) => h.session.reset()],
    ["a new source", (h: WorldHarness) => h.session.setSource(SOURCE)],
    ["unload", (h: WorldHarness) => h.session.unload()],
  ] as const
) {
  test(`WorldSession clears checkpoints and edges at ${name}`, () =>
    withSession(async (h) => {
      await h.move("forward");
      await lock(h);
      const snapshot = await clear(h);
      assert.equal(snapshot.checkpointCount, 0);
      assert.equal(h.model.snapshots.size, 0);
      assert.ok(!readdirSync(h.folder).some((file) => /\.frames$|^checkpoint/.test(file)));
    }));
}

test("WorldSession.createCheckpoint() checkpoints a source image before the first move", () =>
  withSession(async (h) => {
    const { checkpointId: id } = await lock(h);
    const first = (await h.move("forward")).receipt;
    const chain = h.model.chain;
    await h.move("yawLeft");
    const restored = await h.session.restoreCheckpoint(id);
    assert.equal(restored.generatedLatentFrameCount, 0);
    const again = (await h.move("forward")).receipt;
    assert.deepEqual(h.model.chain, chain);
    assert.deepEqual([again?.seed, again?.pixelFrameCount], [first?.seed, first?.pixelFrameCount]);
  }));

test("WorldSession.createCheckpoint() keeps at most maxCheckpoints", () =>
  withSession(async (h) => {
    await lock(h, "a");
    const { checkpointId: id } = await lock(h, "b");
    await rejects(lock(h, "c"), "too_many_checkpoints");
    await h.session.deleteCheckpoint(id);
    await lock(h, "c");
    assert.deepEqual(h.session.checkpoints().map((c) => c.name), ["a", "c"]);
  }, { limits: { maxCheckpoints: 2 } }));

for (
  const [what, body, code] of [
    ["no name", {}, "missing_field"],
    ["an empty name", { name: "" }, "invalid_name"],
    ["a name of 201 characters", { name: "x".repeat(201) }, "invalid_name"],
    ["a name that is not a string", { name: 7 }, "wrong_type"],
  ] as const
) {
  test(`WorldSession.createCheckpoint() refuses ${what}`, () =>
    withSession((h) => rejects(h.session.createCheckpoint(body), code, "name")));
}

test("WorldSession.createCheckpoint() takes a name of 200 characters, each of two code units", () =>
  withSession(async (h) => {
    assert.equal((await h.session.createCheckpoint({ name: "😀".repeat(200) })).name.length, 400);
  }));

test("WorldSession refuses every use of checkpoints while it is not loaded", async () => {
  const h = await worldHarness();
  await h.session.setSource(SOURCE);
  await rejects(lock(h), "session_cold");
  assert.throws(() => h.session.checkpoints(), { code: "session_cold" });
  assert.throws(() => h.session.checkpointFrame(UNKNOWN), { code: "session_cold" });
  await rejects(h.session.restoreCheckpoint(UNKNOWN), "session_cold");
  await rejects(h.session.deleteCheckpoint(UNKNOWN), "session_cold");
  await h.close();
});

test("WorldSession.createCheckpoint() needs a picture", async () => {
  const h = await worldHarness();
  await h.session.prepare();
  await rejects(lock(h), "no_current_state");
  await h.close();
});

test("WorldSession refuses to change checkpoints while a job runs, but shows them", () =>
  withSession(async (h) => {
    await h.move("forward");
    const { checkpointId: id } = await lock(h);
    const gate = deferred();
    h.model.gate = gate.promise;
    const job = await h.session.startTransition(transition("yawLeft"));
    await rejects(lock(h), "session_busy");
    await rejects(h.session.restoreCheckpoint(id), "session_busy");
    await rejects(h.session.deleteCheckpoint(id), "session_busy");
    gate.resolve();
    await h.ended(job);
    assert.equal(h.session.checkpoints().length, 1);
  }));

test("WorldSession.createCheckpoint() leaves nothing behind when its picture cannot be written", () =>
  withSession(async (h) => {
    await h.move("forward");
    const snapshots = h.model.snapshots.size;
    h.disk.fails = { path: /checkpoint/, error: Object.assign(new Error("full"), { code: "ENOSPC" }) };
    await rejects(lock(h), "disk_full");
    assert.equal(h.model.snapshots.size, snapshots);
    assert.equal(h.session.snapshot().checkpointCount, 0);
  }));

test("WorldSession keeps jobs whose frame a checkpoint or an edge leads to, however old they are", () =>
  withSession(async (h) => {
    const first = await h.move("forward");
    await lock(h);
    for (let i = 0; i < 130; i++) {
      await h.move("yawLeft");
      await h.move("yawRight");
    }
    assert.equal(h.session.job(first.jobId).record().status, "completed");
  }));
