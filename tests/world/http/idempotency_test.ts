import assert from "node:assert/strict";
import { test } from "node:test";
import type { JournalFile } from "../../../lib/world/session/journal/world_journal.ts";
import { AnswerFile } from "../../../lib/world/session/journal/answer_file.ts";
import { createWorldApp } from "../../../lib/world/http/world_app.ts";
import { promptAccess } from "../../support/prompt_access.ts";
import { text } from "../../support/fake_media.ts";
import {
  errorOf,
  type HarnessOptions,
  ROLLOUT,
  transition,
  type WorldHarness,
  worldHarness,
} from "../../support/world_harness.ts";

const SESSION = "/v1/world/session";
const image = (colour: number) => ({ headers: { "content-type": "image/png" }, body: text(`image 64 32 ${colour}`) });

async function withWorld(work: (h: WorldHarness) => Promise<void>, options: HarnessOptions = {}): Promise<void> {
  const harness = await worldHarness(options);
  try {
    await harness.session.setSource(text("image 64 32 7"));
    await work(harness);
  } finally {
    await harness.close();
  }
}

const keyed = (key: string, json?: unknown) => ({
  headers: { "idempotency-key": key },
  ...(json === undefined ? {} : { json }),
});

async function ended(h: WorldHarness, id: string): Promise<void> {
  while (h.session.job(id).active) await new Promise((resolve) => setTimeout(resolve, 1));
}

async function refused(response: Response, status: number, code: string): Promise<void> {
  const error = await errorOf(response);
  assert.deepEqual([response.status, error.code], [status, code], error.message);
}

// @row world-session > Worlds > `Idempotency-Key` on every mutating route
test("a move that is sent again with its key is not made again, even while it runs and long after", () =>
  withWorld(async (h) => {
    const first = await h.call("POST", `${SESSION}/rollouts`, keyed("k1", ROLLOUT));
    assert.deepEqual([first.status, first.headers.get("idempotency-replayed")], [202, null]);
    const body = await first.text();
    const again = await h.call("POST", `${SESSION}/rollouts`, keyed("k1", ROLLOUT));
    assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [202, "true"]);
    assert.equal(again.headers.get("location"), first.headers.get("location"));
    assert.equal(again.headers.get("content-type"), first.headers.get("content-type"));
    assert.notEqual(again.headers.get("x-request-id"), first.headers.get("x-request-id"));
    assert.equal(await again.text(), body);
    await ended(h, JSON.parse(body).job_id);
    for (let i = 0; i < 3; i++) await h.walk();
    assert.equal(await (await h.call("POST", `${SESSION}/rollouts`, keyed("k1", ROLLOUT))).text(), body);
    assert.equal(h.session.snapshot().transitionCount, 4);
  }));

// @row world-session > Worlds > `Idempotency-Key` on every mutating route
test("requests with one key that come together do one thing", () =>
  withWorld(async (h) => {
    const send = () => h.call("POST", `${SESSION}/transitions`, keyed("k", transition("forward")));
    const responses = await Promise.all([send(), send(), send(), send()]);
    const bodies = await Promise.all(responses.map((response) => response.text()));
    assert.deepEqual(bodies, Array(4).fill(bodies[0]));
    assert.deepEqual(responses.map(({ status }) => status), [202, 202, 202, 202]);
    assert.equal(responses.filter(({ headers }) => headers.has("idempotency-replayed")).length, 3);
    await ended(h, JSON.parse(bodies[0]).job_id);
    assert.equal(h.session.snapshot().transitionCount, 1);
  }));

// @row world-session > Worlds > `Idempotency-Key` on every mutating route
test("a key with another request is 409: another body, longer or shorter, another path, another method", () =>
  withWorld(async (h) => {
    await h.call("POST", `${SESSION}/checkpoints`, keyed("k", { name: "door" })).then((r) => r.body?.cancel());
    await h.call("POST", `${SESSION}/prepare`);
    const made = await h.call("POST", `${SESSION}/checkpoints`, keyed("k", { name: "door" }));
    assert.equal(made.status, 201);
    const { checkpoint_id } = await made.json();
    for (const name of ["doors", "doo", "dooR", "x".repeat(150)]) {
      const response = await h.call("POST", `${SESSION}/checkpoints`, keyed("k", { name }));
      await refused(response, 409, "idempotency_key_reused");
    }
    await refused(await h.call("POST", `${SESSION}/rollouts`, keyed("k", ROLLOUT)), 409, "idempotency_key_reused");
    const other = await h.call("DELETE", `${SESSION}/checkpoints/${checkpoint_id}`, keyed("k"));
    await refused(other, 409, "idempotency_key_reused");
    assert.equal(h.session.checkpoints().length, 1);
  }));

test("what was refused is processed again, with the same key and another body", () =>
  withWorld(async (h) => {
    h.model.gate = new Promise(() => {});
    const running = await h.rollout();
    await refused(await h.call("POST", `${SESSION}/rollouts`, keyed("k", ROLLOUT)), 409, "session_busy");
    h.session.cancel(running.jobId);
    await h.ended(running);
    h.model.gate = undefined;
    await refused(await h.call("POST", `${SESSION}/rollouts`, keyed("k", { prompt: 7 })), 400, "missing_field");
    assert.equal((await h.call("POST", `${SESSION}/rollouts`, keyed("k", ROLLOUT))).status, 202);
    const open = (name: string) => h.call("POST", "/v1/worlds", keyed("w", { name }));
    await refused(await open("a"), 429, "too_many_worlds");
    await refused(await open("b"), 429, "too_many_worlds");
  }, { maxWorlds: 1 }));

// @row world-session > Worlds > `Idempotency-Key` on every mutating route
test("every route that changes something takes a key: images, resets without a body, deletions, worlds", () =>
  withWorld(async (h) => {
    const upload = (colour: number) => {
      const { headers, body } = image(colour);
      return h.call("POST", `${SESSION}/source`, { headers: { ...headers, "idempotency-key": "s" }, body });
    };
    const source = await (await upload(9)).json();
    assert.deepEqual(await (await upload(9)).json(), source);
    await refused(await upload(8), 409, "idempotency_key_reused");
    for (const path of ["reset", "prepare", "unload"]) {
      const answers = [];
      for (let i = 0; i < 2; i++) answers.push(await h.call("POST", `${SESSION}/${path}`, keyed(path)));
      assert.deepEqual(answers.map(({ headers }) => headers.get("idempotency-replayed")), [null, "true"], path);
    }
    const opened = await (await h.call("POST", "/v1/worlds", keyed("w", { name: "a" }))).json();
    assert.deepEqual(await (await h.call("POST", "/v1/worlds", keyed("w", { name: "a" }))).json(), opened);
    assert.equal(h.worlds.list().length, 2);
    // Another world has keys of its own.
    const there = new Request(`http://localhost:8791/worlds/${opened.world_id}${SESSION}/reset`, {
      method: "POST",
      headers: { "idempotency-key": "reset" },
    });
    assert.equal((await h.app(there, "127.0.0.1")).headers.get("idempotency-replayed"), null);
    for (let i = 0; i < 2; i++) {
      const gone = await h.call("DELETE", `/v1/worlds/${opened.world_id}`, keyed("d"));
      assert.deepEqual([gone.status, (await gone.json()).world_id], [200, opened.world_id]);
    }
  }));

test("keys are checked, bound in number and age, and mean nothing on reads", () => {
  let time = 0;
  return withWorld(async (h) => {
    for (const key of ["", "a b", "ä", "x".repeat(256)]) {
      const response = await h.call("POST", `${SESSION}/reset`, keyed(key));
      await refused(response, 400, "invalid_idempotency_key");
    }
    assert.equal((await h.call("POST", `${SESSION}/reset`, keyed("!~".repeat(127)))).status, 200);
    const replayed = async (key: string) =>
      (await h.call("POST", `${SESSION}/reset`, keyed(key))).headers.has("idempotency-replayed");
    assert.equal(await replayed("first"), false);
    for (let i = 0; i < 999; i++) await replayed(`n${i}`);
    assert.equal(await replayed("first"), true);
    await replayed("one-more");
    assert.equal(await replayed("first"), false);
    time += 24 * 60 * 60 * 1000;
    assert.equal(await replayed("one-more"), false);
    assert.equal((await h.call("GET", SESSION, keyed("first"))).headers.has("idempotency-replayed"), false);
  }, { now: () => time });
});

/** A file in memory, as a process that is killed leaves it. */
function memoryFile(): JournalFile & { bytes: Uint8Array<ArrayBuffer>; writes: number; fails: boolean } {
  const file = {
    bytes: new Uint8Array(),
    writes: 0,
    fails: false,
    read: () => Promise.resolve(file.bytes.slice()),
    append: (bytes: Uint8Array) => file.replace(new Uint8Array([...file.bytes, ...bytes])),
    replace(bytes: Uint8Array) {
      file.writes++;
      if (file.fails) return Promise.reject(new Error("the disk is full"));
      file.bytes = new Uint8Array(bytes);
      return Promise.resolve();
    },
    setAside: () => Promise.resolve(),
  };
  return file;
}

// @row world-session > Worlds > `Idempotency-Key` on every mutating route
test("answers outlive their process, wherever it is killed; a world that was begun is the same world", () =>
  withWorld(async (h) => {
    const file = memoryFile();
    let now = 1000;
    let ids = 0;
    const start = async () => {
      const answers = await AnswerFile.open(file);
      return createWorldApp({
        worlds: h.worlds,
        access: promptAccess({}),
        version: "1.2.3",
        newId: () => `10000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
        now: () => now,
        answers,
      });
    };
    const open = async (app: Awaited<ReturnType<typeof start>>, key: string, name: string) => {
      const init = {
        method: "POST",
        headers: { "idempotency-key": key, "content-type": "application/json" },
        body: JSON.stringify({ name }),
      };
      return await app(new Request("http://localhost:8791/v1/worlds", init), "127.0.0.1");
    };
    const first = await open(await start(), "k", "ä");
    const body = await first.text();
    assert.equal(first.status, 201, body);
    const whole = file.bytes;
    // Its first record says which world it is going to be, its second one holds the answer.
    for (let length = 0; length <= whole.length + 30; length += 31) {
      file.bytes = whole.slice(0, length);
      const { found } = await AnswerFile.open(file);
      assert.ok(found.every(({ key }) => key === "k"));
      if (found.length === 0) continue;
      const app = await start();
      await refused(await open(app, "k", "before"), 409, "idempotency_key_reused");
      const again = await open(app, "k", "ä");
      assert.equal(await again.text(), body, `cut at ${length}`);
      assert.equal(again.headers.get("idempotency-replayed"), found.length > 1 ? "true" : null);
      await refused(await open(app, "k", "other"), 409, "idempotency_key_reused");
    }
    assert.equal(h.worlds.list().length, 2);
    const app = await start();
    file.fails = true;
    assert.equal((await open(app, "full", "a")).status, 201, "a disk that is full refuses nothing that is done");
    file.fails = false;
    const { world_id } = await (await open(app, "full", "a")).json();
    assert.equal((await (await open(await start(), "next", "b")).json()).name, "b");
    now += 24 * 60 * 60 * 1000;
    assert.notEqual((await (await open(await start(), "k", "c")).json()).world_id, JSON.parse(body).world_id);
    assert.equal(h.worlds.list().filter((world) => world.worldId === world_id).length, 1);
  }, { maxWorlds: 20 }));

test("answers are rewritten before their file has grown large, and hold what is still to be kept", async () => {
  const file = memoryFile();
  const store = await AnswerFile.open(file);
  const kept: Parameters<AnswerFile["keep"]>[0][] = [];
  for (let i = 0; i < 14; i++) {
    const body = new Uint8Array(100_000).fill(i);
    kept.push({ key: `k${i}`, at: i, target: "POST /", digest: "1", answer: { status: 202, headers: [], body } });
    if (kept.length > 3) kept.shift();
    await store.keep(kept.at(-1)!, () => kept);
  }
  assert.ok(file.bytes.length < 2e6, String(file.bytes.length));
  const { found } = await AnswerFile.open(file);
  assert.deepEqual(found.slice(-3), kept);
  for (let i = 0; i < 2; i++) {
    const at = (i + 1) * 345_677 % file.bytes.length;
    const damaged = { ...file, read: () => Promise.resolve(file.bytes.with(at, file.bytes[at] ^ 255)) };
    assert.ok((await AnswerFile.open(damaged)).found.length < found.length, `byte ${at}`);
  }
});
