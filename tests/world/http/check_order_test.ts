import assert from "node:assert/strict";
import { test } from "node:test";
import { text } from "../../support/fake_media.ts";
import { type CallInit, deferred, errorOf, ROLLOUT, transition, worldHarness } from "../../support/world_harness.ts";

const AT = "/v1/world/session";
const LONG = new Uint8Array(1024 * 1024 + 1).fill(32);
const json = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));

interface Asked extends CallInit {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
}

/** One thing that is wrong with a request, and the error for it. */
interface Fault {
  readonly code: string;
  readonly wrong: (asked: Asked) => Asked;
}

const header = (name: string, value: string) => (asked: Asked): Asked => ({
  ...asked,
  headers: { ...asked.headers, [name]: value },
});
const body = (bytes: Uint8Array<ArrayBuffer>) => (asked: Asked): Asked => ({ ...asked, body: bytes });

const path: Fault = { code: "path_not_found", wrong: (asked) => ({ ...asked, path: `${asked.path}/x/y/z` }) };
const method: Fault = { code: "method_not_allowed", wrong: (asked) => ({ ...asked, method: "PUT" }) };
const host: Fault = { code: "host_not_allowed", wrong: header("host", "evil.example.com") };
const peer: Fault = { code: "peer_not_allowed", wrong: (asked) => ({ ...asked, peer: "10.0.0.1" }) };
const origin: Fault = { code: "origin_not_allowed", wrong: header("origin", "https://evil.example.com") };
const token: Fault = { code: "invalid_api_key", wrong: header("authorization", "Bearer no") };
const type: Fault = { code: "unsupported_content_type", wrong: header("content-type", "text/plain") };
const size: Fault = { code: "body_too_large", wrong: body(LONG) };
const syntax: Fault = { code: "invalid_json", wrong: body(new TextEncoder().encode("{")) };
const field = (value: unknown, code: string): Fault => ({ code, wrong: body(json(value)) });
const id = (code: string): Fault => ({
  code,
  wrong: (asked) => ({ ...asked, path: asked.path.replace(/[0-9a-f-]{36}/, "7") }),
});

const LOCK = `${AT}/checkpoints/00000000-0000-4000-8000-000000000000/restore`;
const JOB = "/v1/world/jobs/00000000-0000-4000-8000-000000000000";
const bodies = [type, size, syntax];
const table: [method: string, path: string, right: unknown, faults: Fault[], last: string][] = [
  ["POST", `${AT}/rollouts`, ROLLOUT, [...bodies, field({ ...ROLLOUT, fps: 0 }, "invalid_fps")], "session_busy"],
  ["POST", `${AT}/transitions`, transition("forward"), [
    ...bodies,
    field({ ...transition("forward"), steps: 0 }, "invalid_steps"),
  ], "session_busy"],
  ["POST", `${AT}/reset`, {}, [...bodies, field({ source_image: "" }, "invalid_source_image")], "session_busy"],
  ["POST", `${AT}/checkpoints`, { name: "x" }, [...bodies, field({ name: "" }, "invalid_name")], "session_busy"],
  ["POST", `${AT}/prepare`, undefined, [], "session_busy"],
  ["POST", `${AT}/unload`, undefined, [], "session_busy"],
  ["POST", LOCK, undefined, [id("invalid_checkpoint_id")], "session_busy"],
  ["DELETE", LOCK.replace("/restore", ""), undefined, [id("invalid_checkpoint_id")], "session_busy"],
  ["GET", JOB, undefined, [id("invalid_job_id")], "job_not_found"],
  ["GET", `${JOB}/media/output`, undefined, [id("invalid_job_id")], "job_not_found"],
];

for (const [verb, at, right, faults, last] of table) {
  for (
    const [apiKey, before] of [["key", [path, method, origin, token]], [undefined, [
      path,
      method,
      host,
      peer,
      origin,
    ]]] as const
  ) {
    const all = [...before, ...faults];
    const names = [...all.map(({ code }) => code), last].join(", ");
    // @row world-session > Rules of every route > Order of checks => POST · /v1/world/session/rollouts · with
    // @row world-session > Rules of every route > Order of checks => POST · /v1/world/session/transitions · without
    test(`${verb} ${at} ${apiKey ? "with" : "without"} a key checks in this order: ${names}`, async () => {
      const h = await worldHarness({ ...(apiKey && { apiKey }) });
      try {
        await h.session.setSource(text("image 64 32 7"));
        const begun = deferred();
        h.model.onGenerate = begun.resolve;
        h.model.gate = new Promise(() => {});
        await h.rollout();
        await begun.promise;
        const asked: Asked = {
          method: verb,
          path: at,
          headers: { authorization: "Bearer key", ...(right !== undefined && { "content-type": "application/json" }) },
          ...(right !== undefined && { body: json(right) }),
        };
        // Everything that is wrong from one fault on: the first one is reported. Later ones are put in first.
        for (let i = 0; i <= all.length; i++) {
          const wrong = all.slice(i).reverse().reduce((request, fault) => fault.wrong(request), asked);
          const response = await h.call(wrong.method, wrong.path, wrong);
          assert.equal((await errorOf(response)).code, all[i]?.code ?? last);
          assert.match(response.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
        }
      } finally {
        await h.close();
      }
    });
  }
}
