import assert from "node:assert/strict";
import { test } from "node:test";
import { withApiProcess } from "../support/api_process.ts";

const schemaFormat = (schema: unknown) => ({ type: "json_schema", json_schema: { name: "x", schema } });

/** Counted strings: no compiler ends with them in ten seconds. */
const SLOW = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [`p${i}`, { type: "string", minLength: i + 1, maxLength: 30_000 }]),
  ),
};

const next = (i: number) => ({ $ref: `#/$defs/d${i + 1}` });
const DOUBLED = {
  $ref: "#/$defs/d0",
  $defs: {
    ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i}`, { allOf: [next(i), next(i)] }])),
    d40: { type: "object", properties: { a: { type: "string" } } },
  },
};

test("schemas that are slow to compile or to check hold up no other chat", () =>
  withApiProcess({ models: ["tiny-chat"], args: ["--memory-guard=off", "--device=cpu"] }, async (server) => {
    const ask = (fields = {}, signal?: AbortSignal) => {
      const messages = [{ role: "user", content: "Hi" }];
      return server.post("/v1/chat/completions", { model: "tiny-chat", max_tokens: 8, messages, ...fields }, signal);
    };
    assert.equal((await ask()).status, 200);
    assert.equal((await ask({ response_format: schemaFormat(DOUBLED) })).status, 200);
    const leaving = new AbortController();
    const left = assert.rejects(ask({ response_format: schemaFormat({ ...SLOW, title: "left" }) }, leaving.signal));
    const slow = ask({ response_format: schemaFormat(SLOW) });
    const other = async (): Promise<string> => {
      assert.equal((await fetch(`${server.url}/health`)).status, 200);
      assert.equal((await ask()).status, 200);
      return "other";
    };
    assert.equal(await Promise.race([other(), slow.then(() => "slow")]), "other");
    await other();
    leaving.abort();
    await left;
    const refused = await slow;
    assert.deepEqual([refused.status, (await refused.json()).error.code], [400, "preparation_timeout"]);
    assert.equal((await ask({ response_format: schemaFormat(DOUBLED) })).status, 200);
  }));
