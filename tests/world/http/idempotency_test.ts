import assert from "node:assert/strict";
import { test } from "node:test";
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
    assert.equal(h.session.snapshot().transition_count, 4);
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
    assert.equal(h.session.snapshot().transition_count, 1);
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

test("what was refused is looked at anew, with the same key and another body", () =>
  withWorld(async (h) => {
    h.model.gate = new Promise(() => {});
    const running = await h.rollout();
    await refused(await h.call("POST", `${SESSION}/rollouts`, keyed("k", ROLLOUT)), 409, "session_busy");
    h.session.cancel(running.job_id);
    await h.ended(running);
    h.model.gate = undefined;
    await refused(await h.call("POST", `${SESSION}/rollouts`, keyed("k", { prompt: 7 })), 400, "missing_field");
    assert.equal((await h.call("POST", `${SESSION}/rollouts`, keyed("k", ROLLOUT))).status, 202);
  }));

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
