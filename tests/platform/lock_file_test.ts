import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { FolderLockedError, lockFolder } from "../../lib/platform/locks/lock_file.ts";
import { withFolder } from "../support/temporary_folder.ts";

const running = (pid: number, others: number[] = []) => ({ pid, isRunning: (n: number) => others.includes(n) });

// @row world-session > Rules of the world server > One server a state directory
test("lockFolder() makes the folder and keeps another process out", () =>
  withFolder(async (root) => {
    const folder = join(root, "a", "b");
    const lock = await lockFolder(folder, running(1));
    if (process.platform !== "win32") assert.equal(statSync(folder).mode & 0o777, 0o700); // nobody else reads a world
    await assert.rejects(lockFolder(folder, running(2, [1])), (error: Error) => {
      assert.ok(error instanceof FolderLockedError);
      assert.match(error.message, /process 1 is using it/);
      return true;
    });
    await lock.release();
    assert.deepEqual(readdirSync(folder), []);
    await (await lockFolder(folder, running(2, [1]))).release();
  }));

// @row world-session > Rules of the world server > One server a state directory
test("lockFolder() takes over the lock of an ended process", () =>
  withFolder(async (folder) => {
    await lockFolder(folder, running(1));
    const lock = await lockFolder(folder, running(2));
    assert.equal(JSON.parse(readFileSync(join(folder, "server.lock"), "utf8")).pid, 2);
    await lock.release();
    assert.deepEqual(readdirSync(folder), []);
  }));

test("lockFolder() takes over a lock with its own number, as after a restart in a container", () =>
  withFolder(async (folder) => {
    await lockFolder(folder, running(7));
    await lockFolder(folder, running(7, [7]));
  }));

test("lockFolder() takes over a damaged lock", () =>
  withFolder(async (folder) => {
    for (const content of ["", "{", "null", '{"pid":"x"}', '{"pid":-1}']) {
      writeFileSync(join(folder, "server.lock"), content);
      await (await lockFolder(folder, running(1, [1, 2]))).release();
    }
  }));

test("lockFolder() lets only one of several at a stale lock", () =>
  withFolder(async (folder) => {
    await lockFolder(folder, running(99));
    const pids = [1, 2, 3, 4, 5, 6, 7, 8];
    const results = await Promise.allSettled(pids.map((pid) => lockFolder(folder, running(pid, pids))));
    assert.equal(results.filter((r) => r.status === "fulfilled").length, 1);
  }));

test("release() leaves a lock alone that another process has taken over", () =>
  withFolder(async (folder) => {
    const first = await lockFolder(folder, running(1));
    await lockFolder(folder, running(2));
    await first.release();
    assert.ok(existsSync(join(folder, "server.lock")));
  }));

test("lockFolder() knows running processes of this machine", () =>
  withFolder(async (folder) => {
    const lock = await lockFolder(folder);
    writeFileSync(join(folder, "server.lock"), '{"pid":1}');
    await assert.rejects(lockFolder(folder), FolderLockedError);
    writeFileSync(join(folder, "server.lock"), '{"pid":4194305}'); // beyond the largest number of Linux
    await lockFolder(folder);
    await lock.release();
  }));
