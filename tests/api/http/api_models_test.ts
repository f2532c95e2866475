import assert from "node:assert/strict";
import { test } from "node:test";
import { CHAT, refusal, withApi } from "../../support/api_harness.ts";
import { chatProfile, installed, usualModels } from "../../support/fake_catalog.ts";
import type { TextFeature } from "../../../lib/protocol/mod.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

/** Bodies of the list of models. */
// deno-lint-ignore no-explicit-any
type Body = any;

// @row model-api > Model list entry > `id`, `object`, `created`, `owned_by`, `name`
// @row model-api > Model list entry > `task`
// @row model-api > Model list entry > `modalities` of input and output
// @row model-api > Model list entry > `sampling` of requests that name none
// @row model-api > Model list entry > `openai_compat`
// @row model-api > Model list entry > Installed sidecar models are listed
// @row model-api > Endpoints > GET `/v1/models`
test("GET /v1/models lists what is installed, by id, each with its task and what it can do", () =>
  withApi({}, async (h) => {
    const response = await h.call("GET", "/v1/models");
    assert.equal(response.status, 200);
    const { object, data }: Body = await response.json();
    assert.equal(object, "list");
    assert.deepEqual(data.map(({ id, task }: Body) => [id, task]), [
      ["chat-a", "chat.completions"],
      ["chat-b", "chat.completions"],
      ["embed", "embeddings"],
      ["rank", "rerank"],
    ]);
    assert.deepEqual(data[0], {
      id: "chat-a",
      object: "model",
      created: Date.UTC(2026, 0, 1) / 1000,
      owned_by: "svc",
      name: "chat-a",
      task: "chat.completions",
      reasoning: false,
      tool_call: true,
      structured_output: true,
      modalities: { input: ["text"], output: ["text"] },
      limit: { context: 1000, output: 1000 },
      sampling: { temperature: 1, top_p: 1, top_k: 0, min_p: 0 },
      openai_compat: {
        supports_store: false,
        supports_developer_role: true,
        supports_reasoning_effort: false,
        supports_usage_in_streaming: true,
        supports_finish_reason: true,
        max_tokens_field: "max_completion_tokens",
        supports_strict_mode: true,
        requires_reasoning_content_on_assistant_messages: false,
      },
      info: { meta: { capabilities: { vision: false, builtin_tools: false } } },
    });
    assert.deepEqual(data[2], {
      id: "embed",
      object: "model",
      created: data[0].created,
      owned_by: "svc",
      name: "embed",
      task: "embeddings",
      reasoning: false,
      tool_call: false,
      structured_output: false,
      modalities: { input: ["text"], output: ["embedding"] },
      info: { meta: { hidden: true } },
    });
  }));

// @row model-api > Model list entry > `id`, `object`, `created`, `owned_by`, `name`
// @row model-api > Model list entry > `tool_call`, `structured_output`
// @row model-api > Model list entry > `reasoning`, `thinking_levels`
test("a reasoning vision model reports its levels, its map and its repository", () => {
  const reasoning = { optional: true, levels: ["low", "high"], levelMap: { medium: "high" } } as const;
  const profile = chatProfile({ features: ["images"], reasoning, maxOutputTokens: 64 });
  const model = installed("thinker", "chat.completions", profile, { source: { repository: "org/t", revision: "r" } });
  return withApi({ models: [model] }, async (h) => {
    const entry: Body = await (await h.call("GET", "/v1/models/thinker")).json();
    assert.equal(entry.name, "org/t");
    assert.deepEqual([entry.reasoning, entry.thinking_levels], [true, ["low", "high"]]);
    assert.deepEqual([entry.tool_call, entry.structured_output], [false, false]);
    assert.deepEqual(entry.modalities.input, ["text", "image"]);
    assert.deepEqual(entry.info.meta.capabilities, { vision: true, builtin_tools: false });
    assert.deepEqual(entry.limit, { context: 1000, output: 64 });
    assert.equal(entry.openai_compat.supports_reasoning_effort, true);
    assert.deepEqual(entry.openai_compat.thinking_level_map, { medium: "high" });
  });
});

// @row model-api > Model list entry > Aliases are listed
test("an alias is an entry of its own", () =>
  withApi({}, async (h) => {
    h.catalog.stored.set("chat-b", { pinned: false, alias: "Fast" });
    h.catalog.stored.set("not-installed", { pinned: false, alias: "ghost" });
    const { data }: Body = await (await h.call("GET", "/v1/models")).json();
    assert.deepEqual(data.map(({ id }: Body) => id), ["Fast", "chat-a", "chat-b", "embed", "rank"]);
    assert.equal((await (await h.call("GET", "/v1/models/fast")).json() as Body).id, "Fast");
  }));

// @row model-api > Model list entry > `info` for chat front ends
test("front ends send their functions to models that call functions and have the context for them", async () => {
  const cases: [context: number, size: number, features: readonly TextFeature[], sent: boolean][] = [
    [32_768, 32_768, ["tools"], true],
    [131_072, 32_768, ["tools"], true],
    [8192, 32_768, ["tools"], false],
    [131_072, 16_384, ["tools"], false],
    [131_072, 32_768, ["stop"], false],
  ];
  for (const [context, contextSize, features, sent] of cases) {
    const models = [installed("m", "chat.completions", chatProfile({ context, features }))];
    await withApi({ models, contextSize }, async (h) => {
      const { info }: Body = await (await h.call("GET", "/v1/models/m")).json();
      assert.equal(info.meta.capabilities.builtin_tools, sent, `${context} ${contextSize} ${features}`);
    });
  }
});

test("no two entries have the same name: front ends show nothing else", () => {
  const source = { repository: "org/chat", revision: "r" };
  const models = ["q4", "q8"].map((id) => installed(id, "chat.completions", chatProfile(), { source }));
  const other = { source: { repository: "org/other", revision: "r" } };
  models.push(installed("alone", "chat.completions", chatProfile(), other));
  return withApi({ models }, async (h) => {
    h.catalog.stored.set("alone", { pinned: false, alias: "fast" });
    const { data }: Body = await (await h.call("GET", "/v1/models")).json();
    const names = data.map(({ id, name }: Body) => [id, name]);
    assert.deepEqual(names, [["alone", "org/other"], ["fast", "fast"], ["q4", "q4"], ["q8", "q8"]]);
  });
});

// @row model-api > Endpoints > GET `/v1/audio/models`, GET `/v1/audio/voices`
test("models and voices of speech are listed as front ends ask for them", async () => {
  const speech = (voices: string[]) => ({ kind: "speech", engine: "onnx-kokoro", voices, sampleRate: 24000 } as const);
  const lists = (models: ReturnType<typeof installed>[]) =>
    withApi({ models }, async (h) => {
      const { models: known }: Body = await (await h.call("GET", "/v1/audio/models")).json();
      const { voices }: Body = await (await h.call("GET", "/v1/audio/voices")).json();
      found = [known, voices];
    });
  let found: unknown;
  const one = installed("a", "audio.speech", speech(["x", "y"]));
  await lists([...usualModels(), one]);
  const a = { id: "a", name: "a" };
  assert.deepEqual(found, [[a], ["x", "y"].map((id) => ({ id, name: id, models: ["a"] }))]);
  await lists([one, installed("b", "audio.speech", speech(["y", "z"]))]);
  assert.deepEqual(found, [[a, { id: "b", name: "b" }], [
    { id: "x", name: "x (a)", models: ["a"] },
    { id: "y", name: "y (a, b)", models: ["a", "b"] },
    { id: "z", name: "z (b)", models: ["b"] },
  ]]);
  await lists(usualModels());
  assert.deepEqual(found, [[], []]);
});

// @row model-api > Endpoints > GET `/v1/models/{id}`
test("GET /v1/models/{id} of a model that does not exist is 404 with the command that gets it", () =>
  withApi({}, async (h) => {
    const { message } = await refusal(await h.call("GET", "/v1/models/qwen3"), 404, "model_not_found");
    assert.match(message, /svc model pull <id>/);
  }));

// @row model-api > Options > `--context-size`, 32768 by default
// @row model-api > Model list entry > `limit` of context and output, adjusted by configured defaults
test("limits: settings override --context-size, and none goes beyond the model", async () => {
  const cases: [context: number, size: number, settings: { maxContextTokens?: number; maxTokens?: number }, unknown][] =
    [
      [1000, 32768, {}, { context: 1000, output: 1000 }],
      [1000, 500, {}, { context: 500, output: 500 }],
      [1000, 500, { maxContextTokens: 800 }, { context: 800, output: 800 }],
      [1000, 500, { maxContextTokens: 2000 }, { context: 1000, output: 1000 }],
      [1000, 500, { maxContextTokens: 100 }, { context: 100, output: 100 }],
      [1000, 32768, { maxTokens: 64 }, { context: 1000, output: 64 }],
      [1000, 32, { maxTokens: 64 }, { context: 32, output: 32 }],
    ];
  for (const [context, contextSize, settings, limit] of cases) {
    const models = [installed("m", "chat.completions", chatProfile({ context }))];
    await withApi({ models, contextSize }, async (h) => {
      h.catalog.stored.set("m", { pinned: false, ...settings });
      assert.deepEqual((await (await h.call("GET", "/v1/models/m")).json() as Body).limit, limit);
    });
  }
});

// @row model-api > Model list entry > Ids of vision routes are hidden from clients on other machines
// @row model-api > Authentication > 4: vision is for this machine only
test("models whose results are files of this machine are hidden from other machines", () => {
  const vision = ["vision.geometry", "vision.depth", "vision.image_to_3d"] as const;
  const models = [...usualModels(), ...vision.map((task) => installed(task, task)), installed("say", "audio.speech")];
  const ids = async (response: Response) => (await response.json() as Body).data.map(({ id }: Body) => id);
  return withApi({ models, apiKey: "k" }, async (h) => {
    const headers = { authorization: "Bearer k" };
    const near = await ids(await h.call("GET", "/v1/models", { headers }));
    assert.deepEqual(near.filter((id: string) => id.startsWith("vision")).length, 3);
    for (const peer of ["192.168.1.7", "::ffff:10.0.0.1", ""]) {
      const forwarded = { ...headers, "x-forwarded-for": "127.0.0.1" };
      const far = await ids(await h.call("GET", "/v1/models", { headers: forwarded, peer }));
      assert.deepEqual(far, ["chat-a", "chat-b", "embed", "rank", "say"]);
      await refusal(await h.call("GET", `/v1/models/${vision[0]}`, { headers, peer }), 404, "model_not_found");
    }
  });
});

test("a chat model that no engine serves is not listed and refused", () =>
  withApi({ models: [installed("odd", "chat.completions")] }, async (h) => {
    assert.deepEqual((await (await h.call("GET", "/v1/models")).json() as Body).data, []);
    await refusal(await h.chat({ model: "odd" }), 400, "unsupported_model");
  }));

// @row model-api > Service > Rule 2: each request selects an installed model; only those of the store are addressable
// @row model-api > Chat request > `model`
test("a chat names its model by alias or id in any case; an empty name is the default", () =>
  withApi({ defaultModel: "chat-b" }, async (h) => {
    h.catalog.stored.set("chat-a", { pinned: false, alias: "Best" });
    for (const [name, id] of [["best", "chat-a"], ["CHAT-A", "chat-a"], ["", "chat-b"], [" chat-b ", "chat-b"]]) {
      assert.equal((await (await h.chat({ model: name })).json() as Body).model, id);
    }
  }));

// @row model-api > Runtime settings > `alias`
test("an alias wins over an id", () =>
  withApi({}, async (h) => {
    h.catalog.stored.set("chat-b", { pinned: false, alias: "chat-a" });
    assert.equal((await (await h.chat({ model: "chat-a" })).json() as Body).model, "chat-b");
  }));

// @row model-api > Service > Rule 2: each request selects an installed model; only those of the store are addressable
// @row model-api > Service > Nothing is downloaded by a server
// @row model-api > Errors > unknown model: the error says to pull it
// @row model-api > Rules of the model API > Unknown model: 404 `model_not_found` with the command
test("a chat for a model that does not exist is 404 with the command that gets it", () =>
  withApi({ defaultModel: "" }, async (h) => {
    const cases: [name: string, says: RegExp][] = [
      ["known-chat", /"known-chat" is not installed, run svc model pull known-chat$/],
      ["org/name", /run svc model pull org\/name$/],
      ["chat-aa", /did you mean "chat-a"\?$/],
      ["; rm -rf ~", /svc model search shows with svc model pull <id>$/],
      ["", /there is no default, get one with svc model pull <id>$/],
    ];
    for (const [model, says] of cases) {
      const error = await refusal(await h.chat({ model }), 404, "model_not_found");
      assert.deepEqual([error.type, error.param], ["not_found_error", "model"]);
      assert.match(error.message, says);
    }
    await refusal(
      await h.call("POST", "/v1/chat/completions", { json: { ...CHAT, model: undefined } }),
      400,
      "missing_field",
    );
    assert.equal(h.starts.length, 0);
  }));

test("a chat for a model of another task is refused with both tasks", () =>
  withApi({}, async (h) => {
    const { message, param } = await refusal(await h.chat({ model: "embed" }), 400, "wrong_model_task");
    assert.match(message, /has the task embeddings, expected chat.completions/);
    assert.equal(param, "model");
  }));

// @row model-api > Errors > a store that is damaged: 500 without its paths
test("a store that cannot be read is 500 without its path, and the log has the details", async () => {
  await withApi({}, async (h) => {
    h.catalog.failure = new SvcError("broken_settings", "Cannot read /home/someone/x.json: it is not JSON");
    const { message } = await refusal(await h.call("GET", "/v1/models"), 500, "broken_settings");
    assert.doesNotMatch(message, /home/);
    assert.equal((h.errors[0].error as Error).cause, h.catalog.failure);
    assert.equal((await h.call("GET", "/health")).status, 200);
  });
});

const sampling = { temperature: 0.7, topP: 0.9, topK: 20, minP: 0.05 };
const sampled = [
  installed(
    "m",
    "chat.completions",
    chatProfile({ sampling: { ...chatProfile().sampling, ...sampling } }),
  ),
];

// @row model-api > Chat rules > 10: omitted sampling fields keep the defaults independently
test("rule 10: each sampling field that is left out keeps the model's default, whatever the others say", () =>
  withApi({ models: sampled }, async (h) => {
    await h.chat({ model: "m", temperature: 1.5 });
    const [{ options, request }] = h.chats.get("m")!.calls;
    assert.deepEqual(options.defaults, { ...chatProfile().sampling, ...sampling });
    assert.equal(request.sampling.temperature, 1.5);
    assert.deepEqual([request.sampling.topP, request.sampling.topK, request.sampling.minP], [
      undefined,
      undefined,
      undefined,
    ]);
  }));

// @row model-api > Runtime settings > `temperature`
// @row model-api > Runtime settings > `topP`
// @row model-api > Runtime settings > `minP`
test("settings override the model's defaults, each separately", async () => {
  for (const [key, value] of [["temperature", 0], ["topP", 0.5], ["minP", 0.2]] as const) {
    await withApi({ models: sampled }, async (h) => {
      h.catalog.stored.set("m", { pinned: false, [key]: value });
      await h.chat({ model: "m" });
      const { defaults } = h.chats.get("m")!.calls[0].options;
      assert.deepEqual(defaults, { ...chatProfile().sampling, ...sampling, [key]: value });
    });
  }
});

// @row model-api > Runtime settings > `maxContextTokens`
// @row model-api > Runtime settings > `maxTokens`
test("settings in force are those of the moment of the request", () =>
  withApi({}, async (h) => {
    await h.chat();
    h.catalog.stored.set("chat-a", { pinned: false, maxTokens: 5, maxContextTokens: 50 });
    await h.chat();
    const calls = h.chats.get("chat-a")!.calls.map(({ options }) => [options.context, options.presetMaxTokens]);
    assert.deepEqual(calls, [[1000, 2048], [50, 5]]);
  }));

// @row model-api > Chat request > `max_tokens` and `max_completion_tokens`
test("max_tokens: from 1 to the context of the model, refused before the model is loaded", () =>
  withApi({ contextSize: 500 }, async (h) => {
    for (const field of ["max_tokens", "max_completion_tokens"]) {
      for (const value of [1, 499, 500]) assert.equal((await h.chat({ [field]: value })).status, 200, `${value}`);
      for (const value of [0, 501, 2 ** 31]) {
        const response = await h.chat({ [field]: value, model: "chat-b" });
        assert.equal(response.status, 400);
        assert.match((await response.json() as Body).error.code, /^invalid_max_(completion_)?tokens$/);
      }
    }
    assert.deepEqual(h.starts.map(({ id }) => id), ["chat-a"]);
  }));
