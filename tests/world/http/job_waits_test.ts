import assert from "node:assert/strict";
import { test } from "node:test";
import { LONGEST_WAIT, MAX_WAITING } from "../../../lib/world/http/job_routes.ts";
import { WorldClient } from "../../../lib/world/client/world_client.ts";
import { abortableWait } from "../../../lib/world/protocol/abortable_wait.ts";
import { text } from "../../support/fake_media.ts";
import { deferred, type HarnessOptions, type WorldHarness, worldHarness } from "../../support/world_harness.ts";

const SOURCE = text("image 64 32 7");

/** A walk that stays at its first block until the work continues it. */
async function withHeldWalk(
  work: (h: WorldHarness, path: string, goOn: () => void) => Promise<void>,
  options: HarnessOptions = {},
): Promise<void> {
  const h = await worldHarness(options);
  const gate = deferred();
  try {
    await h.session.setSource(SOURCE);
    const begun = deferred();
    h.model.gate = gate.promise;
    h.model.onGenerate = begun.resolve;
    const { jobId } = await h.rollout();
    await begun.promise;
    await work(h, `/v1/world/jobs/${jobId}`, gate.resolve);
    gate.resolve();
    await h.ended({ jobId });
  } finally {
    gate.resolve();
    h.stop();
    await h.close();
  }
}

/** The tag of a job, which has settled. */
async function tagOf(h: WorldHarness, path: string): Promise<string> {
  const tag = (await h.call("GET", path)).headers.get("etag");
  assert.match(tag ?? "", /^"[^"]+"$/);
  return tag!;
}

const held = (tag: string, seconds: number | string = 5) => ({
  headers: { "if-none-match": tag, prefer: `respond-async, wait=${seconds}` },
});

test("a request that prefers to wait is answered when the job has changed", () =>
  withHeldWalk(async (h, path, goOn) => {
    const tag = await tagOf(h, path);
    const waiting = h.call("GET", path, held(tag));
    const early = await Promise.race([waiting, h.call("GET", "/health")]);
    assert.match(await early.text(), /world\.health/);
    goOn();
    const answer = await waiting;
    assert.equal(answer.status, 200);
    assert.notEqual(answer.headers.get("etag"), tag);
    assert.equal((await answer.json()).object, (await (await h.call("GET", path)).json()).object);
  }, { wait: abortableWait }));

test("a request is not held for another state, without a preference, or for a job that has ended", async () => {
  const never = () => new Promise<void>(() => {});
  await withHeldWalk(async (h, path, goOn) => {
    const tag = await tagOf(h, path);
    assert.equal((await h.call("GET", path, held('"another"'))).status, 200);
    assert.equal((await h.call("GET", path, { headers: { prefer: "wait=5" } })).status, 200);
    assert.equal((await h.call("GET", path, { headers: { "if-none-match": tag } })).status, 304);
    for (const wait of ["0", "-1", "x", "", "1.5"]) {
      assert.equal((await h.call("GET", path, held(tag, wait))).status, 304, wait);
    }
    goOn();
    await h.ended({ jobId: path.split("/").at(-1)! });
    const last = await tagOf(h, path);
    const unchanged = await h.call("GET", path, held(last));
    assert.equal(unchanged.status, 304);
    assert.equal(await unchanged.text(), "");
  }, { wait: never });
});

test("a request waits for the time that it prefers, and no longer than the server allows", async () => {
  const waits: number[] = [];
  const wait = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
  await withHeldWalk(async (h, path) => {
    const tag = await tagOf(h, path);
    for (const seconds of [3, 999_999]) assert.equal((await h.call("GET", path, held(tag, seconds))).status, 304);
  }, { wait });
  assert.deepEqual(waits, [3000, 1000 * LONGEST_WAIT]);
});

test("only so many requests wait at a time, and each gives its place back", async () => {
  await withHeldWalk(async (h, path, goOn) => {
    const tag = await tagOf(h, path);
    const waiting = Array.from({ length: MAX_WAITING }, () => h.call("GET", path, held(tag)));
    assert.equal((await h.call("GET", path, held(tag))).status, 304);
    goOn();
    assert.deepEqual([...new Set((await Promise.all(waiting)).map(({ status }) => status))], [200]);
  }, { wait: abortableWait });
});

test("a client that follows a job asks once for each change", async () => {
  await withHeldWalk(async (h, path, goOn) => {
    let asked = 0;
    const client = new WorldClient("http://127.0.0.1:1", {
      fetch: (request) => {
        asked++;
        return h.app(request, "127.0.0.1");
      },
      wait: () => Promise.reject(new Error("it waits by itself")),
    });
    let seen = 0;
    const last = await client.awaitJob(path.split("/").at(-1)!, {
      onProgress: () => {
        if (++seen === 1) goOn();
      },
    });
    assert.equal(last.status, "completed");
    assert.equal(asked, seen);
  }, { wait: abortableWait });
});
