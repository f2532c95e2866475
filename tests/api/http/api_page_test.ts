import assert from "node:assert/strict";
import { test } from "node:test";
import { modelPage } from "../../../lib/app/models/model_page.ts";
import { type ApiHarness, refusal, withApi } from "../../support/api_harness.ts";

const KEY = "s3cret key";
const FILES: readonly [path: string, type: string][] = [
  ["/", "text/html"],
  ["/docs", "text/html"],
  ["/page.js", "text/javascript"],
  ["/page.css", "text/css"],
  ["/page.svg", "image/svg+xml"],
];

function get(h: ApiHarness, path: string, headers: Record<string, string> = {}, peer = "127.0.0.1"): Promise<Response> {
  return h.app(new Request(`http://localhost:8080${path}`, { headers: { host: "localhost:8080", ...headers } }), peer);
}

test("the page of the model server needs no key, runs only its own script, and asks only its own server", async () => {
  const page = await modelPage();
  await withApi({ apiKey: KEY, page }, async (h) => {
    for (const [path, type] of FILES) {
      const response = await get(h, path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get("content-type"), `${type}; charset=utf-8`);
      assert.equal(response.headers.get("referrer-policy"), "no-referrer");
      const policy = response.headers.get("content-security-policy")!.split("; ");
      assert.ok(policy.includes("default-src 'none'") && policy.includes("script-src 'self'"), path);
      assert.ok(policy.includes("connect-src 'self'") && policy.includes("frame-ancestors 'none'"), path);
      assert.doesNotMatch(policy.join(), /unsafe|https?:|\*/);
      assert.ok(!(await response.text()).includes(KEY));
    }
    for (const path of ["/v1/models", "/runtime/status", "/openapi.json"]) {
      await refusal(await get(h, path), 401, "missing_api_key");
    }
  });
});

test("the documents of the page ask for files of this server only, below any path", async () => {
  const page = await modelPage();
  await withApi({ page }, async (h) => {
    for (const path of ["/", "/docs"]) {
      const html = await (await get(h, path)).text();
      const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file);
      assert.ok(files.length >= 4, files.join());
      for (const file of files) {
        const { origin, pathname } = new URL(file, `http://localhost:8080/team/svc${path}`);
        assert.equal(origin, "http://localhost:8080");
        assert.ok(pathname.startsWith("/team/svc/"), file);
        assert.equal((await get(h, pathname.slice("/team/svc".length))).status, 200, file);
      }
      assert.doesNotMatch(html, /<script(?![^>]* src=)|<style| style=| on[a-z]+=/);
    }
    assert.doesNotMatch(page.script, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
  });
});

test("the page keeps the rules of peers, hosts and origins; other paths stay 404 as JSON", async () => {
  const page = await modelPage();
  await withApi({ page }, async (h) => {
    await refusal(await get(h, "/", {}, "192.168.1.5"), 403, "peer_not_allowed");
    await refusal(await get(h, "/docs", { host: "evil.example.com" }), 403, "host_not_allowed");
    await refusal(await get(h, "/page.js", { origin: "https://evil.example.com" }), 403, "origin_not_allowed");
    for (const path of ["/index.html", "/docs/", "/page.map"]) await refusal(await get(h, path), 404, "path_not_found");
  });
  await withApi({}, async (h) => void await refusal(await get(h, "/"), 404, "path_not_found"));
});
