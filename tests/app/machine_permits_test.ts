import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Machine } from "../../lib/scheduling/memory/machine_admission.ts";
import { GIB } from "../../lib/scheduling/memory/memory_limits.ts";
import { acquirePermits, type PermitOptions } from "../../lib/app/models/machine_permits.ts";
import { readBootID } from "../../lib/platform/machine/machine_state.ts";
import { withFolder } from "../support/temporary_folder.ts";

const never = new AbortController().signal;
const server = { label: "api serve", resourceClass: "standard" } as const;
const small = { label: "tool", resourceClass: "small" } as const;

/** A machine of two permits, on which some process numbers run; waiting takes no time. */
function machineAt(folder: string) {
  const alive = new Set<number>();
  const machine = async (): Promise<Machine> =>
    await { physicalBytes: 64 * GIB, availableBytes: 50 * GIB, pressure: "nominal" as const };
  let polls = 0;
  let onPoll = () => {};
  const as = (pid: number): PermitOptions => {
    alive.add(pid);
    const wait = async (milliseconds: number, signal: AbortSignal) => {
      if (milliseconds === 250 && ++polls > 10_000) throw new Error("waits forever");
      if (milliseconds === 250) onPoll();
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal.throwIfAborted();
    };
    return { folder, machine, processes: { pid, isRunning: (other) => alive.has(other) }, bootID: "boot", wait };
  };
  /** Resolves at the next poll of a waiting process. */
  const nextPoll = () => new Promise<void>((resolve) => onPoll = resolve);
  return { alive, as, nextPoll };
}

const tickets = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".json"));

test("acquirePermits() takes permits and gives them back", () =>
  withFolder(async (root) => {
    const folder = join(root, "admission");
    const held = await acquirePermits(server, machineAt(folder).as(1), never);
    assert.equal(held.permits, 2);
    const ticket = JSON.parse(readFileSync(join(folder, tickets(folder)[0]!), "utf8"));
    assert.deepEqual([ticket.processID, ticket.label, ticket.permits, ticket.number], [1, "api serve", 2, 1]);
    if (process.platform !== "win32") assert.equal(statSync(folder).mode & 0o777, 0o700);
    await held.release();
    await held.release();
    assert.deepEqual(readdirSync(folder), []);
  }));

// @row model-api > Service > Rule 3: machine-wide permits, two for a standard server, all for a very large engine
test("acquirePermits() waits for its turn, first come, first served", () =>
  withFolder(async (folder) => {
    const { as, nextPoll } = machineAt(folder);
    const order: string[] = [];
    const first = await acquirePermits(small, as(1), never);
    const take = async (name: string, request: typeof server | typeof small, pid: number) => {
      const held = await acquirePermits(request, as(pid), never);
      order.push(name);
      return held;
    };
    const second = take("server", server, 2);
    await nextPoll();
    const third = take("tool", small, 3);
    await nextPoll();
    await nextPoll();
    assert.deepEqual(order, []);
    await first.release();
    await (await second).release();
    await (await third).release();
    assert.deepEqual(order, ["server", "tool"]);
  }));

test("acquirePermits() frees the permits of a process that has died, with a ticket or with the lock", () =>
  withFolder(async (folder) => {
    const { alive, as } = machineAt(folder);
    await acquirePermits(server, as(1), never);
    writeFileSync(join(folder, "server.lock"), '{"pid":1}');
    writeFileSync(join(folder, "half.json.tmp"), '{"pi');
    alive.delete(1);
    const held = await acquirePermits(server, as(2), never);
    assert.deepEqual(readdirSync(folder).length, 1);
    await held.release();
  }));

test("acquirePermits() clears up after a writer that has died, and leaves alone what others prepare", () =>
  withFolder(async (folder) => {
    const prepared = ".server.lock.5c0f8a52-0c51-4b3e-9f0e-3f3f6a9d2b11.tmp";
    mkdirSync(join(folder, prepared)); // a lock that another process is about to put in its place
    writeFileSync(join(folder, "dead.json.tmp"), "{");
    const held = await acquirePermits(server, machineAt(folder).as(1), never);
    await held.release();
    assert.deepEqual(readdirSync(folder), [prepared]);
  }));

test("acquirePermits() frees the permits of this process from before a restart, and all from before a start", () =>
  withFolder(async (folder) => {
    const { as } = machineAt(folder);
    const left = { id: "x", processID: 7, bootID: "boot", permits: 2, number: 1, admittedAt: "2026-01-01T00:00:00Z" };
    as(8); // runs
    writeFileSync(join(folder, "a.json"), JSON.stringify(left));
    writeFileSync(join(folder, "b.json"), JSON.stringify({ ...left, processID: 8, bootID: "another" }));
    for (const [at, damaged] of ["", "{", "null", '{"processID":"x"}'].entries()) {
      writeFileSync(join(folder, `c${at}.json`), damaged);
    }
    const held = await acquirePermits(server, as(7), never);
    assert.equal(tickets(folder).length, 1);
    await held.release();
  }));

test("acquirePermits() leaves the line when it is aborted", () =>
  withFolder(async (folder) => {
    const { as, nextPoll } = machineAt(folder);
    const first = await acquirePermits(server, as(1), never);
    const abort = new AbortController();
    const gone = assert.rejects(acquirePermits(server, as(2), abort.signal), /gone/);
    await nextPoll();
    abort.abort(new Error("gone"));
    await gone;
    assert.equal(tickets(folder).length, 1);
    await first.release();
  }));

test("acquirePermits() says what is missing on a machine that is too busy", () =>
  withFolder(async (folder) => {
    const options = machineAt(folder).as(1);
    const machine = () =>
      Promise.resolve<Machine>({ physicalBytes: 64 * GIB, availableBytes: GIB, pressure: "nominal" });
    await assert.rejects(acquirePermits(server, { ...options, machine }, never), {
      name: "PermitsRefusedError",
      message: "Cannot start api serve: 1 GiB of memory is free, expected 16 GiB; end other programs and start again",
    });
    assert.deepEqual(tickets(folder), []);
  }));

test("acquirePermits() never gives out more permits than there are", () =>
  withFolder(async (folder) => {
    const { as } = machineAt(folder);
    let taken = 0;
    let max = 0;
    await Promise.all(Array.from({ length: 8 }, async (_, n) => {
      const held = await acquirePermits(n % 3 ? small : server, as(n + 1), never);
      max = Math.max(max, taken += held.permits);
      await new Promise((resolve) => setTimeout(resolve, 0));
      taken -= held.permits;
      await held.release();
    }));
    assert.deepEqual([taken, max, tickets(folder)], [0, 2, []]);
  }));

// @row model-api > Service > Rule 3: machine-wide permits, two for a standard server, all for a very large engine
test("acquirePermits() takes over from a real process that was killed", () =>
  withFolder(async (folder) => {
    const { as, nextPoll } = machineAt(folder);
    const { machine, wait } = as(1) as Required<PermitOptions>;
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    const ended = new Promise((resolve) => child.on("close", resolve));
    const left = { id: "x", processID: child.pid, permits: 2, number: 1, admittedAt: "2026-01-01T00:00:00Z" };
    writeFileSync(join(folder, "x.json"), JSON.stringify(left));
    const waiting = acquirePermits(server, { folder, machine, wait }, never);
    await nextPoll();
    assert.equal(tickets(folder).length, 2);
    child.kill("SIGKILL");
    await ended;
    await (await waiting).release();
  }));

test("readBootID() is the same each time", async () => {
  assert.equal(await readBootID(), await readBootID());
});

test("acquirePermits() reports which process it waits for", () =>
  withFolder(async (folder) => {
    const { as, nextPoll } = machineAt(folder);
    const first = await acquirePermits(small, as(1), never);
    const heard: string[][] = [];
    const onWait = (before: readonly { label: string; processID: number }[]) =>
      heard.push(before.map(({ label, processID }) => `${label} ${processID}`));
    const second = acquirePermits(server, { ...as(2), onWait }, never);
    await nextPoll();
    await first.release();
    await (await second).release();
    assert.deepEqual(heard[0], ["tool 1"]);
  }));

test("acquirePermits() waits for the holders that end, and not for those that stay", () =>
  withFolder(async (folder) => {
    const { as, nextPoll } = machineAt(folder);
    const held = await acquirePermits(server, as(1), never);
    const staying: PermitOptions["staying"] = (holders) =>
      Promise.resolve(holders.filter(({ label }) => label === "api serve"));
    const message =
      "Cannot start chat: api serve (process 1) on this machine runs models already and will not end soon, use it or end it";
    await assert.rejects(acquirePermits({ ...server, label: "chat" }, { ...as(2), staying }, never), { message });
    await held.release();
    assert.deepEqual(tickets(folder), []);
    const brief = await acquirePermits({ ...server, label: "image" }, as(3), never);
    const next = acquirePermits({ ...server, label: "chat" }, { ...as(4), staying }, never);
    await nextPoll();
    await brief.release();
    await (await next).release();
    const stays = await acquirePermits({ ...small, label: "api serve" }, as(5), never);
    const ends = await acquirePermits(small, as(6), never);
    const beside = acquirePermits(small, { ...as(7), staying }, never);
    await nextPoll();
    await ends.release();
    await (await beside).release();
    await stays.release();
  }));
