import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readWorld } from "../../../../lib/world/session/journal/read_world.ts";
import { SvcError } from "../../../../lib/errors/svc_error.ts";
import { Worlds } from "../../../../lib/world/session/worlds.ts";
import { journalOf, type KeptWorld, keptWorld } from "../../../support/kept_world.ts";
import { transition } from "../../../support/world_harness.ts";
import { withFolder } from "../../../support/temporary_folder.ts";

/** The colour of the picture that is shown, which follows from all that led to it. */
function shown({ session }: KeptWorld): string {
  return readFileSync(session.framePath!, "utf8");
}

/** A graph with two paths, a lock on one of them, and an edge that was walked back over. */
async function walk(world: KeptWorld): Promise<void> {
  await world.begin();
  await world.move("forward");
  await world.move("yawLeft");
  if (world.session.backend === "arworld") {
    await world.session.createCheckpoint({ name: "door" });
    await world.move("strafeLeft");
    await world.session.restoreCheckpoint(world.session.checkpoints()[0].checkpointId);
  }
  await world.move("forward");
  await world.move("backward");
  await world.move("strafeRight");
}

// @row world-session > Worlds > After any end of the process: the same worlds, locks, graph and pictures
for (const backend of ["arworld", "actionworld"] as const) {
  test(`an ${backend} that is opened again continues bit for bit, over and over`, () =>
    withFolder(async (folder) => {
      const [a, b] = [join(folder, "a"), join(folder, "b")];
      const undisturbed = await keptWorld(a, { backend });
      await walk(undisturbed);
      const first = await keptWorld(b, { backend });
      await walk(first);
      const before = first.known();
      const second = await keptWorld(b, { backend });
      assert.equal(second.head.id, first.head.id);
      assert.deepEqual(second.known(), before);
      assert.equal(second.session.continuity, "exact");
      const oldest = join(b, readdirSync(b).filter((name) => name.endsWith(".mp4"))[0]);
      rmSync(oldest); // as --keep-files has done before the process ended
      await assert.rejects(second.session.openFile(oldest), { code: "media_expired" });
      // The way back was kept, the way on is generated as if nothing had happened.
      for (const motion of ["strafeLeft", "yawRight", "backward", "forward"] as const) {
        const world = await keptWorld(b, { backend });
        const [there, here] = [await undisturbed.move(motion), await world.move(motion)];
        assert.equal(here.receipt?.replayed, there.receipt?.replayed, motion);
        assert.equal(shown(world), shown(undisturbed), motion);
      }
    }));
}

test("a world that was walked back to its picture after a restart continues exactly", () =>
  withFolder(async (folder) => {
    const first = await keptWorld(folder);
    await first.begin();
    await first.move("forward");
    const there = shown(first);
    const second = await keptWorld(folder);
    assert.equal((await second.move("backward")).receipt?.replayed, true);
    await second.move("forward");
    assert.deepEqual([second.session.continuity, shown(second)], ["exact", there]);
    const third = await keptWorld(folder);
    await third.move("yawLeft");
    assert.equal(third.session.continuity, "exact");
  }));

// @row world-session > Rules of the world server > A worker that dies
test("a session whose model dies, at any call of a move, continues bit for bit where it was", () =>
  withFolder(async (folder) => {
    const calm = await keptWorld(join(folder, "calm"));
    const world = await keptWorld(join(folder, "shaken"));
    const died = new SvcError("model_worker_died", "Cannot continue with the model: its worker has stopped");
    for (const each of [calm, world]) await each.begin();
    const moves = ["forward", "yawLeft", "forward", "strafeLeft", "forward", "yawRight"] as const;
    for (const [i, call] of ["begin", "snapshot", "generate", "generate", "snapshot", "release"].entries()) {
      const before = world.known();
      world.model.failure = { call, error: died };
      world.model.onGenerate = () => world.model.snapshots.clear(); // it takes its states along
      const failed = await world.ended(await world.session.startTransition({ ...transition(moves[i]), seed: 3 }));
      if (call !== "release") {
        assert.equal(failed.error?.code, "model_worker_died", call);
        assert.deepEqual([world.session.phase, world.session.continuity], ["cold", undefined], call);
        assert.deepEqual(world.known(), before, call);
        world.model.onGenerate = () => {};
        await world.move(moves[i]);
      }
      await calm.move(moves[i]);
      assert.equal(shown(world), shown(calm), `${moves[i]} after ${call}`);
      if (i === 2) {
        for (const each of [calm, world]) await each.session.createCheckpoint({ name: "door" });
      }
    }
    for (const each of [calm, world]) {
      await each.session.restoreCheckpoint(each.session.checkpoints()[0].checkpointId);
      await each.move("strafeRight");
    }
    assert.equal(shown(world), shown(calm));
    assert.equal(shown(await keptWorld(join(folder, "shaken"))), shown(calm));
  }));

// @row world-session > Worlds > A world that nobody uses is parked, and taken up again bit for bit
test("a session that is parked gives its memory back, and the next move is the same", () =>
  withFolder(async (folder) => {
    const [calm, world] = [await keptWorld(join(folder, "a")), await keptWorld(join(folder, "b"))];
    let now = 0;
    const opened = { session: world.session, head: world.head, remove: () => Promise.resolve() };
    const open = () => Promise.resolve(opened);
    const worlds = new Worlds({ first: opened, open, newId: () => "", clock: () => new Date(now) });
    for (const each of [calm, world]) await walk(each);
    assert.equal(await worlds.park(1000), 0, "it has just been used");
    now = 1000;
    assert.equal(await worlds.park(1000), 1);
    assert.deepEqual([world.model.snapshots.size, worlds.list()[0].parked, world.session.phase], [0, true, "ready"]);
    assert.equal(await worlds.park(1000), 0, "it is parked");
    // A move that comes while it is being parked waits.
    await world.move("forward");
    await calm.move("forward");
    assert.equal(worlds.list()[0].parked, undefined);
    const [parked] = await Promise.all([world.session.park(), world.move("yawLeft"), calm.move("yawLeft")]);
    assert.equal(parked, true);
    for (const motion of ["yawRight", "backward", "forward"] as const) {
      for (const each of [calm, world]) await each.move(motion);
      assert.equal(shown(world), shown(calm), motion);
    }
  }));

test("a lock that was kept is returned to, and what follows is the same", () =>
  withFolder(async (folder) => {
    const first = await keptWorld(folder, { replaySeconds: 0 });
    await walk(first);
    const [{ checkpointId: lock }] = first.session.checkpoints();
    await first.session.restoreCheckpoint(lock);
    await first.move("strafeRight");
    const expected = shown(first);
    await first.session.close();
    const second = await keptWorld(folder);
    await second.session.restoreCheckpoint(lock);
    await second.move("strafeRight");
    assert.equal(shown(second), expected);
    await second.session.deleteCheckpoint(lock);
    assert.deepEqual((await keptWorld(folder)).session.snapshot().checkpointCount, 0);
  }));

test("a move that is cut off is rolled back, and its record says so", () =>
  withFolder(async (folder) => {
    const first = await keptWorld(folder);
    await walk(first);
    const [before, files] = [first.known(), readdirSync(folder)];
    first.model.gate = new Promise(() => {});
    const { jobId: id } = await first.session.startRollout({
      prompt: "a corridor",
      actionSeq: ["w"],
      numOutputFrames: 6,
      output: join(folder, "mine.mp4"),
    });
    writeFileSync(join(folder, "mine.mp4"), "written last");
    const second = await keptWorld(folder);
    assert.deepEqual(second.known(), before);
    assert.equal(second.session.job(id).record().status, "cancelled");
    assert.deepEqual(readdirSync(folder), files);
  }));

// @row world-session > Snapshot > `continuity`
// @row world-session > Worlds > A journal that is cut or damaged, another model or version: repaired, or from the last picture
test("another model, a damaged state and pictures that differ lead back to the last picture, which is reported", () =>
  withFolder(async (folder) => {
    const cases: Record<string, (at: string) => Promise<KeptWorld>> = {
      origin: (at) => keptWorld(at, { origin: "two" }),
      state: async (at) => {
        const journal = join(at, "journal");
        for (const name of readdirSync(journal)) {
          if (name.endsWith(".state")) writeFileSync(join(journal, name), "{}");
        }
        return await keptWorld(at);
      },
      pixels: async (at) => {
        const world = await keptWorld(at);
        const { generate } = world.model;
        world.model.generate = async (request, options) => {
          const frames = await generate.call(world.model, request, options);
          return { ...frames, data: frames.data.map((byte) => byte ^ 1) };
        };
        return world;
      },
    };
    for (const [name, open] of Object.entries(cases)) {
      const at = join(folder, name);
      const first = await keptWorld(at);
      await first.begin();
      await first.move("forward");
      await first.session.createCheckpoint({ name: "door" });
      const picture = shown(first);
      const second = await open(at);
      await second.session.prepare();
      const { continuity, states, checkpointCount, keepsTerminalLatent } = second.session.snapshot();
      assert.deepEqual([continuity, states.length, checkpointCount, keepsTerminalLatent], ["picture", 1, 0, false]);
      assert.equal(shown(second), picture, name);
      assert.ok(second.events.includes("world_from_picture"), name);
      await second.move("forward", { seed: 4 });
      assert.equal((await keptWorld(at, { origin: name === "origin" ? "two" : "one" })).session.continuity, "picture");
    }
  }));

test("a move that meets a state which cannot be made again starts from the picture instead", () =>
  withFolder(async (folder) => {
    const first = await keptWorld(folder);
    await first.begin();
    await first.move("forward");
    for (const name of readdirSync(join(folder, "journal"))) {
      if (name.endsWith(".state")) rmSync(join(folder, "journal", name));
    }
    const second = await keptWorld(folder);
    const job = await second.move("forward");
    assert.equal(second.session.snapshot().continuity, "picture");
    assert.equal(job.receipt?.previousStateId, second.session.snapshot().stateIds[0]);
  }));

// @row world-session > Worlds > A journal that is cut or damaged, another model or version: repaired, or from the last picture
test("a journal is cut at any byte: what is left is an earlier state, or it is known to be damaged", () =>
  withFolder(async (folder) => {
    const known: string[] = [];
    const world = await keptWorld(folder, {
      journal: (file) => ({
        ...file,
        append: async (bytes, flush) => {
          await file.append(bytes, flush);
          known.push(String(journalOf(folder).length));
        },
      }),
    });
    await walk(world);
    const bytes = journalOf(folder);
    const root = `${folder}/`;
    const states = new Set<string>();
    const asText = (cut: Uint8Array): string => {
      const { found } = readWorld(cut, root);
      const { state, checkpoints } = found.image?.graph ?? {};
      return `${state?.path.map((s) => s.stateId)} ${state?.transitions} ${checkpoints?.length}`;
    };
    for (const end of known) states.add(asText(bytes.subarray(0, Number(end))));
    const whole = readWorld(bytes, root).found;
    assert.equal(whole.state, "whole");
    states.add(asText(new Uint8Array())).add(asText(bytes.subarray(0, 300)));
    for (let cut = 0; cut < bytes.length; cut += 1 + cut % 131) {
      const { found } = readWorld(bytes.subarray(0, cut), root);
      assert.notEqual(found.state, "damaged", `cut at ${cut}`);
      assert.ok(states.has(asText(bytes.subarray(0, cut))), `cut at ${cut}`);
      const flipped = bytes.slice();
      flipped[cut] ^= 0x10;
      assert.equal(readWorld(flipped, root).found.state, "damaged", `flipped at ${cut}`);
    }
    // A tail of zeros is what a loss of power leaves.
    const padded = new Uint8Array(bytes.length + 4096);
    padded.set(bytes);
    assert.equal(readWorld(padded, root).found.state, "cut");
  }));

test("a damaged journal is set aside, and the world continues from the newest picture", () =>
  withFolder(async (folder) => {
    const first = await keptWorld(folder);
    await walk(first);
    const bytes = journalOf(folder);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(join(folder, "journal", "world.journal"), bytes);
    const second = await keptWorld(folder);
    assert.equal(shown(second), shown(first));
    assert.equal(second.session.snapshot().continuity, "picture");
    assert.ok(readdirSync(join(folder, "journal")).includes("world.journal.damaged"));
    await second.move("forward");
    assert.equal((await keptWorld(folder)).session.snapshot().states.length, 2);
  }));

test("what cannot be written down has not happened: the move is rolled back, and the next one is kept", () =>
  withFolder(async (folder) => {
    let fails = false;
    const world = await keptWorld(folder, {
      journal: (file) => ({
        ...file,
        append: async (bytes, flush) => {
          if (!fails) return await file.append(bytes, flush);
          await file.append(bytes.subarray(0, bytes.length >> 1), flush);
          throw new SvcError("disk_full", "Cannot write a file: the disk is full, free some space and try again");
        },
        replace: (bytes) => fails ? Promise.reject(new SvcError("disk_full", "full")) : file.replace(bytes),
      }),
    });
    await walk(world);
    const [before, chain] = [world.known(), world.model.chain];
    const { jobId } = await world.session.startTransition({ prompt: "x", ...forward, numFrames: 9 });
    fails = true;
    assert.equal((await world.ended({ jobId })).error?.code, "disk_full");
    assert.deepEqual(world.known(), before);
    assert.deepEqual(world.model.chain, chain);
    fails = false;
    await world.move("forward");
    assert.deepEqual((await keptWorld(folder)).known(), world.known());
  }));

test("a long walk has a short journal, and few files of states", () =>
  withFolder(async (folder) => {
    const world = await keptWorld(folder, { replaySeconds: 0 });
    await world.begin();
    for (let i = 0; i < 40; i++) await world.move("hold", { prompt: "corridor ".repeat(400) });
    const [known, chain] = [world.known(), world.model.chain];
    await world.session.close();
    const { found } = readWorld(journalOf(folder), `${folder}/`);
    assert.equal(found.state, "whole");
    assert.ok(journalOf(folder).length < 2_000_000, `${journalOf(folder).length} bytes`);
    const names = readdirSync(join(folder, "journal")).filter((name) => name.endsWith(".state"));
    assert.ok(names.length <= 5, names.join());
    const again = await keptWorld(folder);
    assert.deepEqual(again.known(), known);
    await again.session.prepare();
    assert.deepEqual(again.model.chain, chain, again.events.join());
  }));

const forward = { camera: { motion: "forward", translationMeters: [0, 0, 1], rotationDegrees: [0, 0, 0] } };
