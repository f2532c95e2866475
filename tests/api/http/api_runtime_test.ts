import assert from "node:assert/strict";
import { test } from "node:test";
import { type ApiHarness, refusal, withApi } from "../../support/api_harness.ts";
import { installed, usualModels } from "../../support/fake_catalog.ts";
import { settle } from "../../support/fake_clock.ts";
import { deferred } from "../../support/world_harness.ts";

// deno-lint-ignore no-explicit-any
type Body = any;

const post = (h: ApiHarness, path: string) => h.call("POST", `/runtime/models/${path}`);
const status = async (h: ApiHarness): Promise<Body> => await (await h.call("GET", "/runtime/status")).json();
const settingsOf = async (h: ApiHarness, id: string): Promise<Body> =>
  await (await h.call("GET", `/runtime/models/${id}/settings`)).json();
const patch = (h: ApiHarness, id: string, json: unknown) => h.call("PATCH", `/runtime/models/${id}/settings`, { json });

// @row model-api > Endpoints > GET `/health`
// @row model-api > Authentication > 1: a key is wanted everywhere except for `/health`
test("GET /health answers without a key and loads nothing", () =>
  withApi({ apiKey: "k" }, async (h) => {
    const response = await h.call("GET", "/health");
    assert.deepEqual([response.status, await response.json()], [200, { status: "ok" }]);
    assert.equal(h.starts.length, 0);
  }));

// @row model-api > Runtime status > `models`: entries of the pool
// @row model-api > States > unloaded, load: loaded, ready after preparation
// @row model-api > Endpoints > POST `/runtime/models/{id}/load`
test("POST /runtime/models/{id}/load loads a model; one that is loaded is only touched", () =>
  withApi({}, async (h) => {
    h.catalog.stored.set("chat-b", { pinned: true, alias: "bee", ttlSeconds: 60 });
    for (const name of ["chat-b", "BEE"]) {
      await h.clock.advance(1);
      const response = await post(h, `${name}/load`);
      assert.equal(response.status, 200);
      const { lastAccess, ...entry }: Body = await response.json();
      assert.equal(lastAccess, new Date(h.clock.now()).toISOString());
      assert.deepEqual(entry, {
        id: "chat-b",
        category: "chat.completions",
        installPath: "/store/chat-b",
        engine: "onnx-text",
        pinned: true,
        alias: "bee",
        ttlSeconds: 60,
        loaded: true,
        ready: true,
        activeRequests: 0,
        device: "cpu",
        startupTiming: { loadSeconds: 1.5 },
      });
    }
    assert.deepEqual(h.starts.map(({ id, settings }) => [id, settings.alias]), [["chat-b", "bee"]]);
  }));

// @row model-api > States > loaded, unload without active requests: unloaded
// @row model-api > Endpoints > POST `/runtime/models/{id}/unload`
test("POST /runtime/models/{id}/unload unloads a model, pinned or not; one that is not loaded stays so", () =>
  withApi({}, async (h) => {
    h.catalog.stored.set("chat-a", { pinned: true });
    await h.chat();
    for (let i = 0; i < 2; i++) {
      const response = await post(h, "chat-a/unload");
      assert.equal(response.status, 200);
      const entry: Body = await response.json();
      assert.deepEqual([entry.loaded, entry.ready, entry.benchmarkStats.completedRequests], [false, undefined, 1]);
      assert.equal(h.chats.size, 0);
    }
  }));

// @row model-api > States > loaded, unload with active requests: 409
// @row model-api > Errors > unload of a model in use: 409
test("unload of a model that is in use is 409 with how many use it", async () => {
  const hold = deferred();
  const options = { maxActiveRequests: 2, answer: () => ({ hold: { at: "start" as const, until: hold.promise } }) };
  await withApi(options, async (h) => {
    const chat = h.chat();
    await settle();
    const { type, message } = await refusal(await post(h, "chat-a/unload"), 409, "model_in_use");
    assert.equal(type, "conflict_error");
    assert.match(message, /chat-a.*1 active request/);
    hold.resolve();
    assert.equal((await chat).status, 200);
    assert.equal((await post(h, "chat-a/unload")).status, 200);
  });
});

// @row model-api > Runtime status > `ready: false` while a model is prepared
test("unload of a model that loads gives the load up", async () => {
  await withApi({ maxActiveRequests: 2 }, async (h) => {
    h.startGate = new Promise(() => {});
    const load = post(h, "chat-a/load");
    await settle();
    assert.equal((await status(h)).models[0].ready, false);
    assert.equal((await post(h, "chat-a/unload")).status, 200);
    await refusal(await load, 409, "load_cancelled");
  });
});

for (const [method, action] of [["POST", "load"], ["POST", "unload"], ["GET", "settings"], ["PATCH", "settings"]]) {
  // @row model-api > Endpoints > The four `/runtime/models/{id}` address models that chat only => POST · load
  // @row model-api > Endpoints > The four `/runtime/models/{id}` address models that chat only => POST · unload
  // @row model-api > Endpoints > The four `/runtime/models/{id}` address models that chat only => GET · settings
  // @row model-api > Endpoints > The four `/runtime/models/{id}` address models that chat only => PATCH · settings
  test(`${method} /runtime/models/{id}/${action} is for installed models that chat`, () =>
    withApi({}, async (h) => {
      const ask = (id: string) =>
        h.call(method, `/runtime/models/${id}/${action}`, method === "PATCH" ? { json: {} } : {});
      const { message } = await refusal(await ask("nobody"), 404, "model_not_found");
      assert.match(message, /svc model pull <id>/);
      await refusal(await ask("embed"), 400, "wrong_model_task");
      await refusal(await ask("%20"), 404, "model_not_found");
    }));
}

// @row model-api > Engine behavior > 1: one fair line for requests, loads and unloads
test("load and unload wait in the same line as requests", async () => {
  const hold = deferred();
  await withApi({ answer: () => ({ hold: { at: "start", until: hold.promise } }) }, async (h) => {
    const chat = h.chat();
    await settle();
    const load = post(h, "chat-b/load");
    await settle();
    assert.equal((await status(h)).admission.queuedRequests, 1);
    hold.resolve();
    assert.deepEqual([(await chat).status, (await load).status], [200, 200]);
  });
});

// @row model-api > Endpoints > GET `/runtime/models/{id}/settings`
// @row model-api > Endpoints > PATCH `/runtime/models/{id}/settings`
test("PATCH replaces all settings, GET returns them", () =>
  withApi({}, async (h) => {
    assert.deepEqual(await settingsOf(h, "chat-a"), { pinned: false });
    const all = {
      alias: "Best",
      pinned: true,
      ttlSeconds: 60,
      maxContextTokens: 512,
      maxTokens: 64,
      temperature: 0.5,
      topP: 0.9,
      minP: 0.1,
      engineOverride: "onnx-text",
      kvCacheMode: "default",
    };
    const saved = await patch(h, "chat-a", all);
    assert.deepEqual([saved.status, await saved.json()], [200, all]);
    assert.deepEqual(await settingsOf(h, "best"), all);
    const { models } = await status(h);
    assert.deepEqual(Object.fromEntries(Object.keys(all).map((key) => [key, models[0][key]])), all);
    assert.deepEqual(await (await patch(h, "best", { topP: 0.8, alias: null })).json(), { pinned: false, topP: 0.8 });
    assert.deepEqual(await settingsOf(h, "chat-a"), { pinned: false, topP: 0.8 });
  }));

// @row model-api > Runtime settings > `kvCacheModeV2`: where affine modes are
test("the newer modes of key-value state are under kvCacheModeV2", () =>
  withApi({}, async (h) => {
    const answer = { pinned: false, kvCacheModeV2: "affine8" };
    assert.deepEqual(await (await patch(h, "chat-a", { kvCacheMode: "affine8" })).json(), answer);
    assert.deepEqual(await (await patch(h, "chat-a", answer)).json(), answer);
  }));

// @row model-api > Endpoints > PATCH `/runtime/models/{id}/settings`
test("a model that is known and not installed has settings", () =>
  withApi({}, async (h) => {
    assert.equal((await patch(h, "known-chat", { maxTokens: 5 })).status, 200);
    const entry = (await status(h)).models.find(({ id }: Body) => id === "known-chat");
    assert.deepEqual(entry, { id: "known-chat", maxTokens: 5, pinned: false, loaded: false, activeRequests: 0 });
  }));

/** Each setting: values at its bounds, which are taken, and beyond them, which are not. */
const bounds: [key: string, taken: unknown[], wrong: unknown[]][] = [
  ["alias", ["a", " trimmed ", "Ünïcode"], ["", " ", "a b", "a/b", 7]],
  ["pinned", [true, false], ["true", 1]],
  ["ttlSeconds", [1, 3600], [0, -1, 1.5, "60"]],
  ["maxContextTokens", [1, 2 ** 31 - 1], [0, 1.5, 2 ** 31]],
  ["maxTokens", [1, 2 ** 31 - 1], [0, 1.5, 2 ** 31]],
  ["temperature", [0, 2], [-0.1, 2.1, "1"]],
  ["topP", [0, 1], [-0.1, 1.1]],
  ["minP", [0, 1], [-0.1, 1.1]],
  ["engineOverride", ["onnx-text"], ["gguf-text", "other"]],
  ["kvCacheMode", ["default", "affine8"], ["affine4", "polar2", "auto", "other"]],
];
for (const [key, taken, wrong] of bounds) {
  // @row model-api > Runtime settings > `alias` => alias
  // @row model-api > Runtime settings > `pinned` => pinned
  // @row model-api > Runtime settings > `ttlSeconds` => ttlSeconds
  // @row model-api > Runtime settings > `maxContextTokens` => maxContextTokens
  // @row model-api > Runtime settings > `maxTokens` => maxTokens
  // @row model-api > Runtime settings > `temperature` => temperature
  // @row model-api > Runtime settings > `topP` => topP
  // @row model-api > Runtime settings > `minP` => minP
  // @row model-api > Runtime settings > `engineOverride` => engineOverride
  // @row model-api > Runtime settings > `kvCacheMode` => kvCacheMode
  test(`the setting ${key} takes its bounds and refuses what is beyond them`, () =>
    withApi({}, async (h) => {
      for (const value of taken) {
        assert.equal((await patch(h, "chat-a", { [key]: value })).status, 200, JSON.stringify(value));
      }
      const before = await settingsOf(h, "chat-a");
      for (const value of wrong) {
        const { type, param } = await refusal(await patch(h, "chat-a", { [key]: value }), 400, "invalid_settings");
        assert.deepEqual([type, param], ["invalid_request_error", key], JSON.stringify(value));
      }
      assert.deepEqual(await settingsOf(h, "chat-a"), before);
    }));
}

// @row model-api > Limits > bodies 10 MiB, settings 1 MiB
test("settings: unknown keys, other JSON, broken JSON, other types and large bodies are refused", () =>
  withApi({}, async (h) => {
    const { message } = await refusal(await patch(h, "chat-a", { toppp: 1 }), 400, "invalid_settings");
    assert.match(message, /did you mean "topP"/);
    for (const body of [[], "x", 7, null]) await refusal(await patch(h, "chat-a", body), 400, "invalid_settings");
    const at = "/runtime/models/chat-a/settings";
    const headers = { "content-type": "application/json" };
    await refusal(await h.call("PATCH", at, { headers, body: "{" }), 400, "invalid_json");
    await refusal(await h.call("PATCH", at, { headers, body: '{"topP":1,"topP":0}' }), 400, "duplicate_field");
    await refusal(
      await h.call("PATCH", at, { body: "{}", headers: { "content-type": "text/plain" } }),
      415,
      "unsupported_content_type",
    );
    const exact = `{"topP":0.5}${" ".repeat(2 ** 20 - 12)}`;
    assert.equal((await h.call("PATCH", at, { headers, body: exact })).status, 200);
    const large = await refusal(await h.call("PATCH", at, { headers, body: `${exact} ` }), 413, "body_too_large");
    assert.match(large.message, /1048576/);
  }));

// @row model-api > Runtime settings > `alias`
test("settings: an alias of another model is 409", () =>
  withApi({}, async (h) => {
    await patch(h, "chat-b", { alias: "bee" });
    for (const alias of ["BEE", "embed"]) {
      const { type } = await refusal(await patch(h, "chat-a", { alias }), 409, "alias_taken");
      assert.equal(type, "conflict_error");
    }
    assert.equal((await patch(h, "chat-b", { alias: "Bee" })).status, 200);
  }));

// @row model-api > Runtime settings > `pinned`
// @row model-api > Runtime settings > `ttlSeconds`
test("a model that has been idle for its ttlSeconds is unloaded when the server is asked anything", () =>
  withApi({}, async (h) => {
    await patch(h, "chat-a", { ttlSeconds: 60 });
    await h.chat();
    await h.clock.advance(59);
    assert.equal((await status(h)).models[0].loaded, true);
    await h.clock.advance(1);
    assert.equal((await status(h)).models[0].loaded, false);
    await patch(h, "chat-a", { ttlSeconds: 60, pinned: true });
    await h.chat();
    await h.clock.advance(600);
    assert.equal((await status(h)).models[0].loaded, true);
  }));

// @row model-api > States > sidecar resident, idle time to live of 300 seconds: released
test("settings that another process changes count for idle models", () =>
  withApi({}, async (h) => {
    await h.call("POST", "/v1/embeddings", { json: { model: "embed", input: "x" } });
    h.catalog.stored.set("embed", { pinned: true });
    await h.clock.advance(1000);
    assert.equal(h.sidecars.size, 1);
    h.catalog.stored.delete("embed");
    await h.clock.advance(400);
    assert.equal(h.sidecars.size, 0);
  }));

// @row model-api > Runtime status > `object`, `status`, `defaultModel`, `settingsPath`
// @row model-api > Runtime status > `activeRequests`
// @row model-api > Runtime status > `capabilities`
// @row model-api > Endpoints > GET `/runtime/status`
// @row model-api > Rules of the model API > Dates are ISO-8601
test("GET /runtime/status reports the server, its requests, its memory and its process", async () => {
  const hold = deferred();
  await withApi({ answer: () => ({ hold: { at: "end", until: hold.promise } }) }, async (h) => {
    const chat = h.chat({ max_tokens: 9, tools: [{ type: "function", function: { name: "f" } }] });
    await settle();
    const report = await status(h);
    assert.deepEqual(Object.keys(report), [
      "object",
      "status",
      "defaultModel",
      "settingsPath",
      "activeRequests",
      "admission",
      "capabilities",
      "memory",
      "models",
      "cacheStats",
      "benchmarkStats",
      "sidecars",
      "process",
    ]);
    assert.deepEqual([report.object, report.status, report.defaultModel], ["runtime.status", "ok", "chat-a"]);
    assert.equal(report.settingsPath, "/store/.svc/runtime-model-settings.json");
    assert.deepEqual(report.process, { processID: 17, startedAt: "2026-01-01T00:00:00.000Z", uptimeSeconds: 1 });
    const [active] = report.admission.activeRequestDetails;
    assert.match(active.id, /^[0-9a-f-]{36}$/);
    assert.deepEqual({ ...active, id: "" }, {
      id: "",
      admittedAt: "2026-01-01T00:00:00.000Z",
      modelID: "chat-a",
      streaming: false,
      requestedMaxTokens: 9,
      toolCount: 1,
      phase: "decode",
      firstTokenAt: "2026-01-01T00:00:00.000Z",
      generatedTokenUpdates: 2,
    });
    assert.deepEqual([report.activeRequests, report.memory.activeRequests, report.memory.activeModelCount], [1, 1, 1]);
    for (const capability of Object.values<Body>(report.capabilities)) {
      assert.deepEqual(Object.keys(capability), ["available", "enabled", "detail"]);
    }
    assert.deepEqual(Object.keys(report.capabilities), [
      "requestAdmission",
      "chunkedPrefill",
      "continuousBatching",
      "prefixKVReuse",
      "ssdKVCache",
    ]);
    hold.resolve();
    await chat;
  });
});

// @row model-api > Runtime status > `admission` with its queue and its requests
// @row model-api > Engine behavior > 4: chunked prefill with cancellation and progress
test("the phases of a request are admitted, loading_model, prefill with its tokens, and decode", async () => {
  const gate = deferred();
  const hold = deferred();
  await withApi({ answer: () => ({ hold: { at: "start", until: hold.promise } }) }, async (h) => {
    h.startGate = gate.promise;
    const chat = h.chat();
    await settle();
    const phase = async () => (await status(h)).admission.activeRequestDetails[0];
    assert.equal((await phase()).phase, "loading_model");
    gate.resolve();
    await settle();
    const prefill = await phase();
    assert.deepEqual([prefill.phase, prefill.phaseDetail], ["prefill", "0 of 7 tokens"]);
    hold.resolve();
    await chat;
  });
});

// @row model-api > Runtime status > `cacheStats`
// @row model-api > Engine behavior > 5: batched decoding, reported as steps
test("cacheStats adds up the counters of the loaded models; maxBatchSize is the largest", () =>
  withApi({ maxActiveRequests: 2 }, async (h) => {
    const prefix = {
      enabled: true,
      entries: 1,
      maxEntries: 4,
      hits: 2,
      misses: 3,
      storedPrefixes: 5,
      reusedTokens: 6,
      storedTokens: 7,
    };
    const batch = {
      enabled: true,
      activeRows: 1,
      queuedRows: 1,
      batchedDecodeSteps: 10,
      samePositionBatchedSteps: 4,
      variablePositionBatchedSteps: 6,
      singleDecodeSteps: 3,
      totalBatchedRows: 20,
      maxBatchSize: 2,
    };
    const mtp = {
      available: true,
      enabled: true,
      active: false,
      blockSize: 8,
      threshold: 16,
      rounds: 1,
      draftedTokens: 8,
      acceptedTokens: 4,
      rejectedTokens: 4,
    };
    const deviceKVCache = { enabled: false, reason: "no adapter", bytes: 0, steps: 0, uploads: 0, downloads: 0 };
    for (const model of ["chat-a", "chat-b"]) await h.chat({ model });
    h.chats.get("chat-a")!.counters = { prefixKVCache: prefix, continuousBatching: batch, deviceKVCache, mtp };
    h.chats.get("chat-b")!.counters = {
      prefixKVCache: { ...prefix, enabled: false },
      continuousBatching: { ...batch, maxBatchSize: 5 },
    };
    const { cacheStats, models, capabilities } = await status(h);
    assert.deepEqual(cacheStats.prefixKVReuse, {
      reportedModelCount: 2,
      enabledModelCount: 1,
      entries: 2,
      maxEntries: 8,
      hits: 4,
      misses: 6,
      storedPrefixes: 10,
      reusedTokens: 12,
      storedTokens: 14,
    });
    assert.equal(cacheStats.decodeBatching.batchedDecodeSteps, 20);
    assert.equal(cacheStats.decodeBatching.maxBatchSize, 5);
    assert.equal(cacheStats.ssdKVCache.available, false);
    assert.deepEqual([models[0].prefixKVCache, models[0].mtp], [prefix, mtp]);
    assert.deepEqual(models[0].deviceKVCache, deviceKVCache);
    assert.equal(capabilities.continuousBatching.enabled, true);
    await post(h, "chat-a/unload");
    assert.equal((await status(h)).cacheStats.prefixKVReuse.reportedModelCount, 1);
  }));

// @row model-api > Runtime status > `capabilities`
test("capabilities call continuous batching enabled only where two chats can run at a time", async () => {
  const batch = { enabled: true, activeRows: 0, queuedRows: 0, batchedDecodeSteps: 0, samePositionBatchedSteps: 0 };
  const counters = {
    continuousBatching: {
      ...batch,
      variablePositionBatchedSteps: 0,
      singleDecodeSteps: 0,
      totalBatchedRows: 0,
      maxBatchSize: 1,
    },
  };
  for (const [maxActiveRequests, enabled] of [[1, false], [2, true]] as const) {
    await withApi({ maxActiveRequests }, async (h) => {
      const read = async (): Promise<unknown> => (await status(h)).capabilities.continuousBatching.enabled;
      assert.equal(await read(), enabled, "before a model is loaded");
      await h.chat({ model: "chat-a" });
      h.chats.get("chat-a")!.counters = counters;
      assert.equal(await read(), enabled, "whatever an engine could do");
    });
  }
});

// @row model-api > Runtime status > `benchmarkStats`
test("benchmarkStats counts chats by model and weighs their means by them", () =>
  withApi(
    { answer: ({ seed }) => seed === 2 ? { failure: { at: "start", error: new Error("x") } } : {} },
    async (h) => {
      assert.deepEqual((await status(h)).benchmarkStats, {
        available: false,
        detail: "No chat has completed yet",
        reportedModelCount: 0,
        completedRequests: 0,
        failedRequests: 0,
        generatedTokens: 0,
      });
      await h.chat({ model: "chat-b" });
      for (const seed of [1, 1, 2]) await h.chat({ seed });
      const { benchmarkStats, models } = await status(h);
      assert.deepEqual(benchmarkStats, {
        available: true,
        detail: "Chats since the start of the server",
        reportedModelCount: 2,
        completedRequests: 3,
        failedRequests: 1,
        generatedTokens: 6,
        averageLoadSeconds: 0,
        averagePrefillSeconds: 0.5,
        averageDecodeSeconds: 0.25,
        averageTotalSeconds: 0.75,
        decodeTokensPerSecond: 8,
      });
      assert.deepEqual(
        models.map(({ benchmarkStats: stats }: Body) => [stats.completedRequests, stats.failedRequests]),
        [[2, 1], [1, 0]],
      );
      assert.equal(models[0].benchmarkStats.lastRequest.promptTokens, 7);
    },
  ));

// @row model-api > Runtime status > `benchmarkStats`
test("recentDecodeTokensPerSecond is that of the last ten chats", () => {
  let count = 0;
  return withApi(
    { answer: () => ({ outcome: { completionTokens: 10, decodeSeconds: ++count <= 5 ? 10 : 1 } }) },
    async (h) => {
      for (let i = 0; i < 15; i++) await h.chat();
      const { benchmarkStats } = (await status(h)).models[0];
      assert.equal(benchmarkStats.recentDecodeTokensPerSecond, 10);
      assert.equal(benchmarkStats.decodeTokensPerSecond, 150 / 60);
    },
  );
});

// @row model-api > Runtime status > `models`: entries of the pool
test("models[] has what is installed and chats, and what has settings, by id", () =>
  withApi({ models: [...usualModels(), installed("odd", "chat.completions")] }, async (h) => {
    h.catalog.stored.set("gone", { pinned: false, maxTokens: 1 });
    h.catalog.stored.set("embed", { pinned: true });
    assert.deepEqual((await status(h)).models.map(({ id }: Body) => id), ["chat-a", "chat-b", "gone"]);
  }));

// @row model-api > Runtime status > `sidecars`
// @row model-api > Limits > sidecar idle time to live 300 s
test("sidecars reports what each lane holds and did", () =>
  withApi({}, async (h) => {
    await h.call("POST", "/v1/embeddings", { json: { model: "embed", input: "x" } });
    const { sidecars } = await status(h);
    const { residents, ...rest } = sidecars;
    assert.deepEqual(rest, {
      defaultIdleTTLSeconds: 300,
      pressure: "nominal",
      loadedCount: 1,
      activeRequests: 0,
      queuedRequests: 0,
    });
    assert.deepEqual(residents.map(({ kind }: Body) => kind), [
      "image",
      "speech",
      "transcription",
      "embedding",
      "rerank",
      "vision",
    ]);
    assert.deepEqual(residents[3], {
      kind: "embedding",
      modelID: "embed",
      modelPath: "/store/embed",
      variant: "onnx-embedding",
      loaded: true,
      ready: true,
      activeRequests: 0,
      queuedRequests: 0,
      loadedAt: "2026-01-01T00:00:00.000Z",
      lastAccess: "2026-01-01T00:00:00.000Z",
      pinned: false,
      ttlSeconds: 300,
      loadCount: 1,
      replacementCount: 0,
      evictionCount: 0,
      completedRequests: 1,
      failedRequests: 0,
    });
    await h.clock.advance(300);
    const [lane] = (await status(h)).sidecars.residents.slice(3);
    assert.deepEqual([lane.loaded, lane.lastEvictionReason, lane.evictionCount], [false, "ttl", 1]);
  }));

// @row model-api > Runtime status > `admission` with its queue and its requests
test("GET /runtime/status answers while a chat is prefilled and others wait", async () => {
  const hold = deferred();
  await withApi({ answer: () => ({ hold: { at: "start", until: hold.promise } }) }, async (h) => {
    const chats = [h.chat(), h.chat()];
    await settle();
    const report = await status(h);
    assert.deepEqual([report.admission.activeRequests, report.admission.queuedRequests], [1, 1]);
    hold.resolve();
    await Promise.all(chats);
  });
});

test("load and unload take no fields: settings in a body are refused, others named", () =>
  withApi({}, async (h) => {
    for (const action of ["load", "unload"]) {
      const send = (json: unknown) => h.call("POST", `/runtime/models/chat-a/${action}`, { json });
      const refused = await refusal(await send({ keep_alive: "5m" }), 400, "unsupported_parameter");
      assert.equal(refused.param, "keep_alive");
      const named = await send({ reason: "test", settings: null });
      assert.equal(named.status, 200);
      assert.equal(named.headers.get("x-svc-warning"), 'Ignored the unknown field "reason"');
      assert.equal((await send({})).headers.get("x-svc-warning"), null);
    }
  }));
