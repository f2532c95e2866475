import assert from "node:assert/strict";
import { test } from "node:test";
import { worldHarness } from "../../support/world_harness.ts";

const page = { html: "<!doctype html>", script: "start();", style: "body {}", icon: "<svg/>" };
const files: [path: string, type: string, text: string][] = [
  ["/", "text/html; charset=utf-8", page.html],
  ["/page.js", "text/javascript; charset=utf-8", page.script],
  ["/page.css", "text/css; charset=utf-8", page.style],
  ["/page.svg", "image/svg+xml; charset=utf-8", page.icon],
];

for (const [path, type, text] of files) {
  test(`GET ${path} answers with the page's file, without a token, and keeps others out of it`, async () => {
    const h = await worldHarness({ apiKey: "key", page });
    try {
      const response = await h.call("GET", path);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), type);
      assert.equal(response.headers.get("x-content-type-options"), "nosniff");
      assert.equal(response.headers.get("cross-origin-resource-policy"), "same-site");
      assert.equal(response.headers.get("referrer-policy"), "no-referrer");
      assert.equal(response.headers.get("cache-control"), "no-cache");
      const policy = new Map(
        response.headers.get("content-security-policy")?.split("; ").map((rule) => {
          const [name, ...sources] = rule.split(" ");
          return [name, sources.join(" ")];
        }),
      );
      assert.equal(policy.get("default-src"), "'none'");
      assert.equal(policy.get("frame-ancestors"), "'none'");
      assert.equal(policy.get("script-src"), "'self'");
      assert.equal(policy.get("style-src"), "'self'");
      assert.equal(policy.get("connect-src"), "'self'");
      assert.equal(policy.get("media-src"), "'self' blob:");
      assert.equal(policy.get("img-src"), "'self' blob:");
      assert.equal(await response.text(), text);
      assert.equal((await h.call("HEAD", path)).status, 200);
      const evil = await h.call("GET", path, { headers: { origin: "https://evil.example.com" } });
      assert.equal(evil.status, 403);
    } finally {
      await h.close();
    }
  });
}

test("a server without the page has no such paths", async () => {
  const h = await worldHarness();
  try {
    for (const [path] of files) assert.equal((await h.call("GET", path)).status, 404);
  } finally {
    await h.close();
  }
});
