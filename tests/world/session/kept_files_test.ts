import assert from "node:assert/strict";
import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JobRecord } from "../../../lib/world/protocol/job_record.ts";
import { text } from "../../support/fake_media.ts";
import { keptWorld } from "../../support/kept_world.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { seededRandom } from "../../support/random.ts";
import { errorOf, type HarnessOptions, type WorldHarness, worldHarness } from "../../support/world_harness.ts";

const SOURCE = text("image 64 32 7");

async function withSession(
  work: (h: WorldHarness) => Promise<void>,
  limits: NonNullable<HarnessOptions["limits"]>,
): Promise<void> {
  const harness = await worldHarness({ limits });
  try {
    await work(harness);
  } finally {
    await harness.close();
  }
}

/** Bytes that the files of a folder take of a disk with blocks of 4 KiB. */
function diskBytes(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  const sizes = paths.map((path) => statSync(path)).filter((info) => info.isFile()).map(({ size }) => size);
  return sizes.reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0);
}

async function expired(h: WorldHarness, path: string): Promise<void> {
  const response = await h.call("GET", path);
  const { code, type, message } = await errorOf(response);
  assert.deepEqual([response.status, code, type], [410, "media_expired", "not_found_error"], path);
  assert.match(
    message,
    /^Cannot open the file: it has been removed to keep at most \d+ bytes, fetch files earlier or let the server keep more$/,
  );
}

const mediaOf = (job: JobRecord): string[] => {
  const receipt = job.rolloutReceipt ?? job.receipt!;
  return [...job.chunks.map((c) => c.mediaPath), receipt.outputMediaPath, receipt.terminalFrameMediaPath];
};

// @row world-session > Options > `--keep-files`
// @row world-session > Errors > 410 `media_expired`
test("the oldest files go when there are too many bytes, and are 410 from then on", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    const jobs: JobRecord[] = [];
    for (let i = 0; i < 8; i++) {
      jobs.push(await h.walk());
      assert.ok(diskBytes(h.folder) <= 50_000, `${diskBytes(h.folder)} after ${i}`);
    }
    // Each takes 16 KiB: two chunks, a video, a picture.
    for (const path of jobs.slice(0, 5).flatMap(mediaOf)) await expired(h, path);
    for (const path of jobs.slice(-2).flatMap(mediaOf)) assert.equal((await h.call("GET", path)).status, 200, path);
    const left = readdirSync(h.folder);
    assert.deepEqual(left.filter((name) => name.startsWith("rollout-0002")), []); // no empty folder either
    assert.equal((await h.call("GET", `/v1/world/jobs/${jobs[0].jobId}`)).status, 200);
    assert.equal((await h.call("GET", "/v1/world/session/media/frame")).status, 200);
  }, { keepFiles: 50_000 }));

// @row world-session > Options > `--keep-files`
test("what a checkpoint, a retained edge or the last job needs stays, however few bytes are kept", () =>
  withSession(async (h) => {
    await h.session.setSource(SOURCE);
    await h.move("forward");
    const { checkpointId: id, frameMediaPath: saved } = await h.session.createCheckpoint({ name: "door" });
    const frame = h.session.snapshot().currentFrameMediaPath!;
    const first = await h.walk();
    const second = await h.move("yawLeft");
    const third = await h.move("strafeLeft");
    for (const path of mediaOf(first).slice(0, -1)) await expired(h, path);
    for (const path of mediaOf(second).slice(0, -1)) await expired(h, path);
    for (const path of mediaOf(third)) assert.equal((await h.call("GET", path)).status, 200, path);
    assert.equal((await h.move("strafeRight")).receipt!.replayed, true);
    assert.equal((await h.move("yawRight")).receipt!.replayed, true);
    for (const path of [saved, frame]) assert.equal((await h.call("GET", path)).status, 200, path);
    await h.session.restoreCheckpoint(id);
    assert.equal((await h.call("GET", h.session.snapshot().currentFrameMediaPath!)).status, 200);
    assert.equal((await h.move("backward")).receipt!.replayed, true);
  }, { keepFiles: 0 }));

test("videos that clients have named stay, and so does what is not an artifact", () =>
  withSession(async (h) => {
    const mine = ["photo.png", "journal.jsonl", "transition-1.mp4"].map((name) => join(h.folder, name));
    for (const path of mine) writeFileSync(path, "x".repeat(5000));
    await h.session.setSource(SOURCE);
    const output = join(h.folder, "named.mp4");
    const named = await h.walk({ output });
    for (let i = 0; i < 3; i++) await h.walk();
    for (const path of [...mine, output]) assert.ok(statSync(path).size > 0, path);
    assert.equal((await h.call("GET", named.rolloutReceipt!.outputMediaPath)).status, 200);
    await expired(h, named.chunks[0].mediaPath);
  }, { keepFiles: 0 }));

test("files of an earlier process count and go first, and files of others are neither counted nor removed", () =>
  withFolder(async (folder) => {
    const first = await keptWorld(folder);
    await first.begin();
    for (let i = 0; i < 3; i++) await first.move("forward"); // 16 KiB each, without what undoes them
    const foreign = ["transition-0900.mp4", "state-0001.png", "rollout-0002.mp4"];
    for (const name of foreign) {
      writeFileSync(join(folder, name), "x".repeat(90_000));
      utimesSync(join(folder, name), 1000, 1000);
    }
    const second = await keptWorld(folder, { keepFiles: 1 });
    await second.move("yawLeft");
    const names = readdirSync(folder);
    assert.deepEqual(foreign.filter((name) => !names.includes(name)), []);
    assert.equal(names.includes("transition-0002.mp4"), false);
    assert.equal(names.some((name) => name.startsWith("state-") && !foreign.includes(name)), true);
  }));

// @row world-session > Options > `--keep-files`
test("the bound holds over a long walk of all kinds of moves", async () => {
  const keepFiles = 400_000;
  // Two edges of 56 KiB and two checkpoints are needed at most, and one job runs.
  await withSession(async (h) => {
    const random = seededRandom(7);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)];
    await h.session.setSource(SOURCE);
    for (let i = 0; i < 300; i++) {
      const dice = random();
      if (dice < 0.6) await h.move(pick(["forward", "backward", "yawLeft", "yawRight"]));
      else if (dice < 0.8) await h.walk({ actionSeq: [pick(["w", "s"])], numOutputFrames: 3 });
      else if (dice < 0.9) {
        const [oldest, more] = h.session.checkpoints();
        if (more) await h.session.deleteCheckpoint(oldest.checkpointId);
        await h.session.createCheckpoint({ name: "x" });
      } else if (dice < 0.95) await h.session.setSource(SOURCE);
      else {
        const cancelled = await h.rollout();
        h.session.cancel(cancelled.jobId);
        await h.ended(cancelled);
      }
      assert.ok(diskBytes(h.folder) <= keepFiles, `${diskBytes(h.folder)} after ${i}`);
    }
    assert.ok(diskBytes(h.folder) > keepFiles / 2); // it was full
  }, { keepFiles, maxRetainedEdges: 2, maxCheckpoints: 2 });
});
