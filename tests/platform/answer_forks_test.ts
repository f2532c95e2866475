import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answerForks } from "../../lib/platform/processes/answer_forks.ts";
import { isRefused } from "../../lib/platform/sockets/is_refused.ts";
import { listen } from "../../lib/platform/sockets/listen.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** Deno's modules of Node cannot be replaced for others that have imported them. */
const isDeno = "Deno" in globalThis;

/** A child that says what it is asked to, and exits with a code. */
const CHILD = (code: number): string => `
process.on("message", ({ type }) => {
  if (type === "start") process.send({ type: "loaded", from: "child" });
  else if (type === "test") process.send({ type: "done" });
  else process.exit(${code});
});
process.send({ type: "ready" });
`;

/** Talks with a child as a library does that tests whether a build works. */
function talk(module: string): Promise<{ said: unknown[]; code: number | null }> {
  const child = fork(module, []);
  const said: unknown[] = [];
  return new Promise((resolve) => {
    const next: Readonly<Record<string, string>> = { ready: "start", loaded: "test", done: "exit" };
    child.on("message", (message: { type: string; from?: string }) => {
      said.push(message.from ?? message.type);
      child.send({ type: next[message.type], path: "p" });
    });
    child.on("exit", (code) => resolve({ said, code }));
  });
}

const answered = {
  module: "test_child.cjs",
  ready: { type: "ready" },
  answers: { start: { type: "loaded" }, test: { type: "done" } },
  exit: "exit",
};

test("answerForks() answers for a child whose answers are known", { skip: isDeno }, async () => {
  await withFolder(async (folder) => {
    const module = join(folder, "test_child.cjs"); // there is no such file: nothing is started
    const seen: unknown[] = [];
    const how = {
      ...answered,
      isKnown: (first: unknown) => Promise.resolve(seen.push(first) > 0),
      onDone: () => assert.fail("started"),
    };
    const { said, code } = await answerForks(how, () => talk(module));
    assert.deepEqual(said, ["ready", "loaded", "done"]);
    assert.equal(code, 0);
    assert.deepEqual(seen, [{ type: "start", path: "p" }]);
  });
});

test("answerForks() starts a child that is not known, and says when it has passed", { skip: isDeno }, async () => {
  await withFolder(async (folder) => {
    for (const expected of [0, 3]) {
      const module = join(folder, "test_child.cjs");
      writeFileSync(module, CHILD(expected));
      const passed: unknown[] = [];
      const how = {
        ...answered,
        isKnown: () => Promise.resolve(false),
        onDone: (first: unknown) => void passed.push(first),
      };
      const { said, code } = await answerForks(how, () => talk(module));
      assert.deepEqual(said, ["ready", "child", "done"]);
      assert.equal(code, expected);
      assert.deepEqual(passed, expected === 0 ? [{ type: "start", path: "p" }] : []);
    }
  });
});

test("answerForks() leaves other forks alone, and all of them afterwards", async () => {
  await withFolder(async (folder) => {
    const module = join(folder, "other_child.cjs");
    writeFileSync(module, CHILD(0));
    const how = { ...answered, isKnown: () => assert.fail("asked"), onDone: () => assert.fail("started") };
    assert.deepEqual((await answerForks(how, () => talk(module))).said, ["ready", "child", "done"]);
    await assert.rejects(answerForks(how, () => Promise.reject(new Error("it failed"))), /it failed/);
    const known = join(folder, "test_child.cjs");
    writeFileSync(known, CHILD(0));
    assert.deepEqual((await talk(known)).said, ["ready", "child", "done"]);
  });
});

test("isRefused() is true only where nothing listens on this machine", async () => {
  const server = await listen(() => Promise.resolve(new Response()), { host: "127.0.0.1", port: 0 });
  const { url } = server;
  assert.equal(await isRefused(url), false);
  await server.close(0);
  assert.equal(await isRefused(url), !isDeno);
  for (const other of ["https://127.0.0.1:9", "http://svc.invalid:9", "nothing"]) {
    assert.equal(await isRefused(other), false);
  }
});
