import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { lockFolder } from "../../lib/platform/locks/lock_file.ts";
import { programArguments } from "../support/program_arguments.ts";
import { ROOT } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

const RACER = join(ROOT, "tests", "support", "lock_racer.ts");

function racer(folder: string, turns: string, before: readonly string[] = []): ChildProcess {
  const [command, ...args] = [...before, process.execPath, ...programArguments(), RACER, folder, turns];
  return spawn(command, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [line] = await once(createInterface({ input: child.stdout! }), "line");
  return line;
}

// @row world-session > Rules of the world server > One server a state directory
test("of processes that race for a lock and die with it, never do two hold it", () =>
  withFolder(async (folder) => {
    const racers = Array.from({ length: 6 }, () => racer(folder, "25"));
    const words = racers.map((child) => {
      let text = "";
      for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (data) => text += data);
      return () => text;
    });
    await Promise.all(racers.map((child) => once(child, "close")));
    assert.deepEqual(words.map((said) => said()), racers.map(() => "took it 25 times\n"));
    assert.equal(existsSync(join(folder, "inside")), false);
    await (await lockFolder(folder)).release(); // the last one's, at once
  }));

const SPACE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
const noSpaces = spawnSync(SPACE[0], [...SPACE.slice(1), "true"]).status !== 0;

// @row world-session > Rules of the world server > One server a state directory
test("a lock holds against a process of the same id in another container, until its holder is killed", {
  skip: noSpaces && "this user cannot make process namespaces",
}, () =>
  withFolder(async (folder) => {
    const first = racer(folder, "hold", SPACE);
    assert.equal(await firstLine(first), "held 1");
    const second = racer(folder, "hold", SPACE);
    assert.match(await firstLine(second), /^Cannot use .*: process 1 \(on \S+, since \S+\) is using it, stop that one/);
    process.kill(first.pid!, "SIGKILL");
    await once(first, "close");
    const third = racer(folder, "hold", SPACE);
    assert.equal(await firstLine(third), "held 1");
    process.kill(third.pid!, "SIGKILL");
    await once(third, "close");
  }));
