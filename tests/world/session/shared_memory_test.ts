import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SvcError } from "../../../lib/errors/svc_error.ts";
import { admitSize, type MemoryRoom, SharedMemory } from "../../../lib/world/session/session_memory.ts";
import { type KeptWorld, keptWorld } from "../../support/kept_world.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { transition } from "../../support/world_harness.ts";

/** A machine where the first world needs a byte a pixel, and each other one half of that. */
function sharedMemory(room: MemoryRoom): SharedMemory {
  return new SharedMemory({
    unit: 32,
    plan: ({ width, height }) => Promise.resolve(width * height),
    chain: ({ width, height }) => Promise.resolve(width * height / 2),
    room: () => Promise.resolve(room),
  });
}

const SIZE = { width: 64, height: 32, frames: 17 };
const BYTES = 64 * 32;

/** The colour of the picture that is shown, which follows from all that led to it. */
function shown({ session }: KeptWorld): string {
  return readFileSync(session.framePath!, "utf8");
}

// @row world-session > Errors > Frames that need more memory than there is: 400 or 503 with a size that fits, before a job
// @row world-session > Worlds > A world that nobody uses is parked, and taken up again bit for bit
test("the world that was used least recently is parked for another; where all are busy a move and a world are 503", () =>
  withFolder(async (folder) => {
    const room = { held: 0, free: 2 * BYTES, most: 3 * BYTES };
    const memory = sharedMemory(room);
    const open = (name: string, memory?: SharedMemory) => keptWorld(join(folder, name), memory ? { memory } : {});
    const calm = await open("calm");
    const [a, b, c, d] = await Promise.all(["a", "b", "c", "d"].map((name) => open(name, memory)));
    const parked = () =>
      [a, b, c, d].map(({ session }) => session.isParked ? "p" : session.holdsMemory ? "x" : "-").join("");
    const forward = async (...worlds: KeptWorld[]) => {
      for (const world of worlds) await world.move("forward");
    };
    for (const world of [calm, a, b, c, d]) await world.begin();
    const newWorld = () => admitSize(memory.forNewWorld(), "cpu", "open a world", SIZE);

    await forward(a, b, c); // a byte a pixel for one that works and a half for each of two that rest
    assert.equal(parked(), "xxx-");
    await forward(d);
    assert.equal(parked(), "pxxx");
    await forward(b);
    await forward(a);
    assert.equal(parked(), "xxpx", "b was used since");
    await newWorld();
    assert.equal(parked(), "xxpx", "one that is cold needs nothing yet");

    let go = (): void => {};
    const gate = new Promise<void>((resolve) => go = resolve);
    const running = [];
    for (const world of [a, b, d]) {
      world.model.gate = gate;
      running.push({ world, job: await world.session.startTransition({ ...transition("forward"), seed: 3 }) });
    }
    room.free = BYTES * 2.4;
    const refusal = { status: 503, code: "memory_pressure", param: "width", message: /other worlds rest$/ };
    await assert.rejects(c.session.startTransition(transition("forward")), refusal);
    await assert.rejects(newWorld(), (error: SvcError) => /^Cannot open a world: .*2 KiB/.test(error.message));
    room.free = BYTES * 2.5;
    await newWorld();
    const job = await c.session.startTransition({ ...transition("forward"), seed: 3 });
    assert.equal(c.session.isBusy, true);
    go();
    for (const { world, job } of running) assert.equal((await world.ended(job)).status, "completed");
    await c.ended(job);
    room.most = BYTES - 1;
    await assert.rejects(c.session.startTransition(transition("forward")), {
      status: 400,
      code: "size_exceeds_memory",
    });
    room.most = BYTES * 3;

    for (const world of [a, b, d]) world.model.gate = undefined;
    await forward(calm, calm);
    assert.equal(shown(c), shown(calm), "parked and taken up again");
    assert.equal(shown(d), shown(calm));
    await forward(calm);
    assert.equal(shown(a), shown(calm));
    assert.equal(shown(b), shown(calm));
    await Promise.all([a, b, c, d].map(({ session }) => session.close()));
    room.free = BYTES;
    await newWorld();
  }));
