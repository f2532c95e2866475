import assert from "node:assert/strict";
import { test } from "node:test";
import { moveTo, ok, refused, SESSION, withSession, withWorld } from "../../support/with_world.ts";
import { ROLLOUT, transition, type WorldHarness } from "../../support/world_harness.ts";

const ID = "ffffffff-0000-4000-8000-abcdefabcdef";
const JOB = `/v1/world/jobs/${ID}`;
const LOCK = `${SESSION}/checkpoints/${ID}`;

/** Every path, with the methods it has. */
const paths: [path: string, methods: string[]][] = [
  ["/health", ["GET"]],
  ["/ready", ["GET"]],
  ["/metrics", ["GET"]],
  ["/openapi.json", ["GET"]],
  ["/v1/worlds", ["GET", "POST"]],
  [`/v1/worlds/${ID}`, ["GET", "DELETE"]],
  [SESSION, ["GET"]],
  [`${SESSION}/prepare`, ["POST"]],
  [`${SESSION}/source`, ["POST"]],
  [`${SESSION}/source/check`, ["POST"]],
  [`${SESSION}/transitions`, ["POST"]],
  [`${SESSION}/rollouts`, ["POST"]],
  [`${SESSION}/reset`, ["POST"]],
  [`${SESSION}/unload`, ["POST"]],
  [`${SESSION}/media/frame`, ["GET"]],
  [`${SESSION}/walk`, ["GET"]],
  [`${SESSION}/walk/media/output`, ["GET"]],
  [`${SESSION}/checkpoints`, ["GET", "POST"]],
  [LOCK, ["DELETE"]],
  [`${LOCK}/restore`, ["POST"]],
  [`${LOCK}/media/frame`, ["GET"]],
  [JOB, ["GET", "DELETE"]],
  [`${JOB}/media/chunks/0`, ["GET"]],
  [`${JOB}/media/output`, ["GET"]],
  [`${JOB}/media/terminal-frame`, ["GET"]],
  ["/v1/world/events", ["GET"]],
  ["/v1/world/start", ["GET"]],
  ["/v1/world/start/image", ["GET"]],
  ["/v1/world/start/places/1/image", ["GET"]],
  ["/v1/world/start/picture", ["POST"]],
];

for (const [path, methods] of paths) {
  const answered = methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]);
  const allow = [...answered, "OPTIONS"];

  // @row world-session > Endpoints > `GET /ready` => /ready · GET, HEAD
  // @row world-session > Endpoints > `GET /metrics` => /metrics · GET, HEAD
  // @row world-session > Endpoints > `GET /health` => /health · GET, HEAD
  // @row world-session > Endpoints > `GET …/session` => /v1/world/session · GET, HEAD
  // @row world-session > Endpoints > `POST …/session/prepare` => /v1/world/session/prepare · POST
  // @row world-session > Endpoints > `POST …/session/source` => /v1/world/session/source · POST
  // @row world-session > Endpoints > `POST …/session/source/check` => /v1/world/session/source/check · POST
  // @row world-session > Endpoints > `POST …/session/transitions` => /v1/world/session/transitions · POST
  // @row world-session > Endpoints > `POST …/session/rollouts` => /v1/world/session/rollouts · POST
  // @row world-session > Endpoints > `GET, DELETE /v1/world/jobs/…` => /v1/world/jobs/ffffffff-0000-4000-8000-abcdefabcdef · GET, HEAD, DELETE
  // @row world-session > Endpoints > `GET …/media/chunks/{index}` => /v1/world/jobs/ffffffff-0000-4000-8000-abcdefabcdef/media/chunks/0 · GET, HEAD
  // @row world-session > Endpoints > `GET …/media/output` => /v1/world/jobs/ffffffff-0000-4000-8000-abcdefabcdef/media/output · GET, HEAD
  // @row world-session > Endpoints > `GET …/media/terminal-frame` => /v1/world/jobs/ffffffff-0000-4000-8000-abcdefabcdef/media/terminal-frame · GET, HEAD
  // @row world-session > Endpoints > `GET …/session/media/frame` => /v1/world/session/media/frame · GET, HEAD
  // @row world-session > Endpoints > `GET …/session/walk` => /v1/world/session/walk · GET, HEAD
  // @row world-session > Endpoints > `GET …/session/walk/media/output` => /v1/world/session/walk/media/output · GET, HEAD
  // @row world-session > Endpoints > `POST …/session/reset` => /v1/world/session/reset · POST
  // @row world-session > Endpoints > `POST …/session/unload` => /v1/world/session/unload · POST
  // @row world-session > Endpoints > `GET, POST …/session/checkpoints` => /v1/world/session/checkpoints · GET, HEAD, POST
  // @row world-session > Endpoints > `POST …/checkpoints/…/restore` => /v1/world/session/checkpoints/ffffffff-0000-4000-8000-abcdefabcdef/restore · POST
  // @row world-session > Endpoints > `GET …/checkpoints/…/media/frame` => /v1/world/session/checkpoints/ffffffff-0000-4000-8000-abcdefabcdef/media/frame · GET, HEAD
  // @row world-session > Endpoints > `DELETE …/checkpoints/…` => /v1/world/session/checkpoints/ffffffff-0000-4000-8000-abcdefabcdef · DELETE
  // @row world-session > Endpoints > `GET /v1/world/events` => /v1/world/events · GET, HEAD
  // @row world-session > Endpoints > `GET /v1/world/start`, `…/start/image` => /v1/world/start · GET, HEAD
  // @row world-session > Endpoints > `GET /v1/world/start`, `…/start/image` => /v1/world/start/image · GET, HEAD
  // @row world-session > Endpoints > `GET …/start/places/{place}/image` => /v1/world/start/places/1/image · GET, HEAD
  // @row world-session > Endpoints > `/v1/worlds`, `/v1/worlds/…` => /v1/worlds · GET, HEAD, POST
  // @row world-session > Endpoints > `/v1/worlds`, `/v1/worlds/…` => /v1/worlds/ffffffff-0000-4000-8000-abcdefabcdef · GET, HEAD, DELETE
  // @row world-session > Endpoints > `POST /v1/world/start/picture` => /v1/world/start/picture · POST
  // @row world-session > Endpoints > `GET /openapi.json` => /openapi.json · GET, HEAD
  // @row world-session > Errors > 405 with `Allow` => /health · GET, HEAD
  test(`${path} answers ${answered.join(", ")} and refuses other methods with 405 and Allow`, () =>
    withSession(async (h) => {
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
        const response = await h.call(method, path);
        assert.equal(response.status === 405, !answered.includes(method), method);
        if (response.status !== 405) {
          assert.notEqual(response.headers.get("x-request-id"), null);
          await response.body?.cancel();
          continue;
        }
        assert.deepEqual(response.headers.get("allow")?.split(", ").sort(), [...allow].sort());
        if (method !== "HEAD") await refused(response, 405, "method_not_allowed");
      }
    }));

  // @row world-session > Rules of every route > Preflight without a token => /v1/world/session
  test(`OPTIONS ${path} answers a preflight with 204, and without a token`, () =>
    withSession(async (h) => {
      const headers = { origin: "http://localhost:3000", "access-control-request-method": methods[0] };
      const response = await h.call("OPTIONS", path, { headers });
      assert.equal(response.status, 204);
      assert.equal(response.headers.get("access-control-allow-origin"), "http://localhost:3000");
      assert.equal(response.headers.get("access-control-allow-credentials"), null);
      assert.deepEqual(response.headers.get("access-control-allow-methods")?.split(", ").sort(), [...allow].sort());
      assert.match(response.headers.get("access-control-allow-headers") ?? "", /authorization.*content-type/);
      assert.equal(response.headers.get("vary"), "Origin");
      const plain = await h.call("OPTIONS", path);
      assert.equal(plain.status, 204);
      assert.equal(plain.headers.get("access-control-allow-origin"), null);
      const evil = { ...headers, origin: "https://evil.example.com" };
      await refused(h.call("OPTIONS", path, { headers: evil }), 403, "origin_not_allowed");
    }, { apiKey: "key" }));
}

/** A world that has everything a GET can show: a move of each kind and a lock. Gives the paths. */
async function filledWorld(h: WorldHarness): Promise<{ media: Record<string, string>; records: string[] }> {
  const one = await moveTo(h, "transitions", { ...transition("forward"), num_frames: 21 });
  const { checkpoint_id: lock } = await ok(h.call("POST", `${SESSION}/checkpoints`, { json: { name: "a" } }), 201);
  const two = await moveTo(h, "rollouts", ROLLOUT);
  const parts = ["chunks/0", "chunks/1", "output", "terminal-frame"];
  const of = (kind: string, id: string) =>
    parts.map((part) => [`${kind} ${part}`, `/v1/world/jobs/${id}/media/${part}`]);
  return {
    media: Object.fromEntries([
      ...of("transition", one.job_id),
      ...of("rollout", two.job_id),
      ["the walk", `${SESSION}/walk/media/output`],
      ["the frame of the session", `${SESSION}/media/frame`],
      ["the frame of a lock", `${SESSION}/checkpoints/${lock}/media/frame`],
    ]),
    records: [
      "/health",
      "/openapi.json",
      SESSION,
      `${SESSION}/walk`,
      `${SESSION}/checkpoints`,
      `/v1/world/jobs/${one.job_id}`,
    ],
  };
}

/** Header of a range, and what of ten letters it gives; undefined for 416. */
const ranges: [range: string, part: [start: number, end: number] | "all" | undefined][] = [
  ["bytes=0-0", [0, 1]],
  ["bytes=0-3", [0, 4]],
  ["bytes=2-", [2, Infinity]],
  ["bytes=-2", [-2, Infinity]],
  ["bytes=-9999", [0, Infinity]],
  ["bytes=1-9999", [1, Infinity]],
  ["bytes=9999-", undefined],
  ["bytes=9999-10000", undefined],
  ["bytes=-0", undefined],
  ["bytes=3-2", "all"],
  ["bytes=a-b", "all"],
  ["items=0-1", "all"],
  ["bytes=0-1,3-4", "all"],
];

// @row world-session > Endpoints > `GET …/media/chunks/{index}`
// @row world-session > Endpoints > `GET …/media/output`
// @row world-session > Endpoints > `GET …/media/terminal-frame`
// @row world-session > Endpoints > `GET …/session/media/frame`
// @row world-session > Endpoints > `GET …/session/walk/media/output`
// @row world-session > Endpoints > `GET …/checkpoints/…/media/frame`
// @row world-session > Endpoints > HEAD of every GET
test("GET and HEAD of every media path answer alike: type, length, tag, no-store, bytes", () =>
  withWorld(async (h) => {
    const { media } = await filledWorld(h);
    assert.equal(Object.keys(media).length, 11);
    for (const [what, path] of Object.entries(media)) {
      const response = await h.call("GET", path);
      assert.equal(response.status, 200, what);
      const bytes = await response.text();
      const { headers } = response;
      assert.equal(headers.get("content-type"), /frame/.test(what) ? "image/png" : "video/mp4", what);
      assert.equal(headers.get("content-length"), `${bytes.length}`, what);
      assert.equal(headers.get("cache-control"), "no-store", what);
      assert.equal(headers.get("accept-ranges"), "bytes", what);
      assert.match(headers.get("etag") ?? "", /^"[^"]+"$/, what);
      const head = await h.call("HEAD", path);
      assert.deepEqual([head.status, head.body], [200, null], what);
      for (const name of ["content-type", "content-length", "cache-control", "accept-ranges", "etag"]) {
        assert.equal(head.headers.get(name), headers.get(name), `${what} ${name}`);
      }
    }
  }));

// @row world-session > Endpoints > `GET …/media/chunks/{index}`
// @row world-session > Endpoints > `GET …/media/output`
// @row world-session > Endpoints > `GET …/media/terminal-frame`
// @row world-session > Endpoints > `GET …/session/media/frame`
// @row world-session > Endpoints > `GET …/session/walk/media/output`
// @row world-session > Endpoints > `GET …/checkpoints/…/media/frame`
// @row world-session > Errors > 416
test("every media path answers Range: first bytes, suffix, open end, and 416 beyond the end", () =>
  withWorld(async (h) => {
    const { media } = await filledWorld(h);
    for (const [what, path] of Object.entries(media)) {
      const whole = await (await h.call("GET", path)).text();
      for (const [range, part] of ranges) {
        const response = await h.call("GET", path, { headers: { range } });
        const head = await h.call("HEAD", path, { headers: { range } });
        assert.equal(head.status, response.status, `${what} ${range}`);
        if (part === undefined) {
          assert.equal(response.headers.get("content-range"), `bytes */${whole.length}`);
          await refused(response, 416, "range_not_satisfiable");
          continue;
        }
        const expected = part === "all" ? whole : whole.slice(...part);
        assert.equal(response.status, part === "all" ? 200 : 206, `${what} ${range}`);
        assert.equal(await response.text(), expected, `${what} ${range}`);
        assert.equal(response.headers.get("content-length"), `${expected.length}`);
        assert.equal(head.headers.get("content-length"), `${expected.length}`);
        const start = Number(part[0]) < 0 ? whole.length - 2 : Number(part[0]);
        const shown = part === "all" ? null : `bytes ${start}-${start + expected.length - 1}/${whole.length}`;
        assert.equal(response.headers.get("content-range"), shown, `${what} ${range}`);
      }
    }
  }));

// @row world-session > Endpoints > `GET …/media/chunks/{index}`
// @row world-session > Endpoints > `GET …/media/output`
// @row world-session > Endpoints > `GET …/media/terminal-frame`
// @row world-session > Endpoints > `GET …/session/media/frame`
// @row world-session > Endpoints > `GET …/session/walk/media/output`
// @row world-session > Endpoints > `GET …/checkpoints/…/media/frame`
test("every media path answers If-None-Match with 304 and If-Range with the part or the whole", () =>
  withWorld(async (h) => {
    const { media } = await filledWorld(h);
    for (const [what, path] of Object.entries(media)) {
      const first = await h.call("GET", path);
      const etag = first.headers.get("etag")!;
      const whole = await first.text();
      for (const known of [etag, `W/${etag}`, "*", `"other", ${etag}`]) {
        const response = await h.call("GET", path, { headers: { "if-none-match": known } });
        assert.deepEqual([response.status, response.body, response.headers.get("etag")], [304, null, etag], what);
      }
      assert.equal((await h.call("GET", path, { headers: { "if-none-match": '"other"' } })).status, 200, what);
      const part = async (condition: string) => {
        const headers = { range: "bytes=1-2", "if-range": condition };
        const response = await h.call("GET", path, { headers });
        return [response.status, await response.text()];
      };
      assert.deepEqual(await part(etag), [206, whole.slice(1, 3)], what);
      assert.deepEqual(await part('"other"'), [200, whole], what);
      assert.deepEqual(await part("Sat, 01 Jan 2000 00:00:00 GMT"), [200, whole], what);
    }
  }));

// @row world-session > Endpoints > HEAD of every GET
test("HEAD of every record answers as GET does, without a body", () =>
  withWorld(async (h) => {
    const { records } = await filledWorld(h);
    for (const path of [...records, "/v1/world/start", JOB, `${JOB}/media/output`, "/nowhere"]) {
      const get = await h.call("GET", path);
      const head = await h.call("HEAD", path);
      assert.deepEqual([head.status, head.body], [get.status, null], path);
      assert.equal(head.headers.get("content-type"), get.headers.get("content-type"), path);
      await get.body?.cancel();
    }
  }));

/** Paths with an id: what the error of an unknown id is. */
const withId: [method: string, path: string, kind: "job" | "checkpoint"][] = [
  ["GET", "/v1/world/jobs/ID", "job"],
  ["DELETE", "/v1/world/jobs/ID", "job"],
  ["GET", "/v1/world/jobs/ID/media/chunks/0", "job"],
  ["GET", "/v1/world/jobs/ID/media/output", "job"],
  ["GET", "/v1/world/jobs/ID/media/terminal-frame", "job"],
  ["POST", `${SESSION}/checkpoints/ID/restore`, "checkpoint"],
  ["GET", `${SESSION}/checkpoints/ID/media/frame`, "checkpoint"],
  ["DELETE", `${SESSION}/checkpoints/ID`, "checkpoint"],
];
const noIds = [
  "1",
  "null",
  ID.slice(1),
  `${ID}0`,
  `{${ID}}`,
  ID.replaceAll("-", ""),
  "%00",
  "..%2F..%2Fetc%2Fpasswd",
  "é",
];

for (const [method, path, kind] of withId) {
  // @row world-session > Errors > 400 invalid ids, 404 unknown ids => GET · /v1/world/jobs/ID
  // @row world-session > Errors > 400 invalid ids, 404 unknown ids => DELETE · /v1/world/session/checkpoints/ID
  // @row world-session > Rules of every route > Ids and times => GET · /v1/world/jobs/ID
  test(`${method} ${path} takes ids in either case, and distinguishes unknown and invalid ids`, () =>
    withWorld(async (h) => {
      for (const id of noIds) await refused(h.call(method, path.replace("ID", id)), 400, `invalid_${kind}_id`);
      await refused(h.call(method, path.replace("ID", ID)), 404, `${kind}_not_found`);
      const job = await moveTo(h, "rollouts", ROLLOUT);
      const lock = await ok(h.call("POST", `${SESSION}/checkpoints`, { json: { name: "a" } }), 201);
      const id = kind === "job" ? job.job_id : lock.checkpoint_id;
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const response = await h.call(method, path.replace("ID", id.toUpperCase()));
      assert.ok(response.ok, path);
      await response.body?.cancel();
    }));
}

// @row world-session > Endpoints > `GET …/media/chunks/{index}`
test("a chunk index is a whole number from 0; one that is not there yet is 404", () =>
  withWorld(async (h) => {
    const { job_id: id } = await moveTo(h, "rollouts", ROLLOUT);
    const at = `/v1/world/jobs/${id}/media/chunks`;
    for (const index of ["-1", "1.0", "x", "0x0", "+1", "1e0", "%20", "9999999999"]) {
      await refused(h.call("GET", `${at}/${index}`), 400, "invalid_chunk_index");
    }
    for (const index of ["2", "999999999"]) await refused(h.call("GET", `${at}/${index}`), 404, "media_not_found");
    for (const index of ["0", "1"]) assert.equal((await h.call("GET", `${at}/${index}`)).status, 200);
  }));

// @row world-session > Errors > The error object, for every status
// @row world-session > Errors > 404 unknown path
// @row world-session > Versions > Paths begin with `/v1`
test("unknown paths are 404 with an error body, whatever the method", () =>
  withSession(async (h) => {
    for (const path of ["/v1", "/v1/world", `${SESSION}/`, `${SESSION}/Prepare`, "/v2/world/session", "/health/x"]) {
      for (const method of ["GET", "POST", "DELETE", "PUT"]) {
        await refused(h.call(method, path), 404, "path_not_found");
      }
    }
  }));
