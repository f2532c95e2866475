import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiClient } from "../../../cli/model_api/api_client.ts";
import {
  formatStatus,
  paintStatus,
  reportServer,
  type ServerReport,
  type StatusReport,
} from "../../../cli/status/status_report.ts";

const URL = "http://127.0.0.1:8080";

/** A server that answers paths with JSON, a status, or never. */
async function report(answers: Record<string, unknown>): Promise<ServerReport> {
  const fetch = async (request: Request): Promise<Response> => {
    const answer = answers[new globalThis.URL(request.url).pathname];
    if (answer === undefined) throw new TypeError("connection refused");
    if (answer === "silent") {
      return await new Promise((_, reject) => {
        const alive = setTimeout(reject, 5000); // a timeout alone does not keep Node alive
        request.signal.addEventListener("abort", () => {
          clearTimeout(alive);
          reject(request.signal.reason);
        });
      });
    }
    if (typeof answer !== "number") return Response.json(answer);
    return Response.json({ error: { message: "Cannot", type: "x", code: "missing_api_key" } }, { status: answer });
  };
  return await reportServer(new ApiClient(URL, { fetch }), 20);
}

const health = { status: "ok" };
const runtime = {
  activeRequests: 1,
  admission: { queuedRequests: 2 },
  memory: { currentBytes: 5e8, pressure: "nominal" },
  models: [{ id: "a", loaded: true, ready: true }, { id: "b", loaded: false }],
  sidecars: { residents: [{ modelID: "e", loaded: true }, { loaded: false }] },
};

// @row model-api > Service > `svc status`: health, loaded and installed models
test("reportServer() lists the loaded models of all pools", async () => {
  const up = await report({ "/health": health, "/v1/models": { data: [] }, "/runtime/status": runtime });
  assert.deepEqual(up, { url: URL, health: "up", loadedModels: ["a", "e"], runtime });
});

// @row model-api > Service > `svc status`: health, loaded and installed models
test("reportServer() explains why nothing answers", async () => {
  assert.deepEqual(await report({}), { url: URL, health: "down", detail: "nothing is listening there" });
  const silent = await report({ "/health": "silent" });
  assert.deepEqual(silent, { url: URL, health: "down", detail: "no answer within 0.02 seconds" });
  for (const other of [{ status: "fine" }, { status: "ok", object: "world.health" }]) {
    assert.match((await report({ "/health": other })).detail ?? "", /not a model API server/);
  }
  assert.match((await report({ "/health": 404 })).detail ?? "", /Cannot/);
});

// @row model-api > Authentication > 5: `svc status` without the key: the loaded model is unavailable
test("reportServer() says that the loaded model is unavailable without the key", async () => {
  const { loadedModels, modelsDetail, runtimeDetail, health: state } = await report({
    "/health": health,
    "/v1/models": 401,
    "/runtime/status": 401,
  });
  const needed = "the server requires a key, set --api-key or SVC_API_KEY";
  assert.deepEqual([state, loadedModels, modelsDetail, runtimeDetail], ["up", undefined, needed, needed]);
});

// @row model-api > Service > `svc status`: health, loaded and installed models
test("formatStatus() shows server, store and models", () => {
  const base: StatusReport = {
    server: { url: URL, health: "up", loadedModels: ["a"], runtime },
    modelStore: { path: "/models", source: "default", isFallbackToDefault: false },
    knownModelCount: 3,
    installedModels: [{ id: "a", category: "chat.completions", size: 1.5e9 }],
    brokenModels: [{ id: "c", problem: "Cannot read the record" }],
  };
  const text = formatStatus(base);
  for (
    const part of [
      "is up",
      "Loaded     a",
      "1 active, 2 queued",
      "476.9 MiB held, pressure nominal",
      "1.4 GiB",
      "c: Cannot",
    ]
  ) {
    assert.ok(text.includes(part), `${part} is missing in\n${text}`);
  }
  const worlds = [{ url: "http://127.0.0.1:8791", model: "corridor-nano", pid: 7 }];
  assert.match(
    formatStatus({ ...base, worldServers: worlds }),
    /^World {6}corridor-nano on http:\/\/127\.0\.0\.1:8791$/m,
  );
  assert.ok(paintStatus(text).includes("is \x1b[32mup\x1b[39m"));
  const locked = formatStatus({
    ...base,
    server: { url: URL, health: "up", modelsDetail: "the server requires a key" },
  });
  assert.match(locked, /Loaded {5}unavailable, the server requires a key/);
  const empty = formatStatus({ ...base, server: { url: URL, health: "down", detail: "x" }, installedModels: [] });
  assert.match(empty, /is down: x\nStore [^]*Models {5}none, get one with svc model pull <id>/);
});
