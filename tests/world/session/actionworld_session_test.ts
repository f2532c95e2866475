import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathPolicy } from "../../../lib/platform/files/path_policy.ts";
import { stateFiles } from "../../../lib/world/host/state_files.ts";
import { actionworldBackend } from "../../../lib/world/backends/actionworld_backend.ts";
import type { CameraMotion, JobRecord } from "../../../lib/world/protocol/job_record.ts";
import { WorldSession } from "../../../lib/world/session/world_session.ts";
import { FakeClipModel } from "../../support/fake_clip_model.ts";
import { FakeMedia, text } from "../../support/fake_media.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { deferred } from "../../support/world_harness.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const IDENTITY = [1, 0, 0, 0, 1, 0];

interface Walk {
  readonly session: WorldSession;
  readonly model: FakeClipModel;
  readonly media: FakeMedia;
  readonly folder: string;
  move(motion: CameraMotion, body?: Record<string, unknown>): Promise<JobRecord>;
  ended(job: JobRecord): Promise<JobRecord>;
}

function request(motion: CameraMotion, body: Record<string, unknown> = {}): Record<string, unknown> {
  const sign = ["backward", "strafeLeft", "yawLeft"].includes(motion) ? -1 : 1;
  const turns = motion.startsWith("yaw");
  const camera = {
    motion,
    translationMeters: turns ? [0, 0, 0] : motion.startsWith("strafe") ? [sign, 0, 0] : [0, 0, sign],
    rotationDegrees: [0, turns ? 15 * sign : 0, 0],
  };
  return { prompt: "a hall", camera, width: 64, height: 48, ...body };
}

function withSession(work: (walk: Walk) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const model = new FakeClipModel();
    const media = new FakeMedia();
    const session = new WorldSession({
      backend: actionworldBackend({ model }),
      record: { id: "fake", device: "auto", dtype: "auto" },
      roots: () => Promise.resolve({ id: "fake", path: "/fake", basePath: "/fake", defaults: {} }),
      media,
      files: stateFiles(folder, { policy: pathPolicy([folder], folder) }),
      clock: () => new Date(0),
      newId: () => crypto.randomUUID(),
    });
    const ended = async ({ jobId: id }: JobRecord): Promise<JobRecord> => {
      while (session.job(id).active) await new Promise<void>((resolve) => void session.events.subscribe(resolve));
      return session.job(id).record();
    };
    await session.setSource(text("image 64 48 7"));
    try {
      const move: Walk["move"] = async (motion, body) =>
        await ended(await session.startTransition(request(motion, body)));
      await work({ session, model, media, folder, ended, move });
    } finally {
      await session.close();
    }
  });
}

function refuses(promise: Promise<unknown>, code: string, param?: string): Promise<void> {
  return assert.rejects(promise, (error) => {
    assert.ok(error instanceof SvcError, String(error));
    assert.deepEqual([error.code, error.param], [code, param]);
    return true;
  });
}

test("the job of a move shows how far a large model is loaded, before the move and within it", () =>
  withSession(async ({ model, move }) => {
    const { prepare } = model;
    model.prepare = async (options) => {
      model.loaded = { done: 10, total: 1000 };
      const info = await prepare.call(model, options);
      model.loaded = { done: 900, total: 1000, secondsLeft: 2 };
      return info;
    };
    const { progressEvents: events } = await move("forward");
    const shown = events.filter(({ bytesTotal }) => bytesTotal === 1000);
    assert.deepEqual(shown.map(({ stage, bytesRead, secondsLeft }) => [stage, bytesRead, secondsLeft]), [
      ["preparing", 10, undefined],
      ["preparing", 900, 2],
    ]);
    assert.equal(events.at(-1)?.stage, "saving");
  }));

test("an actionworld session shows no field of an arworld", () =>
  withSession(async ({ session, move }) => {
    await move("forward");
    const snapshot = session.snapshot();
    assert.deepEqual([snapshot.backend, snapshot.conditioningMode, snapshot.keepsTerminalLatent], [
      "actionworld",
      "camera_pose_media_reencode",
      false,
    ]);
    assert.deepEqual(Object.keys(snapshot).filter((key) => /latent_frame|pose|scene|checkpoint/.test(key)), []);
  }));

// @row world-session > Transition > Defaults of an actionworld
// @row world-session > Chunks > Chunks of a clip
test("an actionworld transition has 17 frames in chunks as they are decoded, and all its settings in force", () =>
  withSession(async ({ model, move }) => {
    const job = await move("yawRight");
    assert.deepEqual(job.chunks.map((c) => c.pixelFrameRange), [[0, 5], [5, 9], [9, 13], [13, 17]]);
    const [{ actions, ...asked }] = model.requests;
    assert.deepEqual(asked, {
      prompt: "a hall",
      seed: 0n,
      frames: 17,
      fps: 30,
      steps: 30,
      guidanceScale: 1,
      shift: 3,
    });
    assert.equal(actions.length, 16 * 9);
    const receipt = job.receipt!;
    assert.equal(receipt.pixelFrameCount, 17);
    assert.equal(receipt.conditioningMode, "camera_pose_media_reencode");
    assert.deepEqual([receipt.actionSpace, receipt.actionDomain], ["normalized_model_space", "camera_pose"]);
    assert.equal(receipt.modelSpaceActions!.length, 16);
    assert.ok(Math.abs(receipt.modelSpaceActions![0][3] - Math.cos(Math.PI / 192)) < 1e-6);
    assert.deepEqual(receipt.rawActions, receipt.modelSpaceActions);
    assert.deepEqual(receipt.effective, { steps: 30, guidanceScale: 1, shift: 3, numFrames: 17, seed: 0 });
    assert.equal(receipt.terminalWorldPose, undefined);
  }));

// @row world-session > Rules of the world server > Seeds increase with the generation depth and wrap
test("an actionworld counts seeds by clips, from 0 again at a new source", () =>
  withSession(async ({ session, model, move }) => {
    await move("forward", { seed: "18446744073709551615" });
    await move("forward", { seed: "18446744073709551615" });
    assert.equal((await move("yawLeft", { seed: 5 })).receipt?.seed, 7);
    assert.equal((await move("yawRight", { seed: 5 })).receipt?.seed, 7); // walked back: the seed that made the edge
    await move("yawLeft", { seed: 5 });
    await session.setSource(text("image 64 48 9"));
    await move("forward", { seed: 5 });
    assert.deepEqual(model.requests.map((r) => r.seed), [18446744073709551615n, 0n, 7n, 7n, 5n]);
  }));

// @row world-session > Receipts > The receipt of a replay
test("an actionworld replays several edges exactly, with its rows reversed", () =>
  withSession(async ({ session, model, move }) => {
    const rows = [[1, 2, 3, ...IDENTITY], [4, 5, 6, ...IDENTITY]];
    const before = [];
    before.push([session.snapshot().currentStateId, 7]);
    await move("forward", { numFrames: 5, modelSpaceActions: rows });
    before.push([session.snapshot().currentStateId, model.picture!.data[0]]);
    await move("yawLeft", { numFrames: 5 });
    const generated = model.requests.length;
    const first = await move("yawRight", { numFrames: 5 });
    assert.equal(first.receipt?.replayed, true);
    assert.equal(first.receipt?.conditioningMode, "camera_pose_media_reencode_cached_inverse");
    assert.deepEqual([session.snapshot().currentStateId, model.picture!.data[0]], before[1]);
    const second = await move("backward", { numFrames: 5 });
    assert.equal(second.receipt?.actionSpace, "normalized_model_space_reversed");
    const extended = [rows[0], rows[1], rows[1], rows[1]];
    assert.deepEqual(second.receipt?.modelSpaceActions, extended.reverse());
    assert.equal(session.snapshot().currentStateId, before[0][0]);
    assert.equal(model.requests.length, generated);
    await move("forward", { numFrames: 5 });
    assert.equal(model.requests.at(-1)?.seed, 0n);
  }));

test("an actionworld generates when a request brings its own rows, even in an inverse move", () =>
  withSession(async ({ move }) => {
    await move("forward");
    const job = await move("backward", { modelSpaceActions: [[0, 0, 0, ...IDENTITY]] });
    assert.equal(job.receipt?.replayed, false);
  }));

// @row world-session > Transition > `model_space_actions`: short lists are extended by their last row, long ones cut, none scaled
// @row world-session > Limits > Rows cut to `num_frames` - 1, of sixty too
test("an actionworld fits rows to the clip without scaling them", () =>
  withSession(async ({ model, move }) => {
    const row = (n: number) => [n, 0, 0, ...IDENTITY];
    const firsts = () => Array.from(model.requests.at(-1)!.actions).filter((_, i) => i % 9 === 0);
    await move("custom", { numFrames: 9, modelSpaceActions: [row(1), row(2)] });
    assert.deepEqual(firsts(), [1, 2, 2, 2, 2, 2, 2, 2]);
    await move("custom", { numFrames: 5, modelSpaceActions: Array.from({ length: 60 }, (_, i) => row(i)) });
    assert.deepEqual(firsts(), [0, 1, 2, 3]);
  }));

test("an actionworld's cancelled clip leaves the session and its files as they were", () =>
  withSession(async ({ session, model, folder, move, ended }) => {
    await move("forward");
    const before = { snapshot: session.snapshot(), files: readdirSync(folder).sort(), picture: model.picture };
    model.gate = deferred().promise;
    const job = await session.startTransition(request("yawLeft"));
    while (session.job(job.jobId).chunks.length === 0) {
      await new Promise<void>((resolve) => void session.events.subscribe(resolve));
    }
    session.cancel(job.jobId);
    assert.equal((await ended(job)).status, "cancelled");
    assert.deepEqual(
      { snapshot: session.snapshot(), files: readdirSync(folder).sort(), picture: model.picture },
      before,
    );
    assert.equal(existsSync(join(folder, "transition-0003.chunks")), false);
  }));

test("an actionworld has neither rollouts nor checkpoints", () =>
  withSession(async ({ session }) => {
    const rollout = { prompt: "p", actionSeq: ["w"] };
    await session.prepare();
    await refuses(session.startRollout(rollout), "unsupported_for_backend");
    await refuses(session.createCheckpoint({ name: "a" }), "unsupported_for_backend");
    await refuses(session.restoreCheckpoint("x"), "unsupported_for_backend");
    await refuses(session.deleteCheckpoint("x"), "unsupported_for_backend");
    assert.throws(() => session.checkpoints(), { code: "unsupported_for_backend" });
  }));

const rows = (row: unknown[]) => ({ modelSpaceActions: [[0, 0, 0, ...IDENTITY], row] });
for (
  const [what, body, code, param] of [
    ["16 frames", { numFrames: 16 }, "invalid_num_frames", "num_frames"],
    ["1 frame", { numFrames: 1 }, "invalid_num_frames", "num_frames"],
    ["1009 frames", { numFrames: 1009 }, "invalid_num_frames", "num_frames"],
    ["a width of 24", { width: 24 }, "invalid_width", "width"],
    ["a height of 1296", { height: 1296 }, "invalid_height", "height"],
    ["0 steps", { steps: 0 }, "invalid_steps", "steps"],
    ["shift 0", { shift: 0 }, "invalid_shift", "shift"],
    ["a negative guidance scale", { guidanceScale: -0.5 }, "invalid_guidance_scale", "guidance_scale"],
    ["no rows", { modelSpaceActions: [] }, "invalid_model_space_actions", "model_space_actions"],
    ["a row of eight", rows([0, 0, 0, 1, 0, 0, 0, 1]), "invalid_model_space_actions", "model_space_actions[1]"],
    ["a row of ten", rows([0, 0, 0, ...IDENTITY, 0]), "invalid_model_space_actions", "model_space_actions[1]"],
    [
      "a row that is not finite",
      rows([0, Infinity, 0, ...IDENTITY]),
      "invalid_model_space_actions",
      "model_space_actions[1][1]",
    ],
    ["a row of words", rows(["0", 0, 0, ...IDENTITY]), "wrong_type", "model_space_actions[1][0]"],
  ] as const
) {
  test(`an actionworld refuses ${what}`, () =>
    withSession(({ session }) => refuses(session.startTransition(request("forward", body)), code, param)));
}

// @row world-session > Limits > 4n + 1 frames of a clip
test("an actionworld takes 5 and 1005 frames, a side of 16, and moves that rise and roll", () =>
  withSession(async ({ session, move }) => {
    const camera = { motion: "custom", translationMeters: [0, 1, 0], rotationDegrees: [0, 0, 5] };
    const job = await move("custom", { camera, numFrames: 5, width: 16, height: 16 });
    assert.equal(job.receipt?.pixelFrameCount, 5);
    const long = await session.startTransition(request("hold", { numFrames: 1005, width: 16, height: 16, steps: 1 }));
    session.cancel(long.jobId);
    await refuses(session.startTransition(request("hold", { width: 32 })), "session_busy");
  }));

test("an actionworld refuses another size while a world continues", () =>
  withSession(async ({ session, move }) => {
    await move("forward");
    await refuses(session.startTransition(request("forward", { width: 80 })), "geometry_changed", "width");
  }));
