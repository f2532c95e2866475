import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { text } from "../../support/fake_media.ts";
import { deferred, type WorldHarness, worldHarness } from "../../support/world_harness.ts";
import { invalidRequest, modelUnavailable, SvcError } from "../../../lib/errors/svc_error.ts";

const SOURCE = text("image 200 100 7");

async function withSession(work: (h: WorldHarness) => Promise<void>): Promise<void> {
  const harness = await worldHarness();
  try {
    await work(harness);
  } finally {
    await harness.close();
  }
}

function files(h: WorldHarness): string[] {
  return readdirSync(h.folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/")).sort();
}

function rejects(promise: Promise<unknown>, code: string, param?: string): Promise<void> {
  return assert.rejects(promise, (error) => {
    assert.ok(error instanceof SvcError, String(error));
    assert.equal(error.code, code);
    assert.equal(error.param, param);
    return true;
  });
}

/** Everything that a failed job must leave as it was. */
function state(h: WorldHarness): unknown {
  return { snapshot: h.session.snapshot(), chain: h.model.chain, files: files(h) };
}

test("WorldSession starts cold and empty", () =>
  withSession((h) => {
    const { sessionId: _, ...snapshot } = h.session.snapshot();
    assert.deepEqual(snapshot, {
      object: "world.session",
      backend: "arworld",
      phase: "cold",
      transitionCount: 0,
      stateIds: [],
      states: [],
      keepsModelsWarm: false,
      keepsTerminalLatent: false,
      conditioningMode: "causal_camera_latents",
      model: { id: "fake", device: "auto", dtype: "auto" },
      generatedLatentFrameCount: 0,
      retainedLatentFrameCount: 0,
      checkpointCount: 0,
      currentWorldPose: { worldToCamera: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] },
      sceneMemoryMode: "paper_reconstructed_revisit_anchor",
      sceneMemoryPolicy: {
        mode: "paper_reconstructed_revisit_anchor",
        maximumFrameCount: 96,
        minimumFrameGap: 3,
        maximumYawDistanceDegrees: 2,
        maximumTranslationDistance: 0.1,
        exactRevisitMaximumYawDistanceDegrees: 0.01,
        exactRevisitMaximumTranslationDistance: 0.001,
        recyclingStrength: 0.08,
      },
      sceneMemoryFrameCount: 0,
      sceneMemoryRetrievalCount: 0,
      sceneMemoryRecycledFrameCount: 0,
    });
    return Promise.resolve();
  }));

test("WorldSession.prepare() makes the session ready and reports the device", () =>
  withSession(async (h) => {
    const snapshot = await h.session.prepare();
    assert.equal(snapshot.phase, "ready");
    assert.equal(snapshot.keepsModelsWarm, true);
    assert.deepEqual(snapshot.model, { id: "fake", device: "cpu (fake)", dtype: "f32" });
    await h.session.prepare();
    assert.deepEqual(h.model.calls, ["prepare"]);
  }));

test("the model is warmed up for the size of the moves: of the first one, of the world, or as it is prepared", () =>
  withSession(async (h) => {
    await h.session.prepare();
    assert.equal(h.model.preparedFor, undefined);
    await h.session.unload();
    await h.session.prepare({ width: 128, height: 96 });
    assert.deepEqual(h.model.preparedFor, { width: 128, height: 96 });
    await h.session.unload();
    await h.session.setSource(SOURCE);
    assert.equal((await h.walk({ width: 96, height: 64 })).status, "completed");
    assert.deepEqual(h.model.preparedFor, { width: 96, height: 64 });
  }));

test("WorldSession.prepare() returns to cold when the model cannot be loaded", () =>
  withSession(async (h) => {
    h.model.failure = { call: "prepare", error: new Error("no") };
    await assert.rejects(h.session.prepare(), /no/);
    assert.equal(h.session.phase, "cold");
    assert.equal((await h.session.prepare()).phase, "ready");
  }));

test("WorldSession.setSource() writes the picture as PNG and starts a world there", () =>
  withSession(async (h) => {
    const snapshot = await h.session.setSource(SOURCE);
    assert.equal(snapshot.stateIds.length, 1);
    assert.equal(snapshot.currentStateId, snapshot.stateIds[0]);
    assert.deepEqual(snapshot.states, [
      { stateId: snapshot.stateIds[0], transitionIndex: 0, depth: 0, retained: true },
    ]);
    assert.equal(snapshot.currentFramePath, join(h.folder, "source-0001.png"));
    assert.equal(readFileSync(join(h.folder, "source-0001.png"), "utf8"), "image 200 100 7");
  }));

// @row world-session > Chunks > `pixel_frame_count`, `pixel_frame_range`: 9 frames first, 12 after; 13 in a continued world
test("WorldSession.startRollout() gives 9 frames in the first block of a world and 12 in each other", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    const job = await h.walk({ numOutputFrames: 9 });
    assert.equal(job.status, "completed");
    assert.deepEqual(job.chunks.map((c) => c.pixelFrameRange), [[0, 9], [9, 21], [21, 33]]);
    assert.deepEqual(job.chunks.map((c) => c.pixelFrameCount), [9, 12, 12]);
    assert.deepEqual(h.media.encoded.map((e) => e.firstFrame), [0, 9, 21]);
    assert.equal(job.rolloutReceipt?.pixelFrameCount, 33);
  }));

// @row world-session > Chunks > `pixel_frame_count`, `pixel_frame_range`: 9 frames first, 12 after; 13 in a continued world
test("WorldSession.startRollout() opens a continued rollout with the frame that was shown last", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk();
    const last = h.media.encoded.at(-1)!.frames.data.at(-1);
    const job = await h.walk();
    assert.deepEqual(job.chunks.map((c) => c.pixelFrameRange), [[0, 13], [13, 25]]);
    const { frames } = h.media.encoded[2];
    assert.equal(frames.count, 13);
    assert.deepEqual(frames.data.subarray(0, 64 * 32 * 3), new Uint8Array(64 * 32 * 3).fill(last!));
    assert.equal(job.rolloutReceipt?.pixelFrameCount, 25);
    assert.deepEqual(h.model.calls.filter((call) => call === "begin"), ["begin"]);
  }));

// @row world-session > Rules of the world server > Seeds increase with the generation depth and wrap
test("WorldSession.startRollout() counts seeds over the blocks of the world and wraps them", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk({ seed: "18446744073709551615" });
    await h.walk({ seed: 42 });
    assert.deepEqual(h.model.requests.map((r) => r.seed), [18446744073709551615n, 0n, 44n, 45n]);
    const receipts = [h.session.snapshot()].map((s) => s.transitionCount);
    assert.deepEqual(receipts, [2]);
  }));

// @row world-session > Scene memory > Moves compose into one global pose, the model sees relative views
test("WorldSession.startRollout() chains the pose of the world and keeps the views relative", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk({ actionSeq: ["w"], numOutputFrames: 3 });
    await h.walk({ actionSeq: ["w"], numOutputFrames: 3 });
    const pose = h.session.snapshot().currentWorldPose!.worldToCamera;
    assert.ok(Math.abs(pose[11] + 0.75) < 1e-6, String(pose[11]));
    assert.deepEqual(h.model.requests[0].views, h.model.requests[1].views);
    assert.deepEqual([...h.model.requests[1].views.subarray(0, 16)].map(Math.round), [
      1,
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      0,
      1,
    ]);
  }));

test("WorldSession.startRollout() writes its files under one number and lists them in the receipt", () =>
  withSession(async (h) => {
    const source = await h.session.setSource(SOURCE);
    const job = await h.walk({ actionSeq: ["W", "l"], actionSpeedList: [4, 6], fps: 24, seed: 7 });
    const receipt = job.rolloutReceipt!;
    assert.deepEqual(files(h), [
      "rollout-0002.chunks",
      "rollout-0002.chunks/chunk-0001.mp4",
      "rollout-0002.chunks/chunk-0002.mp4",
      "rollout-0002.mp4",
      "source-0001.png",
      "state-0002.png",
    ]);
    const at = `/v1/world/jobs/${job.jobId}/media`;
    const { chunks, terminalWorldPose, stateId, ...rest } = receipt;
    assert.deepEqual(rest, {
      requestId: job.jobId,
      previousStateId: source.currentStateId,
      transitionIndex: 1,
      outputPath: join(h.folder, "rollout-0002.mp4"),
      outputMediaPath: `${at}/output`,
      terminalFramePath: join(h.folder, "state-0002.png"),
      terminalFrameMediaPath: `${at}/terminal-frame`,
      actionSeq: ["w", "l"],
      actionSpeedList: [4, 6],
      latentFrameCount: 6,
      pixelFrameCount: 21,
      width: 64,
      height: 32,
      speed: 1.5,
      effective: { seed: 7 },
      fps: 24,
      seed: 7,
      conditioningMode: "causal_camera_latents",
      sceneMemoryMode: "paper_reconstructed_revisit_anchor",
      sceneMemoryRetrievalCount: 0,
      sceneMemoryRecycledFrameCount: 0,
    });
    assert.deepEqual(chunks, job.chunks);
    assert.equal(chunks[1].mediaPath, `${at}/chunks/1`);
    const snapshot = h.session.snapshot();
    assert.deepEqual(snapshot.currentWorldPose, terminalWorldPose);
    assert.deepEqual(snapshot.stateIds, [source.currentStateId, stateId]);
    assert.deepEqual(snapshot.states.map((s) => [s.parentStateId, s.transitionIndex, s.depth, s.retained]), [
      [undefined, 0, 0, false],
      [source.currentStateId, 1, 1, true],
    ]);
    assert.equal(snapshot.currentFrameMediaPath, `${at}/terminal-frame`);
    assert.equal(snapshot.generatedLatentFrameCount, 6);
    assert.equal(snapshot.retainedLatentFrameCount, 3);
    assert.equal(snapshot.keepsTerminalLatent, true);
  }));

test("WorldSession.startRollout() loads the model itself and reports the progress of every block", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    const job = await h.walk();
    assert.deepEqual(job.progressEvents.map((p) => [p.stage, p.stepIndex, p.totalSteps, p.fraction]), [
      ["denoising", 0, 12, 0],
      ["decoding", 5, 12, 0.4167],
      ["denoising", 6, 12, 0.5],
      ["decoding", 11, 12, 0.9167],
      ["saving", 12, 12, 1],
    ]);
    assert.deepEqual(job.progress, job.progressEvents.at(-1));
    assert.equal(h.session.phase, "ready");
  }));

// @row world-session > Chunks > Listed as soon as the file can be fetched
test("WorldSession lists a chunk as soon as its file is there, while the next block is generated", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    const started = [deferred(), deferred()];
    let blocks = 0;
    const gate = deferred();
    h.model.onGenerate = () => {
      started[blocks++].resolve();
      if (blocks === 2) h.model.gate = gate.promise;
    };
    const job = await h.rollout();
    await started[1].promise;
    assert.equal(h.session.snapshot().phase, "generating");
    assert.equal(h.session.snapshot().activeJob?.jobId, job.jobId);
    while (h.session.job(job.jobId).chunks.length === 0) await new Promise((r) => setImmediate(r));
    const [chunk] = h.session.job(job.jobId).record().chunks;
    assert.equal(readFileSync(chunk.path, "utf8").startsWith("chunk 0 9"), true);
    gate.resolve();
    assert.equal((await h.ended(job)).status, "completed");
  }));

test("WorldSession generates one block ahead of the encoder and not more", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    const gate = deferred();
    h.media.gate = gate.promise;
    const second = deferred();
    h.model.onGenerate = () => h.model.requests.length === 2 && second.resolve();
    const job = await h.rollout({ numOutputFrames: 9 });
    await second.promise;
    for (let i = 0; i < 20; i++) await new Promise((r) => setImmediate(r));
    assert.equal(h.model.requests.length, 2);
    gate.resolve();
    assert.equal((await h.ended(job)).chunks.length, 3);
  }));

test("WorldSession refuses every other operation while a job is active", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    const gate = deferred();
    h.model.gate = gate.promise;
    const job = await h.rollout();
    await rejects(h.rollout(), "session_busy");
    await rejects(h.session.prepare(), "session_busy");
    await rejects(h.session.reset(), "session_busy");
    await rejects(h.session.unload(), "session_busy");
    await rejects(h.session.setSource(SOURCE), "session_busy");
    gate.resolve();
    assert.equal((await h.ended(job)).status, "completed");
    assert.equal((await h.walk()).status, "completed");
  }));

test("WorldSession checks a request before it says that it is busy", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    const gate = deferred();
    h.model.gate = gate.promise;
    const job = await h.rollout();
    await rejects(h.rollout({ fps: 0 }), "invalid_fps", "fps");
    gate.resolve();
    await h.ended(job);
  }));

test("WorldSession.cancel() leaves no trace of a continued rollout", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk();
    const before = state(h);
    const seen = deferred();
    h.model.onGenerate = () => {
      if (h.model.requests.length < 4) return;
      h.model.gate = new Promise(() => {});
      seen.resolve();
    };
    const job = await h.rollout();
    await seen.promise;
    while (h.session.job(job.jobId).chunks.length === 0) await new Promise((r) => setImmediate(r));
    assert.equal(h.session.cancel(job.jobId).status, "cancelling");
    const record = await h.ended(job);
    assert.equal(record.status, "cancelled");
    assert.deepEqual(record.chunks, []);
    assert.equal(record.error, undefined);
    assert.deepEqual(state(h), before);
    assert.equal(h.model.snapshots.size, 0);
    assert.deepEqual(h.session.cancel(job.jobId), record);
  }));

// @row world-session > Rules of the world server > Cancel and failure are transactions
test("WorldSession repeats a cancelled rollout bit for bit", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk();
    const begun = deferred();
    h.model.onGenerate = () => {
      if (h.model.requests.length < 4) return;
      h.model.gate = new Promise(() => {});
      begun.resolve();
    };
    const job = await h.rollout();
    await begun.promise;
    h.session.cancel(job.jobId);
    await h.ended(job);
    h.model.gate = undefined;
    h.model.onGenerate = () => {};
    await h.walk();
    const other = await worldHarness();
    await other.session.setSource(SOURCE);
    await other.walk();
    await other.walk();
    assert.deepEqual(h.model.chain, other.model.chain);
    await other.close();
  }));

test("WorldSession.cancel() of a job with its own source returns to the world before", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk();
    const before = state(h);
    writeFileSync(join(h.folder, "other.png"), "image 64 32 9");
    const begun = deferred();
    h.model.onGenerate = () => {
      h.model.gate = new Promise(() => {});
      begun.resolve();
    };
    const job = await h.rollout({ sourceImage: join(h.folder, "other.png"), width: 96 });
    await begun.promise;
    h.session.cancel(job.jobId);
    assert.equal((await h.ended(job)).status, "cancelled");
    const { files: left, ...rest } = state(h) as { files: string[] };
    assert.deepEqual({ ...rest, files: left.filter((name) => name !== "other.png") }, before);
  }));

// @row world-session > Rules of the world server > Geometry
test("WorldSession.startRollout() with a source starts a new world of another size", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk();
    writeFileSync(join(h.folder, "other.png"), "image 64 32 9");
    const job = await h.walk({ sourceImage: join(h.folder, "other.png"), width: 96 });
    assert.equal(job.rolloutReceipt?.width, 96);
    assert.deepEqual(job.chunks.map((c) => c.pixelFrameCount), [9, 12]);
    const snapshot = h.session.snapshot();
    assert.equal(snapshot.stateIds.length, 2);
    assert.equal(snapshot.states[0].parentStateId, undefined);
    assert.equal(snapshot.transitionCount, 2);
    assert.equal(snapshot.generatedLatentFrameCount, 6);
    assert.ok(files(h).includes("source-0003.png"));
    assert.deepEqual(h.model.requests.slice(2).map((r) => r.seed), [42n, 43n]);
  }));

// @row world-session > Rules of the world server > Geometry
test("WorldSession.startRollout() keeps the size of a continued world", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk();
    await rejects(h.rollout({ width: 96 }), "geometry_changed", "width");
    await rejects(h.rollout({ height: 64 }), "geometry_changed", "height");
    const job = await h.walk({ width: undefined, height: undefined });
    assert.equal(job.rolloutReceipt?.width, 64);
    await h.session.setSource(SOURCE);
    assert.equal((await h.walk({ width: 96 })).rolloutReceipt?.width, 96);
  }));

test("WorldSession.startRollout() takes the model's own size and rate when the request has none", async () => {
  const h = await worldHarness({ defaults: { width: 96, height: 64, fps: 12 } });
  await h.session.setSource(SOURCE);
  const { width, height, fps } = (await h.walk({ width: undefined, height: undefined })).rolloutReceipt!;
  assert.deepEqual({ width, height, fps }, { width: 96, height: 64, fps: 12 });
  await h.close();
});

test("WorldSession.startRollout() needs a picture to start from", () =>
  withSession(async (h) => {
    await rejects(h.rollout(), "source_required", "source_image");
    assert.equal((await h.session.setSource(SOURCE)).phase, "cold");
    assert.equal((await h.walk()).status, "completed");
  }));

test("WorldSession.startRollout() says that the model is unavailable before it accepts a job", async () => {
  const error = modelUnavailable("model_unavailable", "Cannot prepare fake: files are missing");
  const h = await worldHarness({ rootsError: error });
  await h.session.setSource(SOURCE);
  await rejects(h.rollout(), "model_unavailable");
  await rejects(h.session.prepare(), "model_unavailable");
  assert.equal(h.session.phase, "cold");
  await h.close();
});

// @row world-session > Rollout > `speed`: too far to go
test("WorldSession.startRollout() refuses a speed that leaves the numbers", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await rejects(h.rollout({ speed: 1e308 }), "invalid_speed", "speed");
    assert.equal((await h.walk()).status, "completed");
  }));

test("WorldSession fails a job and leaves no trace when the disk is full", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk();
    const before = state(h);
    for (const path of [/chunk-0002/, /state-/, /rollout-\d+\.mp4$/]) {
      h.disk.fails = { path, error: Object.assign(new Error("no space"), { code: "ENOSPC" }) };
      const job = await h.walk();
      assert.equal(job.status, "failed");
      assert.equal(job.error?.code, "disk_full");
      assert.deepEqual(job.chunks, []);
      assert.deepEqual(state(h), before);
    }
    delete h.disk.fails;
    assert.equal((await h.walk()).status, "completed");
  }));

test("WorldSession stops generating when a chunk cannot be encoded", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    h.media.failure = new Error("the encoder of /home/someone broke");
    const second = deferred();
    h.model.onGenerate = () => {
      if (h.model.requests.length === 2) h.model.gate = new Promise(() => {});
      second.resolve();
    };
    const job = await h.walk({ numOutputFrames: 9 });
    assert.equal(job.status, "failed");
    assert.equal(job.error?.code, "internal_error");
    assert.doesNotMatch(job.error!.message, /someone/);
    assert.match(String(h.events.at(-1)?.detail["error"]), /someone/);
    assert.deepEqual(files(h), ["source-0001.png"]);
  }));

test("WorldSession passes on what the model says to clients", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    const error = invalidRequest("context_length_exceeded", "Cannot encode the prompt: 9000 tokens");
    h.model.failure = { call: "generate", error };
    const { error: described } = await h.walk();
    assert.deepEqual(described, {
      message: "Cannot encode the prompt: 9000 tokens",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    });
  }));

test("WorldSession starts again from its picture when the model has died", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk();
    const shown = h.session.snapshot().currentFramePath;
    const died = new SvcError("model_worker_died", "Cannot continue with the model: its worker has stopped");
    h.model.failure = { call: "snapshot", error: died };
    const job = await h.walk();
    assert.equal(job.error?.code, "model_worker_died");
    const snapshot = h.session.snapshot();
    assert.equal(snapshot.phase, "cold");
    assert.equal(snapshot.currentFramePath, shown);
    assert.equal(snapshot.generatedLatentFrameCount, 0);
    assert.equal(snapshot.stateIds.length, 1);
    const next = await h.walk();
    assert.equal(next.status, "completed");
    assert.deepEqual(next.chunks.map((c) => c.pixelFrameCount), [9, 12]);
  }));

test("WorldSession starts again from its picture when the state cannot be restored", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk();
    h.model.onGenerate = () => {
      h.model.failure = { call: "restore", error: new Error("lost") };
      h.model.gate = Promise.reject(new Error("broken"));
    };
    const job = await h.walk();
    assert.equal(job.error?.code, "internal_error");
    assert.equal(h.session.phase, "cold");
    assert.equal(h.session.snapshot().generatedLatentFrameCount, 0);
    h.model.onGenerate = () => {};
    h.model.gate = undefined;
    assert.equal((await h.walk()).status, "completed");
  }));

test("WorldSession.reset() forgets the world and keeps the model warm", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk();
    const snapshot = await h.session.reset();
    assert.equal(snapshot.phase, "ready");
    assert.deepEqual(snapshot.stateIds, []);
    assert.equal(snapshot.transitionCount, 0);
    assert.equal(snapshot.currentFramePath, undefined);
    await rejects(h.rollout(), "source_required", "source_image");
  }));

test("WorldSession.reset() may name a new source", () =>
  withSession(async (h) => {
    writeFileSync(join(h.folder, "a.png"), "image 64 32 3");
    const snapshot = await h.session.reset({ sourceImage: join(h.folder, "a.png") });
    assert.equal(snapshot.currentFramePath, join(h.folder, "source-0001.png"));
    await rejects(h.session.reset({ sourceImage: join(h.outside, "a.png") }), "path_not_allowed");
    await rejects(h.session.reset({ sourceImage: 5 }), "wrong_type", "source_image");
    await rejects(h.session.reset({ source: "x" }), "unknown_field", "source");
    assert.deepEqual(h.session.snapshot(), snapshot);
  }));

test("WorldSession.unload() releases the model and continues from the picture", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.walk();
    const snapshot = await h.session.unload();
    assert.equal(snapshot.phase, "cold");
    assert.equal(snapshot.keepsModelsWarm, false);
    assert.equal(snapshot.generatedLatentFrameCount, 0);
    assert.equal(h.model.prepared, false);
    assert.deepEqual((await h.walk()).chunks.map((c) => c.pixelFrameCount), [9, 12]);
  }));

test("WorldSession never writes over files that are there", () =>
  withSession(async (h) => {
    for (const name of ["rollout-0001.mp4", "state-0002.png", "transition-0004.mp4"]) {
      writeFileSync(join(h.folder, name), "mine");
    }
    await h.session.setSource(SOURCE);
    assert.ok(existsSync(join(h.folder, "source-0003.png")));
    const job = await h.walk();
    assert.equal(job.rolloutReceipt?.outputPath, join(h.folder, "rollout-0005.mp4"));
    await h.session.reset();
    await h.session.setSource(SOURCE);
    assert.ok(existsSync(join(h.folder, "source-0006.png")));
    assert.equal(readFileSync(join(h.folder, "rollout-0001.mp4"), "utf8"), "mine");
  }));

test("WorldSession writes the video where the client wants it, once", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    const output = join(h.folder, "mine.mp4");
    const job = await h.walk({ output });
    assert.equal(job.rolloutReceipt?.outputPath, output);
    const bytes = readFileSync(output, "utf8");
    await rejects(h.rollout({ output }), "output_exists", "output");
    await rejects(h.rollout({ output: join(h.outside, "x.mp4") }), "path_not_allowed");
    await rejects(h.rollout({ output: join(h.folder, "none", "x.mp4") }), "output_folder_missing", "output");
    assert.equal(readFileSync(output, "utf8"), bytes);
  }));

test("WorldSession leaves a file alone that appears where the output should go", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    const output = join(h.folder, "mine.mp4");
    h.model.onGenerate = () => writeFileSync(output, "theirs");
    const job = await h.walk({ output });
    assert.equal(job.error?.code, "output_exists");
    assert.equal(readFileSync(output, "utf8"), "theirs");
  }));

test("WorldSession.close() cancels the active job and releases everything", async () => {
  const h = await worldHarness();
  await h.session.setSource(SOURCE);
  h.model.gate = new Promise(() => {});
  const job = await h.rollout();
  await h.session.close();
  assert.equal(h.session.job(job.jobId).record().status, "cancelled");
  assert.equal(h.model.prepared, false);
  assert.equal(h.media.closed, true);
  await rejects(h.rollout(), "session_closed");
  await h.close();
});
