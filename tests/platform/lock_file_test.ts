import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { FolderLockedError } from "../../lib/errors/option_error.ts";
import { lockFolder } from "../../lib/platform/locks/lock_file.ts";
import type { Processes } from "../../lib/platform/processes/processes.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** A process as seen from a place where the processes of `running` live, each with its start time. */
function seen(pid: number, running: Readonly<Record<number, string>> = {}, scope = "boot one"): Processes {
  return {
    pid,
    isRunning: (id) => id in running,
    scope: () => Promise.resolve(scope),
    startTime: (id) => id === pid ? running[pid] ?? "now" : running[id],
  };
}

const locksOf = (folder: string): string[] => readdirSync(join(folder, "server.lock"));

/** A wait that only counts, and does something each time. */
function counted(each: () => void = () => {}): { wait: (milliseconds: number) => Promise<void>; total: () => number } {
  let total = 0;
  return {
    wait: (milliseconds) => {
      total += milliseconds;
      each();
      return Promise.resolve();
    },
    total: () => total,
  };
}

/** The holder's sign of life. */
function beat(folder: string, second: number): void {
  for (const name of locksOf(folder)) utimesSync(join(folder, "server.lock", name), second, second);
}

// @row world-session > Rules of the world server > One server a state directory
test("lockFolder() makes the folder and keeps another process out", () =>
  withFolder(async (root) => {
    const folder = join(root, "a", "b");
    const lock = await lockFolder(folder, { processes: seen(1) });
    if (process.platform !== "win32") assert.equal(statSync(folder).mode & 0o777, 0o700); // nobody else reads a world
    await assert.rejects(lockFolder(folder, { processes: seen(2, { 1: "now" }) }), (error: Error) => {
      assert.ok(error instanceof FolderLockedError);
      assert.match(error.message, /: process 1 \(on \S+, since \S+Z\) is using it, stop that one or choose another/);
      return true;
    });
    await lock.release();
    assert.deepEqual(readdirSync(folder), []);
    await (await lockFolder(folder, { processes: seen(2, { 1: "now" }) })).release();
  }));

// @row world-session > Rules of the world server > One server a state directory
test("lockFolder() takes the lock of a process that has ended at once", () =>
  withFolder(async (folder) => {
    await lockFolder(folder, { processes: seen(1) });
    const { wait, total } = counted();
    const lock = await lockFolder(folder, { processes: seen(2), wait });
    assert.equal(total(), 0);
    assert.equal(JSON.parse(readFileSync(join(folder, "server.lock", locksOf(folder)[0]), "utf8")).pid, 2);
    await lock.release();
    assert.deepEqual(readdirSync(folder), []);
  }));

test("lockFolder() distinguishes processes with the same id by their start times", () =>
  withFolder(async (folder) => {
    await lockFolder(folder, { processes: seen(7, { 7: "early" }) });
    const { wait, total } = counted();
    await assert.rejects(lockFolder(folder, { processes: seen(8, { 7: "early" }), wait }), FolderLockedError);
    await lockFolder(folder, { processes: seen(8, { 7: "late" }), wait }); // another program has that id now
    await lockFolder(folder, { processes: seen(8, { 8: "later" }), wait }); // the first process of a new container
    assert.equal(total(), 0);
  }));

test("lockFolder() does not let one process in twice", () =>
  withFolder(async (folder) => {
    const lock = await lockFolder(folder);
    await assert.rejects(lockFolder(folder), FolderLockedError);
    await lock.release();
    await (await lockFolder(folder)).release();
  }));

for (const [where, scope] of [["another container", "boot one, other ids"], ["before a reboot", "boot two"]]) {
  test(`lockFolder() watches a holder from ${where}, whatever process has its id here`, () =>
    withFolder(async (folder) => {
      await lockFolder(folder, { processes: seen(1, { 1: "x" }) });
      let second = 1000;
      const alive = counted(() => beat(folder, second++));
      const waits: string[] = [];
      const onWait = (holder: string): void => void waits.push(holder);
      for (const running of [{}, { 1: "x" }] as Readonly<Record<number, string>>[]) {
        const options = { processes: seen(1, running, scope), wait: alive.wait, onWait };
        await assert.rejects(lockFolder(folder, options), FolderLockedError);
      }
      assert.equal(waits.length, 2);
      assert.match(waits[0], /^process 1 \(on /);
      const silent = counted();
      await lockFolder(folder, { processes: seen(1, { 1: "x" }, scope), wait: silent.wait });
      assert.ok(silent.total() >= 5000, String(silent.total()));
    }));
}

test("lockFolder() takes a lock that is released while it watches", () =>
  withFolder(async (folder) => {
    const lock = await lockFolder(folder, { processes: seen(1) });
    const { wait, total } = counted(() => rmSync(join(folder, "server.lock"), { recursive: true, force: true }));
    await lockFolder(folder, { processes: seen(1, {}, "boot two"), wait });
    assert.equal(total(), 250);
    await lock.release();
    assert.equal(locksOf(folder).length, 1);
  }));

test("lockFolder() takes over a damaged lock that shows no sign of life", () =>
  withFolder(async (folder) => {
    const path = join(folder, "server.lock");
    const contents = ["", "{", "null", '{"pid":"x"}', '{"pid":-1}', '{"pid":1}', "x".repeat(100_000)];
    for (const content of contents) {
      writeFileSync(path, content); // where a folder belongs
      await (await lockFolder(folder, { processes: seen(1), wait: counted().wait })).release();
      mkdirSync(path);
      writeFileSync(join(path, "some.json"), content);
      await (await lockFolder(folder, { processes: seen(1), wait: counted().wait })).release();
    }
    mkdirSync(path);
    await (await lockFolder(folder, { processes: seen(1) })).release();
  }));

test("lockFolder() lets only one of several at a stale lock", () =>
  withFolder(async (folder) => {
    await lockFolder(folder, { processes: seen(99) });
    const pids = [1, 2, 3, 4, 5, 6, 7, 8];
    const running = Object.fromEntries(pids.map((pid) => [pid, "now"]));
    const results = await Promise.allSettled(pids.map((pid) => lockFolder(folder, { processes: seen(pid, running) })));
    assert.equal(results.filter((r) => r.status === "fulfilled").length, 1);
  }));

test("release() leaves a lock alone that another process has taken over", () =>
  withFolder(async (folder) => {
    const first = await lockFolder(folder, { processes: seen(1) });
    await lockFolder(folder, { processes: seen(2) });
    await first.release();
    assert.equal(locksOf(folder).length, 1);
  }));

test("a holder shows signs of life, and is notified when its lock has been taken over", () =>
  withFolder(async (folder) => {
    const lost: Error[] = [];
    const until = async (done: () => boolean): Promise<void> => {
      while (!done()) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    const lock = await lockFolder(folder, { onLost: (error) => lost.push(error) });
    const path = join(folder, "server.lock", locksOf(folder)[0]);
    utimesSync(path, 1, 1);
    await until(() => statSync(path).mtimeMs !== 1000);
    const { wait } = counted(() => rmSync(path, { force: true }));
    await lockFolder(folder, { processes: seen(1, {}, "boot two"), wait });
    await until(() => lost.length > 0);
    assert.match(
      lost[0].message,
      /^Cannot continue in .*: another process has taken it over while this one stood still$/,
    );
    await lock.release();
    assert.equal(locksOf(folder).length, 1);
  }));
