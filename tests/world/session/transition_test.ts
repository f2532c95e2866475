import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

async function withSession(work: (h: WorldHarness) => Promise<void>, options: HarnessOptions = {}): Promise<void> {
  const harness = await worldHarness(options);
  try {
    await harness.session.setSource(SOURCE);
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
    assert.deepEqual([error.code, error.param], [code, param]);
    return true;
  });
}

/** What a return restores: everything but the number of moves and the files. */
function scene(h: WorldHarness): unknown {
  const { transitionCount: _, ...snapshot } = h.session.snapshot();
  return { snapshot, chain: h.model.chain };
}

// @row world-session > Transition > `num_frames` on an arworld: the fewest blocks that reach it
test("WorldSession.startTransition() generates the fewest blocks whose new frames reach num_frames", () =>
  withSession(async (h) => {
    const lengths = async (body: Record<string, unknown>) => {
      const job = await h.move("forward", body);
      return [job.receipt!.effective!.numFrames, job.receipt!.pixelFrameCount];
    };
    assert.deepEqual(await lengths({ numFrames: 9 }), [9, 9]);
    assert.deepEqual(await lengths({ numFrames: 12 }), [12, 13]);
    assert.deepEqual(await lengths({ numFrames: 13 }), [24, 25]);
    await h.session.setSource(SOURCE);
    assert.deepEqual(await lengths({ numFrames: undefined }), [21, 21]);
    assert.deepEqual(await lengths({ numFrames: undefined }), [24, 25]);
  }));

test("WorldSession.startTransition() fills chunks and names files like a rollout", () =>
  withSession(async (h) => {
    const job = await h.move("forward", { numFrames: 17 });
    assert.equal(job.kind, "transition");
    assert.deepEqual(job.chunks.map((c) => c.pixelFrameRange), [[0, 9], [9, 21]]);
    assert.deepEqual(job.chunks.map((c) => c.path), [
      join(h.folder, "transition-0002.chunks/chunk-0001.mp4"),
      join(h.folder, "transition-0002.chunks/chunk-0002.mp4"),
    ]);
    assert.equal(job.receipt?.outputPath, join(h.folder, "transition-0002.mp4"));
    assert.equal(job.receipt?.terminalFramePath, join(h.folder, "state-0002.png"));
    assert.equal(job.rolloutReceipt, undefined);
  }));

test("WorldSession.startTransition() shows the first frames of an early world as a chunk of their own, and replays them", () =>
  withSession(async (h) => {
    const ranges = async (motion: "forward" | "yawLeft", numFrames: number) => {
      const job = await h.move(motion, { numFrames });
      assert.deepEqual(job.chunks.map((c) => c.blockCount), job.chunks.map(() => job.chunks.length));
      return job.chunks.map((c) => c.pixelFrameRange);
    };
    assert.deepEqual(await ranges("forward", 17), [[0, 5], [5, 9], [9, 21]]);
    assert.deepEqual(await ranges("yawLeft", 12), [[0, 5], [5, 13]]);
    assert.equal(h.model.requests.length, 3);
    const back = await h.move("yawRight", { numFrames: 12 });
    assert.deepEqual([back.receipt?.replayed, back.receipt?.pixelFrameCount], [true, 13]);
    assert.equal(h.model.requests.length, 3);
  }, { limits: { early: true } }));

// @row world-session > Transition > A camera becomes keys; an arworld cannot rise or roll
test("WorldSession.startTransition() reports in the receipt what was asked for and what ran", () =>
  withSession(async (h) => {
    await h.move("forward");
    const before = h.session.snapshot();
    const job = await h.move("yawLeft", { seed: 7, steps: 12, guidanceScale: 3, shift: 2 });
    const { chunks, terminalWorldPose: pose, ...receipt } = job.receipt!;
    const state = h.session.snapshot().currentStateId;
    assert.equal(chunks.length, 1);
    assert.equal(pose!.worldToCamera.length, 16);
    assert.deepEqual(receipt, {
      requestId: job.jobId,
      previousStateId: before.currentStateId,
      stateId: state,
      transitionIndex: 2,
      outputPath: join(h.folder, "transition-0003.mp4"),
      outputMediaPath: `/v1/world/jobs/${job.jobId}/media/output`,
      terminalFramePath: join(h.folder, "state-0003.png"),
      terminalFrameMediaPath: `/v1/world/jobs/${job.jobId}/media/terminal-frame`,
      pixelFrameCount: 13,
      width: 64,
      height: 32,
      fps: 24,
      seed: 7,
      conditioningMode: "causal_camera_latents",
      sceneMemoryMode: "paper_reconstructed_revisit_anchor",
      sceneMemoryRetrievalCount: 0,
      sceneMemoryRecycledFrameCount: 0,
      camera: { motion: "yawLeft", translationMeters: [0, 0, 0], rotationDegrees: [0, -15, 0] },
      replayed: false,
      effective: { steps: 4, guidanceScale: 1, shift: 5, numFrames: 12, seed: 8, action: "j" },
    });
  }));

// @row world-session > States > The exact inverse replays the last edge
test("WorldSession.startTransition() replays several edges bit for bit without generating", () =>
  withSession(async (h) => {
    const motions = ["forward", "yawLeft", "strafeRight", "forward"] as const;
    const opposite = { forward: "backward", yawLeft: "yawRight", strafeRight: "strafeLeft" } as const;
    await h.session.prepare();
    const states = [scene(h)];
    for (const motion of motions) {
      await h.move(motion);
      states.push(scene(h));
    }
    states.pop();
    for (const motion of [...motions].reverse()) {
      const calls = h.model.calls.length;
      const job = await h.move(opposite[motion], { numFrames: undefined, width: undefined, height: undefined });
      assert.equal(job.receipt?.replayed, true);
      assert.equal(job.receipt?.conditioningMode, "causal_camera_latents_cached_inverse");
      assert.ok(h.model.calls.slice(calls).every((call) => call !== "generate" && call !== "begin"));
      const expected = states.pop() as { snapshot: { states: unknown }; chain: unknown };
      const found = scene(h) as typeof expected;
      assert.deepEqual(found.snapshot, expected.snapshot);
      // The root has no chain: the model starts over.
      if (states.length > 0) assert.deepEqual(found.chain, expected.chain);
    }
    assert.equal(h.session.snapshot().transitionCount, 8);
    assert.equal(h.model.snapshots.size, 0);
    assert.deepEqual(files(h).filter((name) => name.includes(".frames")), []);
  }));

test("WorldSession.startTransition() shows the frames of the edge in reverse and ends on the picture it came from", () =>
  withSession(async (h) => {
    await h.move("forward");
    const out = await h.move("forward", { numFrames: 24 });
    const shown = h.media.encoded.slice(-2).map(({ frames }) => frames);
    const back = await h.move("backward", { numFrames: 24 });
    assert.deepEqual(back.chunks.map((c) => c.pixelFrameRange), [[0, 12], [12, 25]]);
    assert.equal(back.receipt?.pixelFrameCount, out.receipt?.pixelFrameCount);
    const size = 64 * 32 * 3;
    const colours = (frames: { count: number; data: Uint8Array }) =>
      Array.from({ length: frames.count }, (_, i) => frames.data[i * size]);
    const reversed = h.media.encoded.slice(-2).map(({ frames }) => frames);
    assert.deepEqual(reversed.flatMap(colours), shown.flatMap(colours).reverse());
    const frame = (name: string) => readFileSync(join(h.folder, name));
    assert.deepEqual(frame("state-0004.png"), frame("state-0002.png"));
    assert.equal(h.session.snapshot().currentFramePath, join(h.folder, "state-0002.png"));
  }));

test("WorldSession.startTransition() generates the same again after the inverse move", () =>
  withSession(async (h) => {
    await h.move("forward");
    await h.move("yawLeft");
    const chain = h.model.chain;
    await h.move("yawRight");
    await h.move("yawLeft");
    assert.deepEqual(h.model.chain, chain);
  }));

for (
  const [why, motion, body] of [
    ["has a source image", "backward", { sourceImage: "SOURCE" }],
    ["does not cancel the edge", "backward", { camera: { ...cameraOf("backward"), translationMeters: [0, 0, -0.4] } }],
    ["has another length", "backward", { numFrames: 12 }],
    ["has another rate", "backward", { fps: 30 }],
    ["has another motion", "yawLeft", {}],
  ] as const
) {
  test(`WorldSession.startTransition() generates when the request ${why}`, () =>
    withSession(async (h) => {
      writeFileSync(join(h.folder, "picture.png"), SOURCE);
      await h.move("forward");
      const given = "sourceImage" in body ? { sourceImage: join(h.folder, "picture.png") } : body;
      const job = await h.move(motion, given);
      assert.equal(job.status, "completed");
      assert.equal(job.receipt?.replayed, false);
    }));
}

function cameraOf(motion: "backward"): Record<string, unknown> {
  return transition(motion).camera as Record<string, unknown>;
}

// @row world-session > States > Conditions of an inverse move, each negated
test("WorldSession.startTransition() never replays a rollout or a hold", () =>
  withSession(async (h) => {
    await h.move("forward");
    await h.walk();
    assert.deepEqual(h.session.snapshot().states.map((s) => s.retained), [false, false, true]);
    assert.equal((await h.move("backward")).receipt?.replayed, false);
    await h.move("hold");
    assert.equal((await h.move("hold")).receipt?.replayed, false);
    assert.deepEqual(h.session.snapshot().states.map((s) => s.retained), [false, false, false, false, false, true]);
    assert.equal(h.model.snapshots.size, 0);
    assert.deepEqual(files(h).filter((name) => name.includes(".frames")), []);
  }));

// @row world-session > Snapshot > `retained`
// @row world-session > Rules of the world server > Edges keep what was overwritten, the oldest go first
test("WorldSession keeps at most maxRetainedEdges edges and drops the oldest first", () =>
  withSession(async (h) => {
    for (let i = 0; i < 4; i++) await h.move("forward");
    assert.deepEqual(h.session.snapshot().states.map((s) => s.retained), [false, false, true, true, true]);
    assert.equal(h.model.snapshots.size, 2);
    assert.equal(files(h).filter((name) => name.endsWith(".frames")).length, 2);
    assert.equal((await h.move("backward")).receipt?.replayed, true);
    assert.equal((await h.move("backward")).receipt?.replayed, true);
    assert.equal((await h.move("backward")).receipt?.replayed, false);
  }, { limits: { maxRetainedEdges: 2 } }));

test("WorldSession.startTransition() generates when the frames of the edge are gone from the disk", () =>
  withSession(async (h) => {
    await h.move("forward");
    rmSync(join(h.folder, "transition-0002.frames"), { recursive: true });
    const job = await h.move("backward");
    assert.equal(job.receipt?.replayed, false);
  }));

test("WorldSession.startTransition() fails and changes nothing when the frames of the edge were changed", () =>
  withSession(async (h) => {
    await h.move("forward");
    const before = scene(h);
    writeFileSync(join(h.folder, "transition-0002.frames/block-0001.rgb"), "short");
    const job = await h.move("backward");
    assert.equal(job.error?.code, "edge_frames_lost");
    assert.deepEqual(scene(h), before);
    assert.ok(!existsSync(join(h.folder, "transition-0003.chunks")));
  }));

test("WorldSession.startTransition() leaves everything as it was when an inverse move fails", () =>
  withSession(async (h) => {
    await h.move("forward");
    const before = { scene: scene(h), files: files(h) };
    h.disk.fails = { path: /transition-0003\.mp4/, error: Object.assign(new Error("full"), { code: "ENOSPC" }) };
    const job = await h.move("backward");
    assert.equal(job.error?.code, "disk_full");
    assert.deepEqual({ scene: scene(h), files: files(h) }, before);
    delete h.disk.fails;
    assert.equal((await h.move("backward")).receipt?.replayed, true);
  }));

test("WorldSession.startTransition() continues from its picture when the model has lost the state of an edge", () =>
  withSession(async (h) => {
    await h.move("forward");
    await h.move("forward");
    h.model.failure = { call: "restore", error: new Error("gone") };
    const job = await h.move("backward");
    assert.equal(job.status, "failed");
    const { phase, states, generatedLatentFrameCount: latents } = h.session.snapshot();
    assert.deepEqual([phase, states.length, latents], ["cold", 1, 0]);
    assert.equal((await h.move("forward")).status, "completed");
  }));

test("WorldSession.cancel() of a transition leaves the session and its files as they were", () =>
  withSession(async (h) => {
    await h.move("forward");
    const before = { scene: scene(h), files: files(h) };
    const begun = deferred();
    const gate = deferred();
    h.model.gate = gate.promise;
    h.model.onGenerate = () => begun.resolve();
    const job = await h.session.startTransition({ ...transition("yawLeft"), num_frames: 24 });
    await begun.promise;
    assert.equal(h.session.cancel(job.jobId).status, "cancelling");
    const ended = await h.ended(job);
    assert.equal(ended.status, "cancelled");
    assert.deepEqual(ended.chunks, []);
    assert.deepEqual({ scene: scene(h), files: files(h) }, before);
    assert.equal(h.model.snapshots.size, 0);
    h.model.gate = undefined;
    assert.equal((await h.move("backward")).receipt?.replayed, true);
  }));

test("WorldSession.startTransition() accepts an explicit source as a new world and keeps the checkpoints", () =>
  withSession(async (h) => {
    await h.move("forward");
    await h.session.createCheckpoint({ name: "old world" });
    writeFileSync(join(h.folder, "picture.png"), SOURCE);
    const job = await h.move("forward", { sourceImage: join(h.folder, "picture.png") });
    const { stateIds: path, generatedLatentFrameCount: latents, checkpointCount: locks } = h.session.snapshot();
    assert.equal(path.length, 2);
    assert.equal(job.receipt?.previousStateId, path[0]);
    assert.deepEqual([latents, locks], [3, 1]);
    assert.equal((await h.move("backward")).receipt?.replayed, true);
  }));

for (
  const [name, body, code, param] of [
    ["no camera", { camera: undefined }, "missing_field", "camera"],
    [
      "no motion",
      { camera: { translationMeters: [0, 0, 0], rotationDegrees: [0, 0, 0] } },
      "missing_field",
      "camera.motion",
    ],
    ["an unknown motion", { camera: { ...cameraOf("backward"), motion: "up" } }, "invalid_camera", "camera.motion"],
    [
      "two numbers of translation",
      { camera: { ...cameraOf("backward"), translationMeters: [0, 0] } },
      "invalid_camera",
      "camera.translation_meters",
    ],
    [
      "an infinite angle",
      { camera: { ...cameraOf("backward"), rotationDegrees: [0, Infinity, 0] } },
      "invalid_camera",
      "camera.rotation_degrees[1]",
    ],
    [
      "a misspelled part of the camera",
      { camera: { ...cameraOf("backward"), motoin: "hold" } },
      "unknown_field",
      "camera.motoin",
    ],
    [
      "a custom move that rises",
      { camera: { motion: "custom", translationMeters: [0, 1, 0], rotationDegrees: [0, 0, 0] } },
      "invalid_camera",
      "camera.translation_meters",
    ],
    [
      "a custom move that rolls",
      { camera: { motion: "custom", translationMeters: [0, 0, 0], rotationDegrees: [0, 0, 1] } },
      "invalid_camera",
      "camera.rotation_degrees",
    ],
    [
      "model_space_actions",
      { modelSpaceActions: [[0, 0, 0, 1, 0, 0, 0, 1, 0]] },
      "unsupported_for_backend",
      "model_space_actions",
    ],
    ["0 frames", { num_frames: 0 }, "invalid_num_frames", "num_frames"],
    ["0 steps", { steps: 0 }, "invalid_steps", "steps"],
    ["a negative guidance scale", { guidanceScale: -1 }, "invalid_guidance_scale", "guidance_scale"],
    ["shift 0", { shift: 0 }, "invalid_shift", "shift"],
    ["a width of 100", { width: 100 }, "invalid_width", "width"],
    ["a height of 1280", { height: 1280 }, "invalid_height", "height"],
    ["a prompt that is not a string", { prompt: 5 }, "wrong_type", "prompt"],
    ["no prompt", { prompt: undefined }, "missing_field", "prompt"],
  ] as const
) {
  // @row world-session > Transition > `model_space_actions` is refused by an arworld => model_space_actions
  // @row world-session > Transition > A camera becomes keys; an arworld cannot rise or roll => a custom move that rises
  // @row world-session > Transition > A camera becomes keys; an arworld cannot rise or roll => a custom move that rolls
  test(`WorldSession.startTransition() refuses ${name}`, () =>
    withSession(async (h) => {
      await rejects(h.session.startTransition({ ...transition("forward"), ...body }), code, param);
      assert.equal(h.session.snapshot().activeJob, undefined);
    }));
}

// @row world-session > Errors > 409 `geometry_changed`
test("WorldSession.startTransition() refuses another size while a world continues", () =>
  withSession(async (h) => {
    await h.move("forward");
    await rejects(h.session.startTransition({ ...transition("yawLeft"), width: 96 }), "geometry_changed", "width");
  }));

// @row world-session > Transition > `source_image`
test("WorldSession.startTransition() needs a picture", async () => {
  const h = await worldHarness();
  await rejects(h.session.startTransition(transition("forward")), "source_required", "source_image");
  await h.close();
});
