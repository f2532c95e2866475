import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadWriteLock } from "../../lib/scheduling/read_write_lock.ts";
import { WaitQueue } from "../../lib/scheduling/wait_queue.ts";
import { settle } from "../support/fake_clock.ts";

const never = new AbortController().signal;

test("WaitQueue admits in the order of arrival and lets those that abort leave", async () => {
  let left = 0;
  const line = new WaitQueue<string>(() => left++);
  const told: string[] = [];
  const abort = new AbortController();
  for (const [name, signal] of [["a", never], ["b", abort.signal], ["c", never]] as const) {
    void line.wait(name, signal).then(() => told.push(name), (error) => told.push(`${name} ${error}`));
  }
  abort.abort("gone");
  assert.deepEqual([line.items(), left], [["a", "c"], 1]);
  line.admitNext();
  line.rejectAll("closed");
  await settle();
  assert.deepEqual(told, ["b gone", "a", "c closed"]);
  assert.equal(line.length, 0);
});

test("WaitQueue.wait() refuses a client that has already left", async () => {
  const line = new WaitQueue<string>(() => assert.fail("nobody left"));
  await assert.rejects(line.wait("a", AbortSignal.abort(new Error("gone"))), /gone/);
  assert.equal(line.length, 0);
});

/** A gate with a log of what is inside; `open(name)` lets work end. */
function gateWithLog() {
  const gate = new ReadWriteLock();
  const inside = new Set<string>();
  const doors = new Map<string, () => void>();
  const enter = (name: string, exclusive: () => boolean, signal: AbortSignal = never) =>
    gate.run({ signal, exclusive }, async () => {
      inside.add(name);
      await new Promise<void>((resolve) => doors.set(name, resolve));
      inside.delete(name);
    });
  const leave = async (name: string) => {
    doors.get(name)!();
    await settle();
  };
  const names = async () => {
    await settle();
    return [...inside].join(" ");
  };
  return { enter, leave, names };
}

test("ReadWriteLock lets work pass side by side and keeps what must be exclusive exclusive, without overtaking", async () => {
  const { enter, leave, names } = gateWithLog();
  const all = ["s1", "s2", "x1", "s3", "x2"].map((name) => enter(name, () => name.startsWith("x")));
  assert.equal(await names(), "s1 s2");
  await leave("s1");
  assert.equal(await names(), "s2");
  await leave("s2");
  assert.equal(await names(), "x1");
  await leave("x1");
  assert.equal(await names(), "s3");
  await leave("s3");
  assert.equal(await names(), "x2");
  await leave("x2");
  await Promise.all(all);
});

test("ReadWriteLock lets others pass when work that would be exclusive gives up", async () => {
  const { enter, leave, names } = gateWithLog();
  const abort = new AbortController();
  const first = enter("s1", () => false);
  const given = assert.rejects(enter("x1", () => true, abort.signal), /gone/);
  const last = enter("s2", () => false);
  assert.equal(await names(), "s1");
  abort.abort(new Error("gone"));
  await given;
  assert.equal(await names(), "s1 s2");
  await leave("s1");
  await leave("s2");
  await Promise.all([first, last]);
});

test("ReadWriteLock asks whether work must be exclusive when its turn comes", async () => {
  const { enter, leave, names } = gateWithLog();
  let cold = true;
  const work = [enter("x", () => true), enter("a", () => cold), enter("b", () => cold)];
  await settle();
  cold = false;
  await leave("x");
  assert.equal(await names(), "a b");
  await leave("a");
  await leave("b");
  await Promise.all(work);
});

test("ReadWriteLock opens again after work that fails", async () => {
  const gate = new ReadWriteLock();
  const exclusive = { signal: never, exclusive: () => true };
  await assert.rejects(gate.run(exclusive, () => Promise.reject(new Error("no"))), /no/);
  assert.equal(await gate.run(exclusive, () => Promise.resolve(1)), 1);
});
