import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { locateModel } from "../../lib/app/world/model_location.ts";
import { openWorldModel } from "../../lib/world/host/models/open_world_models.ts";
import { pathPolicy } from "../../lib/platform/files/path_policy.ts";
import { stateFiles } from "../../lib/world/host/state_files.ts";
import { arworldBackend } from "../../lib/world/backends/arworld_backend.ts";
import { inspectModelRoots } from "../../lib/world/backends/model_roots.ts";
import type { CameraMotion, JobRecord } from "../../lib/world/protocol/job_record.ts";
import type { TransitionRequestBody } from "../../lib/world/protocol/requests/request_bodies.ts";
import { WorldSession } from "../../lib/world/session/world_session.ts";
import { openServedModel } from "../../lib/app/world/served_model.ts";
import { openWorlds } from "../../lib/app/world/open_worlds.ts";
import { startWorldServer } from "../../lib/app/world/start_world_server.ts";
import { FakeMedia, text } from "../support/fake_media.ts";
import { end, ROOT, type Running, startServer } from "../support/server_process.ts";
import { smallCorridor } from "../support/small_corridor.ts";
import { withFolder } from "../support/temporary_folder.ts";

const source = new Uint8Array(readFileSync(join(ROOT, "models/corridor-nano/base/source.png")));

function move(motion: CameraMotion, ry = 0, z = 0): TransitionRequestBody {
  const camera = { motion, translationMeters: [0, 0, z], rotationDegrees: [0, ry, 0] } as const;
  return { prompt: "a corridor", camera, numFrames: 9 };
}

/** A server that does not outlive the work with it. */
async function withServer(
  args: string[],
  work: (server: Running, client: WorldClient) => Promise<void>,
): Promise<void> {
  const server = startServer([`--model=${smallCorridor()}`, ...args]);
  try {
    await work(server, new WorldClient(JSON.parse(await server.line).url));
  } finally {
    if (server.child.exitCode === null && server.child.signalCode === null) end(server, "SIGKILL");
    await server.exit;
  }
}

/** Follows a job by the session itself, without HTTP. */
async function ended(session: WorldSession, { jobId: id }: JobRecord): Promise<JobRecord> {
  while (session.job(id).active) await new Promise<void>((resolve) => void session.events.subscribe(resolve));
  return session.job(id).record();
}

// @row world-session > Rules of the world server > Files of one counter, never reused
test("a killed server's directory serves again: no half files, no number given twice", () =>
  withFolder(async (folder) => {
    const args = ["--port=0", "--json", "--device=cpu", "--journal=off", `--state-directory=${folder}`];
    await withServer(args, async (killed, first) => {
      await first.uploadSource(source);
      await first.awaitJob((await first.startTransition(move("forward", 0, 1))).jobId);
      await first.createCheckpoint("lost with its session");
      const rollout = { prompt: "a corridor", actionSeq: ["w"], numOutputFrames: 252 };
      const { jobId: id } = await first.startRollout(rollout);
      for await (const _chunk of first.chunks(id)) break; // it is writing now
      end(killed, "SIGKILL");
      await killed.exit;
    });
    const left = readdirSync(folder);
    assert.ok(left.includes("transition-0002.frames") && left.includes("checkpoint-0003.png"), left.join());

    await withServer(args, async (again, client) => {
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
      assert.deepEqual(names.filter((name) => /\.frames|checkpoint|\.tmp$/.test(name)), []);
      assert.ok(names.includes("transition-0002.mp4"));
      assert.deepEqual((await client.session()).stateIds, []);
      await client.uploadSource(source);
      const { receipt } = await client.awaitJob((await client.startTransition(move("forward", 0, 1))).jobId);
      assert.match(receipt!.outputPath, /transition-0006\.mp4$/); // 4 was the rollout that was cut off, 5 is the source
      end(again, "SIGTERM");
      assert.equal(await again.exit, 0);
      assert.equal(existsSync(join(folder, "transition-0006.frames")), false);
    });
  }));

// @row world-session > Checkpoints > Bit-identical on the embedded world
test("the embedded world is restored bit for bit: inverse moves, moves again, a checkpoint", () =>
  withFolder(async (folder) => {
    const server = await startWorldServer({
      ...{ port: 0, device: "cpu", model: smallCorridor(), stateDirectory: folder, log: () => {} },
    });
    try {
      const client = new WorldClient(server.url);
      await client.uploadSource(source);
      const go = async (body: TransitionRequestBody) =>
        (await client.awaitJob((await client.startTransition(body)).jobId)).receipt!;
      const frame = async (job: string) => Array.from(await client.terminalFrame(job));
      await go(move("forward", 0, 1));
      const turned = await go(move("yawLeft", -15));
      const there = await client.session();
      const lock = await client.createCheckpoint("turned");
      const on = await go(move("forward", 0, 1));
      assert.equal((await go(move("backward", 0, -1))).replayed, true);
      const again = await go(move("forward", 0, 1));
      assert.deepEqual(await frame(again.requestId), await frame(on.requestId));

      const restored = await client.restoreCheckpoint(lock.checkpointId);
      assert.deepEqual(restored.currentWorldPose, there.currentWorldPose);
      assert.deepEqual(await frame(turned.requestId), Array.from(await client.checkpointFrame(lock.checkpointId)));
      const third = await go(move("forward", 0, 1));
      assert.deepEqual(await frame(third.requestId), await frame(on.requestId));
    } finally {
      await server.close();
    }
  }));

// @row world-session > Rules of the world server > A worker that dies
test("a session whose worker is killed in the middle of a block continues from its picture", () =>
  withFolder(async (folder) => {
    const location = await locateModel({ model: smallCorridor() });
    const { id, path, basePath } = location;
    const model = openWorldModel({ id, path, basePath, device: "cpu", threads: 1 });
    const session = new WorldSession({
      backend: arworldBackend({ model }),
      record: { id, device: "cpu", dtype: "f32" },
      roots: () => inspectModelRoots(location),
      media: new FakeMedia(),
      files: stateFiles(folder, { policy: pathPolicy([folder]) }),
      clock: () => new Date(),
      newId: () => crypto.randomUUID(),
    });
    await session.setSource(text("image 96 64 90"));
    await ended(session, await session.startTransition(move("forward", 0, 1)));
    await session.createCheckpoint({ name: "lost with the worker" });
    const job = await session.startTransition({ ...move("forward", 0, 1), numFrames: 240 });
    const stop = session.events.subscribe(() => {
      if (session.job(job.jobId).chunks.length === 0) return;
      stop();
      void model.terminate();
    });
    const failed = await ended(session, job);
    assert.equal(failed.error?.code, "model_worker_died");
    assert.deepEqual(failed.chunks, []);
    const { phase, states, checkpointCount: locks, generatedLatentFrameCount: latents } = session.snapshot();
    assert.deepEqual([phase, states.length, locks, latents], ["cold", 1, 0, 0]);
    const next = await ended(session, await session.startTransition(move("forward", 0, 1)));
    assert.equal(next.status, "completed");
    await session.close();
    assert.deepEqual(readdirSync(folder).filter((name) => /\.frames|checkpoint/.test(name)), []);
  }));

// @row world-session > Rules of the world server > A worker that dies
test("worlds whose worker is killed in the middle of a block of one of them all continue bit for bit", () =>
  withFolder(async (directory) => {
    const served = await openServedModel({ device: "cpu", threads: 1, model: smallCorridor() });
    const worlds = await openWorlds({ served, directory, allowPaths: [], journal: true, log: () => {} });
    const ids = [worlds.first.id];
    for (let i = 0; i < 2; i++) ids.push((await worlds.open({})).worldId);
    const [calm, idle, shaken] = ids.map((id) => worlds.get(id).session);
    const go = async (session: WorldSession, body: TransitionRequestBody): Promise<Uint8Array> => {
      const job = await ended(session, await session.startTransition(body));
      assert.equal(job.status, "completed", JSON.stringify(job.error));
      return readFileSync(session.framePath!);
    };
    const forward = { ...move("forward", 0, 1), seed: 3 };
    const left = { ...move("yawLeft", -15), seed: 3 };
    for (const session of [calm, idle, shaken]) {
      await session.setSource(source);
      await go(session, forward);
    }
    const expected = await go(calm, left);
    const job = await shaken.startTransition({ ...forward, numFrames: 240 });
    const stop = shaken.events.subscribe(() => {
      if (shaken.job(job.jobId).chunks.length === 0) return;
      stop();
      void served.terminate();
    });
    const failed = await ended(shaken, job);
    assert.deepEqual([failed.error?.code, failed.chunks], ["model_worker_died", []]);
    assert.equal(shaken.snapshot().transitionCount, 1);
    assert.deepEqual(await go(idle, left), expected, "it has not even noticed");
    assert.deepEqual(await go(shaken, left), expected);
    assert.deepEqual(await go(calm, forward), await go(shaken, forward));
    await worlds.close();
  }));
