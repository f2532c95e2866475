import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { WorldRecord } from "../../../lib/world/protocol/world_record.ts";
import { WorldClient } from "../../../lib/world/client/world_client.ts";
import { baseOf } from "../../../world-page/session/page_base.ts";
import { pageHtml } from "../../../world-page/generated.ts";
import { text } from "../../support/fake_media.ts";
import { errorOf, type HarnessOptions, ROLLOUT, type WorldHarness, worldHarness } from "../../support/world_harness.ts";
import { toWire, type Wire } from "../../../lib/json/wire_form.ts";

const SOURCE = { headers: { "content-type": "image/png" }, body: text("image 64 32 7") };
const UNKNOWN = "ffffffff-0000-4000-8000-000000000000";

async function withServer(work: (h: WorldHarness) => Promise<void>, options: HarnessOptions = {}): Promise<void> {
  const harness = await worldHarness(options);
  try {
    await work(harness);
  } finally {
    await harness.close();
  }
}

/** A call below a world's path, which the API description has without it. */
async function ask(h: WorldHarness, method: string, path: string, init: RequestInit = {}): Promise<Response> {
  return await h.app(new Request(`http://localhost:8791${path}`, { method, ...init }), "127.0.0.1");
}

async function open(h: WorldHarness, json: unknown = {}): Promise<Wire<WorldRecord>> {
  const response = await h.call("POST", "/v1/worlds", { json });
  assert.equal(response.status, 201);
  return await response.json();
}

async function refused(response: Response, status: number, code: string): Promise<void> {
  const error = await errorOf(response);
  assert.deepEqual([response.status, error.code], [status, code], error.message);
}

// @row world-session > Worlds > `POST /v1/worlds`, `GET /v1/worlds`, `GET`, `DELETE /v1/worlds/{id}`
test("a server has one world from the start, opens others, lists and deletes them", () =>
  withServer(async (h) => {
    const [first] = (await (await h.call("GET", "/v1/worlds")).json()).data;
    assert.deepEqual([first.default, first.phase], [true, "cold"]);
    const response = await h.call("POST", "/v1/worlds", { json: { name: "attic", pool: "gpu-1" } });
    assert.equal(response.status, 201);
    const attic: Wire<WorldRecord> = await response.json();
    assert.equal(response.headers.get("location"), `/v1/worlds/${attic.world_id}`);
    assert.deepEqual([attic.name, attic.pool, attic.default, attic.path], [
      "attic",
      "gpu-1",
      false,
      `/worlds/${attic.world_id}/`,
    ]);
    const bare = await (await h.call("POST", "/v1/worlds")).json();
    const list = await (await h.call("GET", "/v1/worlds")).json();
    assert.deepEqual([list.object, list.data], ["list", [first, attic, bare]]);
    assert.deepEqual(await (await h.call("GET", `/v1/worlds/${attic.world_id.toUpperCase()}`)).json(), attic);
    const deleted = await h.call("DELETE", `/v1/worlds/${attic.world_id}`);
    assert.deepEqual([deleted.status, await deleted.json()], [200, attic]);
    await refused(await h.call("GET", `/v1/worlds/${attic.world_id}`), 404, "world_not_found");
    await refused(await h.call("DELETE", `/v1/worlds/${attic.world_id}`), 404, "world_not_found");
    await refused(await h.call("DELETE", `/v1/worlds/${first.world_id}`), 409, "default_world");
    await refused(await h.call("GET", "/v1/worlds/7"), 400, "invalid_world_id");
  }));

// @row world-session > Worlds > Every route below `/worlds/{id}`; the old paths mean the first world
test("worlds keep apart: images, moves, checkpoints, files; the paths without an id mean the first", () =>
  withServer(async (h) => {
    const [one, two] = [await open(h), await open(h)];
    const [a, b] = [one, two].map(({ path }) => path.slice(0, -1));
    await h.call("POST", "/v1/world/session/source", SOURCE);
    assert.equal((await ask(h, "POST", `${a}/v1/world/session/source`, SOURCE)).status, 200);
    const move = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(ROLLOUT) };
    await refused(await ask(h, "POST", `${b}/v1/world/session/rollouts`, move), 400, "source_required");
    const accepted = await ask(h, "POST", `${a}/v1/world/session/rollouts`, move);
    const location = accepted.headers.get("location")!;
    assert.match(location, new RegExp(`^${a}/v1/world/jobs/[0-9a-f-]{36}$`));
    const { job_id } = await accepted.json();
    const { session } = h.worlds.get(one.world_id);
    while (session.job(job_id).active) await new Promise((resolve) => setTimeout(resolve, 1));
    const record = await (await ask(h, "GET", location)).json();
    assert.equal(record.status, "completed");
    assert.equal((await ask(h, "GET", a + record.chunks[0].media_path)).status, 200);
    await refused(await h.call("GET", `/v1/world/jobs/${job_id}`), 404, "job_not_found");
    await refused(await ask(h, "GET", `${b}/v1/world/jobs/${job_id}`), 404, "job_not_found");
    assert.equal(
      (await ask(h, "POST", `${a}/v1/world/session/checkpoints`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: `{"name":"x"}`,
      })).status,
      201,
    );
    assert.equal(h.session.snapshot().transitionCount, 0);
    assert.ok(existsSync(join(h.folder, "worlds", one.world_id, "rollout-0002.mp4")));
    const health = await (await ask(h, "GET", `${a}/health`)).json();
    assert.deepEqual([health.object, health.phase], ["world.health", "ready"]);
    assert.equal((await (await ask(h, "GET", `${b}/health`)).json()).phase, "cold");
    await refused(await ask(h, "GET", `/worlds/${UNKNOWN}/health`), 404, "world_not_found");
    const same = await (await ask(h, "GET", "/worlds/default/v1/world/session")).json();
    assert.deepEqual(same, toWire(h.session.snapshot()));
    await h.call("DELETE", `/v1/worlds/${one.world_id}`);
    assert.equal(existsSync(join(h.folder, "worlds", one.world_id)), false);
    await refused(await ask(h, "GET", location), 404, "world_not_found");
  }));

// @row world-session > Worlds > 429 `too_many_worlds` beyond `--max-worlds`
test("there are never more worlds than the limit, however they are asked for", () =>
  withServer(async (h) => {
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => h.call("POST", "/v1/worlds", { json: {} })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 429, 429, 429]);
    const refusal = responses.find(({ status }) => status === 429)!;
    assert.equal(refusal.headers.get("retry-after"), "60");
    await refused(refusal, 429, "too_many_worlds");
    const { data } = await (await h.call("GET", "/v1/worlds")).json();
    assert.equal(data.length, 3);
    await h.call("DELETE", `/v1/worlds/${data[1].world_id}`);
    await open(h);
  }, { maxWorlds: 3 }));

test("bodies and ids of worlds are checked, after the key", () =>
  withServer(async (h) => {
    const key = { authorization: "Bearer 0123456789abcdef" };
    const wrong: [json: unknown, code: string][] = [
      [{ name: "" }, "invalid_name"],
      [{ name: "x".repeat(201) }, "invalid_name"],
      [{ name: 7 }, "wrong_type"],
      [{ pool: "Not a pool" }, "invalid_pool"],
      [{ names: "x" }, "unknown_field"],
      [[], "invalid_json"],
    ];
    for (const [json, code] of wrong) {
      await refused(await h.call("POST", "/v1/worlds", { json, headers: key }), 400, code);
    }
    for (const id of [UNKNOWN, "x", "..%2f..", "%00"]) {
      const path = `/worlds/${id}/v1/world/session`;
      await refused(await ask(h, "GET", path), 401, "missing_api_key");
      await refused(await ask(h, "GET", path, { headers: key }), 404, "world_not_found");
    }
  }, { apiKey: "0123456789abcdef" }));

// @row world-session > Worlds > A deleted world ends what it does
test("a world that is deleted cancels its job and ends its event streams, and no others", () =>
  withServer(async (h) => {
    const { world_id, path } = await open(h);
    const streams = await Promise.all(
      [path, "/"].map(async (base) => (await ask(h, "GET", `${base}v1/world/events`)).body!.getReader()),
    );
    for (const stream of streams) await stream.read();
    await ask(h, "POST", `${path}v1/world/session/source`, SOURCE);
    const { session } = h.worlds.get(world_id);
    const { jobId: job_id } = await session.startRollout(ROLLOUT);
    await h.call("DELETE", `/v1/worlds/${world_id}`);
    assert.equal(session.job(job_id).active, false);
    while (!(await streams[0].read()).done);
    await h.call("POST", "/v1/world/session/source", SOURCE);
    assert.match(new TextDecoder().decode((await streams[1].read()).value), /event: snapshot/);
    await streams[1].cancel();
  }));

// @row world-session > Worlds > The page, `Location` and `WorldClient` below any path
test("the page of a world asks for its files and its world below its own path", async () => {
  const page = { html: pageHtml, script: "s", style: "c", icon: "i" };
  await withServer(async (h) => {
    const { path } = await open(h);
    for (const base of ["/", path]) {
      const html = await (await ask(h, "GET", base)).text();
      const files = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, file]) => file);
      assert.ok(files.length >= 3, files.join());
      for (const file of files) {
        const url = new URL(file, `http://localhost:8791/team/svc${base}`);
        assert.equal(url.pathname, `/team/svc${base}${file}`);
        assert.equal((await ask(h, "GET", base + file)).status, 200, file);
      }
    }
    assert.equal(baseOf(`http://host/team/svc${path}?x=1#y`), `http://host/team/svc${path}`.slice(0, -1));
    assert.equal(baseOf("http://host:8791/"), "http://host:8791");
  }, { page });
});

// @row world-session > Worlds > The page, `Location` and `WorldClient` below any path
test("behind a proxy that takes a path away, Location has it; a client of a world needs its base only", () =>
  withServer(async (h) => {
    const { world_id, path } = await open(h);
    await ask(h, "POST", `${path}v1/world/session/source`, SOURCE);
    const headers = { "content-type": "application/json", "x-forwarded-prefix": "/team/svc/" };
    const body = JSON.stringify(ROLLOUT);
    const moved = await ask(h, "POST", `${path}v1/world/session/rollouts`, { headers, body });
    assert.match(moved.headers.get("location")!, new RegExp(`^/team/svc/worlds/${world_id}/v1/world/jobs/`));
    for (
      const hostile of ["//evil.example", "/a/../b", "/a b", "https://evil.example", `/${"x".repeat(300)}`, "/a?b"]
    ) {
      const response = await ask(h, "POST", "/v1/worlds", { headers: { "x-forwarded-prefix": hostile } });
      assert.match(response.headers.get("location") ?? "/v1/worlds/", /^\/v1\/worlds\//);
    }
    const client = new WorldClient(`http://localhost:8791/team/svc${path}`, {
      fetch: (input) => {
        const request = input as Request;
        const url = new URL(request.url);
        assert.ok(url.pathname.startsWith("/team/svc/worlds/"));
        return h.app(new Request(url.href.replace("/team/svc", ""), request), "127.0.0.1");
      },
    });
    const { job_id } = await moved.json();
    const job = await client.awaitJob(job_id);
    assert.equal((await client.session()).transitionCount, 1);
    const chunks = [];
    for await (const { bytes } of client.chunks(job.jobId)) chunks.push(bytes.length);
    assert.equal(chunks.length, 2);
  }));
