import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../../../lib/platform/processes/log.ts";
import { worldHarness } from "../../support/world_harness.ts";

test("a world server counts its worlds and answers, and is ready unless it prepares its model", async () => {
  const h = await worldHarness({ apiKey: "key" });
  try {
    const headers = { authorization: "Bearer key" };
    assert.equal((await h.call("GET", "/metrics")).status, 401);
    assert.equal((await h.call("GET", "/ready")).status, 200);
    await h.call("GET", "/worlds/x/y/z?secret", { headers });
    const response = await h.call("GET", "/metrics", { headers });
    assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    const text = await response.text();
    for (
      const sample of [
        'svc_worlds{phase="cold"} 1',
        'svc_worlds{phase="parked"} 0',
        'svc_http_requests_total{method="GET",route="none",status="404"} 1',
        'svc_http_requests_total{method="GET",route="/ready",status="200"} 1',
      ]
    ) assert.ok(text.includes(`\n${sample}\n`), `${sample} in ${text}`);
    assert.doesNotMatch(text, /secret/);
  } finally {
    await h.close();
  }
});

test("a JSON log has one object per line, whose time, level and event nothing can replace", () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), () => new Date(0), "json");
  log("warn", "it_happened", { time: "x", level: "x", event: "x", text: "two\nlines", absent: undefined, n: 1 });
  log("error", "it_failed", { error: new Error("outer", { cause: new Error("inner") }) });
  assert.ok(lines.every((line) => line.endsWith("\n") && line.indexOf("\n") === line.length - 1));
  const [first, second] = lines.map((line) => JSON.parse(line));
  const time = "1970-01-01T00:00:00.000Z";
  assert.deepEqual(first, { time, level: "warn", event: "it_happened", text: "two\nlines", n: 1 });
  assert.match(second.error, /outer[\s\S]*caused by Error: inner/);
});
