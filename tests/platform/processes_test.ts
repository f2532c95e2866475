import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { thisMachine } from "../../lib/platform/processes/processes.ts";

test("thisMachine finds this process and none of a number that is too large", () => {
  assert.equal(thisMachine.pid, process.pid);
  assert.equal(thisMachine.isRunning(process.pid), true);
  assert.equal(thisMachine.isRunning(2 ** 30), false);
});

test("thisMachine reports an ended process as ended, even if its status was never read", {
  skip: process.platform !== "linux",
}, async () => {
  // The shell becomes a program that asks nothing of its child.
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "inherit"] });
  const says = async (file: string, text: string) => {
    while (!readFileSync(file, "latin1").includes(text)) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  try {
    const [line] = await once(createInterface({ input: parent.stdout }), "line");
    const pid = Number(line);
    await says(`/proc/${parent.pid}/comm`, "sleep");
    assert.equal(thisMachine.isRunning(pid), true);
    process.kill(pid, "SIGKILL");
    await says(`/proc/${pid}/stat`, ") Z ");
    assert.equal(process.kill(pid, 0), true); // what makes it look alive
    assert.equal(thisMachine.isRunning(pid), false);
  } finally {
    parent.kill("SIGKILL");
  }
});
