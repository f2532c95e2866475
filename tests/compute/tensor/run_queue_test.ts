import assert from "node:assert/strict";
import { test } from "node:test";
import { RunQueue } from "../../../lib/compute/tensor/device.ts";

test("RunQueue handles what arrives between jobs that never leave the thread", async () => {
  let now = 0;
  const queue = new RunQueue(() => now);
  const { port1, port2 } = new MessageChannel();
  let isAsked = false;
  port1.onmessage = () => isAsked = true;
  port2.postMessage("from another thread");
  let jobs = 0;
  for (; !isAsked; jobs++) {
    await queue.add(() => {
      now += 60;
      return Promise.resolve();
    });
    assert.ok(jobs < 1000, "no message has been handled");
  }
  port1.close();
});
