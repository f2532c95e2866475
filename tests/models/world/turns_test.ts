import assert from "node:assert/strict";
import { test } from "node:test";
import { Turns } from "../../../lib/models/world/shared_engine.ts";

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
