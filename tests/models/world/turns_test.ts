import assert from "node:assert/strict";
import { test } from "node:test";
import { type Turn, Turns } from "../../../lib/models/world/turns.ts";

/** Work that the test ends. */
function steps(): { run: (name: string) => () => Promise<void>; end: () => Promise<string> } {
  const begun: { name: string; resolve: () => void }[] = [];
  let wake = (): void => {};
  return {
    run: (name) => () =>
      new Promise((resolve) => {
        begun.push({ name, resolve });
        wake();
      }),
    async end() {
      if (begun.length === 0) await new Promise<void>((resolve) => wake = resolve);
      const { name, resolve } = begun.shift()!;
      assert.equal(begun.length, 0, "one at a time");
      resolve();
      for (let i = 0; i < 9; i++) await Promise.resolve(); // whoever waits for it asks again
      return name;
    },
  };
}

// @row world-session > Worlds > One engine for all: each world as if it were alone
test("a long walk gives way to a short one after the block that it is in, and chains take turns", async () => {
  const [turns, { run, end }] = [new Turns(), steps()];
  const walk = async (name: string, blocks: number): Promise<void> => {
    for (let i = 1; i <= blocks; i++) await turns.run(undefined, run(name + i));
  };
  const all = [walk("a", 6)];
  const order = [await end()];
  all.push(walk("b", 1), walk("c", 3));
  for (let i = 0; i < 9; i++) order.push(await end());
  await Promise.all(all);
  assert.equal(order.join(" "), "a1 a2 b1 c1 a3 c2 a4 c3 a5 a6");
});

test("one that is given up while it waits leaves its place, and one that fails gives it on", async () => {
  const [turns, { run, end }] = [new Turns(), steps()];
  const abort = new AbortController();
  const first = assert.rejects(turns.run(undefined, () => run("a")().then(() => Promise.reject(new Error("broken")))));
  const left = assert.rejects(turns.run(abort.signal, run("b")), { message: "enough" });
  const last = turns.run(undefined, run("c"));
  abort.abort(new Error("enough"));
  await left;
  assert.deepEqual([await end(), await end()], ["a", "c"]);
  await Promise.all([first, last]);
  await assert.rejects(turns.run(AbortSignal.abort(new Error("before")), run("d")), { message: "before" });
});

/** Work of `count` steps of half a second each, which passes its turn on where it is wanted. */
function long(count: number, at: { now: number }, log: string[], name: string): (turn: Turn) => Promise<void> {
  return async (turn) => {
    for (let step = 0; step < count; step++) {
      log.push(`${name}${step}`);
      at.now += 500;
      await Promise.resolve();
      if (turn.isWanted) await turn.pass();
    }
  };
}

test("work of a thousand steps gives its turn to whoever waits, after a second, and continues after it", async () => {
  const at = { now: 0 };
  const log: string[] = [];
  const turns = new Turns(() => at.now);
  const all = [turns.run(undefined, long(1000, at, log, "a"))];
  await Promise.resolve();
  all.push(turns.run(undefined, long(3, at, log, "b")));
  await Promise.all(all);
  assert.deepEqual(log.slice(0, 7), ["a0", "a1", "b0", "b1", "a2", "a3", "b2"]);
  assert.equal(log.length, 1003);
  await turns.run(undefined, () => Promise.resolve()); // it is nobody's now
});

test("work that is given up while it has passed its turn on leaves the turn to whoever has it", async () => {
  const at = { now: 0 };
  const log: string[] = [];
  const turns = new Turns(() => at.now);
  const abort = new AbortController();
  const first = turns.run(abort.signal, long(1000, at, log, "a"));
  const second = turns.run(undefined, async () => {
    abort.abort(new Error("left"));
    await assert.rejects(first, { message: "left" });
    log.push("b");
  });
  const third = turns.run(undefined, () => Promise.resolve(void log.push("c")));
  await Promise.all([second, third]);
  assert.deepEqual(log.slice(-2), ["b", "c"]);
  assert.ok(log.length < 10);
});

/** Work of five steps, which does those of its kind that wait with its own; those that come are invited after a step. */
function shared(log: string[], resting: Map<string, { left: number }>, name: string): (turn: Turn) => Promise<void> {
  return async (turn) => {
    const { company } = turn;
    const own = { left: 5 };
    const rest = async (wait: (isServed: () => boolean) => Promise<void>): Promise<void> => {
      resting.set(name, own);
      await wait(() => own.left > 0).finally(() => resting.delete(name));
    };
    for (;;) {
      while (own.left > 0 && company!.isCalling) await rest(company!.invite);
      if (own.left === 0) break;
      log.push([name, ...resting.keys()].sort().join(""));
      await Promise.resolve();
      for (const each of [own, ...resting.values()]) each.left--;
      if (own.left > 0 && turn.isWanted) await rest(turn.pass);
    }
    log.push(name.toUpperCase());
  };
}

test("work of one kind shares its turn with what comes, and each ends as soon as its steps are done", async () => {
  const [log, turns, resting] = [[] as string[], new Turns(() => 0), new Map<string, { left: number }>()];
  const run = (name: string) => turns.run(undefined, shared(log, resting, name), "size");
  const all = [run("a")];
  while (log.length < 2) await Promise.resolve();
  all.push(turns.run(undefined, () => Promise.resolve(void log.push("other"))), run("b"), run("c"));
  await Promise.all(all);
  assert.deepEqual(log, ["a", "a", "abc", "abc", "abc", "A", "bc", "bc", ...log.slice(-3)]);
  assert.deepEqual(log.slice(-3).sort(), ["B", "C", "other"]);
});

test("whoever waits beside work of one kind has the turn after a second, however much of that comes", async () => {
  const [log, resting, at] = [[] as string[], new Map<string, { left: number }>(), { now: 0 }];
  const turns = new Turns(() => at.now += 100);
  const run = (name: string) => turns.run(undefined, shared(log, resting, name), "size");
  const all = [run("a"), turns.run(undefined, () => Promise.resolve(void log.push("other")))];
  let last = Promise.resolve();
  for (const name of "bcdefghijklm") {
    last = last.then(() => run(name));
    all.push(last);
  }
  await Promise.all(all);
  assert.ok(log.indexOf("other") <= 20, log.join(" "));
  assert.equal(log.filter((step) => /^[A-Z]$/.test(step)).length, 13);
});

test("work that is given up while another of its kind does its steps leaves the turn to that", async () => {
  const [log, turns, resting] = [[] as string[], new Turns(() => 0), new Map<string, { left: number }>()];
  const abort = new AbortController();
  const first = turns.run(abort.signal, shared(log, resting, "a"), "size");
  const second = turns.run(undefined, shared(log, resting, "b"), "size");
  const left = assert.rejects(first, { message: "left" });
  while (!log.includes("ab")) await Promise.resolve();
  abort.abort(new Error("left"));
  await Promise.all([left, second]);
  assert.equal(log.at(-1), "B");
  await turns.run(undefined, () => Promise.resolve()); // it is nobody's now
});
