import assert from "node:assert/strict";
import { test } from "node:test";
import { OpenAI } from "openai";
import { KEPT_RESPONSES } from "../../../lib/api/service/responses/response_store.ts";
import { ChatModel } from "../../../lib/engines/text/chat_model.ts";
import type { ChatRequest } from "../../../lib/protocol/mod.ts";
import { responsesEntries } from "../../../lib/protocol/responses/read_responses_request.ts";
import {
  type ApiHarness,
  type ApiHarnessOptions,
  eventsOf,
  modelApi,
  refusal,
  withApi,
} from "../../support/api_harness.ts";
import { chatProfile, installed } from "../../support/fake_catalog.ts";
import { settle } from "../../support/fake_clock.ts";
import { FakeLanguageModel } from "../../support/fake_language_model.ts";
import { deferred } from "../../support/world_harness.ts";

const respond = (h: ApiHarness, body: Record<string, unknown> = {}): Promise<Response> =>
  h.call("POST", "/v1/responses", { json: { model: "chat-a", input: "Hi", ...body } });
const requestOf = (h: ApiHarness): ChatRequest => h.chats.get("chat-a")!.calls.at(-1)!.request;
const get = (h: ApiHarness, path: string) => h.call("GET", `/v1/responses/${path}`);

const reasoning = { optional: true, levels: ["low", "high"], levelMap: { medium: "low" } } as const;
const thinker = installed("chat-a", "chat.completions", chatProfile({ reasoning, context: 4096 }));

/** A model that says what a test wants, read as answers of real models are. */
function saying(text: string): ApiHarnessOptions {
  const model = new FakeLanguageModel({ answer: () => text, profile: thinker.profile as never });
  return { models: [thinker], chats: new ChatModel(model, { id: () => "0a1b2c3d", seed: () => 7 }) };
}

function clientOf(h: ApiHarness): OpenAI {
  const fetch = (url: unknown, init: unknown) => h.app(new Request(url as string, init as RequestInit), "127.0.0.1");
  return new OpenAI({ apiKey: "none", baseURL: "http://localhost:8080/v1", maxRetries: 0, fetch });
}

// @row model-api > Endpoints > POST `/v1/responses`
// @row dialects > Responses > usage with cached and reasoning tokens
test("POST /v1/responses answers with a response that repeats its request", () =>
  withApi({}, async (h) => {
    const fields = { instructions: "Be brief", temperature: 0.5, metadata: { a: "b" }, max_output_tokens: 50 };
    const response = await (await respond(h, fields)).json();
    const { id, created_at, output, ...rest } = response;
    assert.match(id, /^resp_[0-9a-f]{32}$/);
    assert.equal(created_at, Date.UTC(2026, 0, 1) / 1000);
    assert.match(output[0].id, /^msg_[0-9a-f]+$/);
    assert.deepEqual(output, [{
      id: output[0].id,
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Hello there", annotations: [], logprobs: [] }],
    }]);
    assert.deepEqual(rest, {
      object: "response",
      status: "completed",
      background: false,
      error: null,
      incomplete_details: null,
      model: "chat-a",
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: null, summary: null },
      store: true,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools: [],
      top_logprobs: 0,
      top_p: null,
      truncation: "disabled",
      usage: {
        input_tokens: 7,
        input_tokens_details: { cached_tokens: 3, cache_write_tokens: 0 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 9,
      },
      ...fields,
    });
    const { messages, maxTokens, sampling } = requestOf(h);
    assert.deepEqual(messages.map(({ role, content }) => [role, content]), [["system", "Be brief"], ["user", "Hi"]]);
    assert.deepEqual([maxTokens, sampling.temperature], [50, 0.5]);
  }));

const png =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const call = { type: "function_call", call_id: "c1", name: "look", arguments: '{"at": 1.0}' };
const seer = installed("chat-a", "chat.completions", chatProfile({ features: ["images", "tools"], context: 4096 }));

// @row dialects > Responses > string and item input: messages, reasoning, calls and their outputs, images
test("the items of a request become the messages of a chat, one for each turn of the model", () =>
  withApi({ models: [seer] }, async (h) => {
    await respond(h, {
      tools: [{ type: "function", name: "look", parameters: { type: "object" } }],
      input: [
        { role: "developer", content: "Be brief" },
        {
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: "A" }, { type: "input_image", image_url: png }],
        },
        { type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "Hm" }] },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "B", annotations: [] }] },
        call,
        { ...call, call_id: "c2" },
        { type: "function_call_output", call_id: "c2", output: "two" },
        {
          type: "function_call_output",
          call_id: "c1",
          output: [{ type: "input_text", text: "one" }, { type: "input_image", image_url: png }],
        },
        { type: "message", role: "assistant", content: "C", status: "completed" },
        { role: "user", content: "D" },
      ],
    });
    const { messages } = requestOf(h);
    assert.deepEqual(messages.map(({ role }) => role), [
      "developer",
      "user",
      "assistant",
      "tool",
      "tool",
      "user",
      "assistant",
      "user",
    ]);
    const turn = messages[2] as Extract<typeof messages[number], { role: "assistant" }>;
    assert.deepEqual([turn.content, turn.reasoning], ["B", "Hm"]);
    assert.deepEqual(turn.toolCalls.map(({ id, name, arguments: json }) => [id, name, json]), [
      ["c1", "look", '{"at": 1.0}'],
      ["c2", "look", '{"at": 1.0}'],
    ]);
    assert.deepEqual(messages.slice(3, 5).map(({ content }) => content), ["two", "one"]);
    const parts = (i: number) => (messages[i].content as readonly { readonly type: string }[]).map(({ type }) => type);
    assert.deepEqual([parts(1), parts(5)], [["text", "image"], ["text", "image"]]);
    assert.deepEqual([messages[6].content, messages[7].content], ["C", "D"]);
  }));

const tools = [{ type: "function", name: "look" }, { type: "function", name: "go", strict: true }];
const asked: [Record<string, unknown>, (request: ChatRequest) => unknown, unknown][] = [
  [{ tools, tool_choice: "required" }, (r) => r.toolChoice, { mode: "required" }],
  [{ tools, tool_choice: "none" }, (r) => r.tools, []],
  [{ tools, tool_choice: { type: "function", name: "go" } }, (r) => r.toolChoice, { mode: "function", name: "go" }],
  [
    { tools, tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "go" }] } },
    (r) => r.tools.map(({ name, strict }) => [name, strict]),
    [["go", true]],
  ],
  [
    { tools: [{ type: "namespace", name: "n", description: "", tools }] },
    (r) => r.tools.map(({ name, path }) => [name, path]),
    [["look", "tools[0]"], ["go", "tools[1]"]],
  ],
  [{ tools, parallel_tool_calls: false }, (r) => r.parallelToolCalls, false],
  [{ text: { format: { type: "json_object" } } }, (r) => r.responseFormat.type, "json_object"],
  [
    { text: { format: { type: "json_schema", name: "x", strict: true, schema: { type: "object" } } } },
    (r) => r.responseFormat.type === "json_schema" && [r.responseFormat.schema, r.responseFormat.strict],
    [{ type: "object" }, true],
  ],
  [{ reasoning: { effort: "high", summary: "auto" } }, (r) => r.reasoning.effort, "high"],
  [{ reasoning: { effort: "medium" } }, (r) => r.reasoning.effort, "low"],
  [{ reasoning: { effort: "none" } }, (r) => r.reasoning.enabled, false],
  [{ include: ["message.output_text.logprobs"], top_logprobs: 2 }, (r) => r.topLogprobs, 2],
  [{ seed: 4, top_k: 3 }, (r) => [r.seed, r.sampling.topK], [4, 3]],
];
for (const [body, of, expected] of asked) {
  // @row dialects > Responses > function tools and `tool_choice`, `text.format`, `reasoning.effort`, `include`
  test(`a response with ${JSON.stringify(body).slice(0, 100)} is the chat that it means`, () =>
    withApi({ models: [thinker] }, async (h) => {
      assert.equal((await respond(h, body)).status, 200);
      assert.deepEqual(of(requestOf(h)), expected);
    }));
}

const CALLS = '<think>Hm</think>Sure\n<tool_call>{"name": "look", "arguments": {"at": [1, 2]}}</tool_call>' +
  '<tool_call>{"name": "go", "arguments": {}}</tool_call>';
const plain = tools.map(({ type, name }) => ({ type, name }));
const answers: [what: string, text: string, body: Record<string, unknown>, kinds: string[], status: string][] = [
  ["text", "Hello.", {}, ["message"], "completed"],
  ["too many tokens", "Hello there", { max_output_tokens: 5 }, ["message"], "incomplete"],
  ["reasoning", "<think>2 + 2</think>\n\n4", {}, ["reasoning", "message"], "completed"],
  ["calls", CALLS, { tools: plain }, ["reasoning", "message", "function_call", "function_call"], "completed"],
  ["calls alone", CALLS.slice(CALLS.indexOf("\n")), { tools: plain }, ["function_call", "function_call"], "completed"],
  ["text beside tools", "Hello.", { tools: plain }, ["message"], "completed"],
];
for (const [what, text, body, kinds, status] of answers) {
  // @row dialects > Responses > the typed events of the stream with `sequence_number`, equal to the whole answer
  test(`a stream of ${what} has the events of Responses and adds up to the whole answer`, () =>
    withApi(saying(text), async (h) => {
      const whole = await (await respond(h, body)).json();
      assert.deepEqual(whole.output.map(({ type }: { type: string }) => type), kinds);
      assert.equal(whole.status, status);
      assert.deepEqual(whole.incomplete_details, status === "incomplete" ? { reason: "max_output_tokens" } : null);
      assert.equal(whole.usage.output_tokens_details.reasoning_tokens > 0, kinds.includes("reasoning"));
      const events = await eventsOf(await respond(h, { ...body, stream: true }));
      assert.deepEqual(events.map(({ sequence_number }) => sequence_number), events.map((_, i) => i));
      assert.deepEqual(events.slice(0, 2).map(({ type }) => type), ["response.created", "response.in_progress"]);
      assert.deepEqual([events[0].response.status, events[0].response.output], ["in_progress", []]);
      const last = events.at(-1)!;
      assert.equal(last.type, `response.${status}`);
      modelApi.assertMatches("/components/schemas/Response", last.response, "the last response");
      // Ids differ, nothing else does.
      const plainOf = (response: object) => JSON.stringify(response).replace(/"(resp|msg|fc|rs)_[0-9a-f]+"/g, '"id"');
      assert.equal(plainOf(last.response), plainOf(whole));
      assert.deepEqual(itemsOf(events), last.response.output);
    }));
}

// deno-lint-ignore no-explicit-any -- events of a protocol
function itemsOf(events: readonly any[]): unknown[] {
  const items: unknown[] = [];
  // deno-lint-ignore no-explicit-any -- events of a protocol
  let item: any;
  let text = "";
  for (const event of events) {
    const { type, output_index: index } = event;
    if (index === undefined) continue;
    assert.equal(index, items.length, type);
    if (event.item_id !== undefined) assert.equal(event.item_id, item.id);
    if (type === "response.output_item.added") [item, text] = [event.item, ""];
    if (type.endsWith(".delta")) text += event.delta;
    if (/text\.done$/.test(type)) assert.equal(event.text, text);
    if (type === "response.function_call_arguments.done") assert.equal(event.arguments, text);
    if (type === "response.content_part.done") assert.equal(event.part.text, text);
    if (type !== "response.output_item.done") continue;
    assert.deepEqual([event.item.id, event.item.type], [item.id, item.type]);
    assert.equal(item.type === "function_call" ? event.item.arguments : event.item.content[0].text, text);
    items.push(event.item);
  }
  return items;
}

// @row dialects > Responses > `store` and `previous_response_id`
test("a response continues another one, with its reasoning and calls, and not with its instructions", () =>
  withApi(saying(CALLS), async (h) => {
    const first = await (await respond(h, { instructions: "One", tools: plain })).json();
    const outputs = first.output.filter(({ type }: { type: string }) => type === "function_call")
      .map(({ call_id }: { call_id: string }) => ({ type: "function_call_output", call_id, output: "ok" }));
    const body = { previous_response_id: first.id, instructions: "Two", tools: plain };
    const second = await (await respond(h, { ...body, input: outputs, stream: true })).text();
    assert.match(second, /response\.completed/);
    const seen = await (await h.call("POST", "/v1/responses", {
      json: {
        model: "chat-a",
        instructions: "Two",
        tools: plain,
        input: [{ role: "user", content: "Hi" }, ...first.output, ...outputs],
      },
    })).json();
    const id = /"response\.completed".*?"id":"(resp_[0-9a-f]+)"/.exec(second)![1];
    const kept = await (await get(h, id)).json();
    assert.deepEqual(kept.usage, seen.usage);
    assert.deepEqual(kept.previous_response_id, first.id);
  }));

// @row model-api > Endpoints > GET and DELETE `/v1/responses/{response}`
// @row model-api > Endpoints > GET `/v1/responses/{response}/input_items`
// @row dialects > Responses > responses are read, listed and removed; an expired one is refused clearly
test("a response is kept until it is removed, its items are listed", () =>
  withApi({}, async (h) => {
    const input = [{ role: "user", content: "A" }, { role: "assistant", content: "B" }, { role: "user", content: "C" }];
    const made = await (await respond(h, { input })).json();
    assert.deepEqual(await (await get(h, made.id)).json(), made);
    const list = async (query: string) => (await get(h, `${made.id}/input_items${query}`)).json();
    const { data, first_id, last_id, has_more } = await list("");
    assert.deepEqual(data.map(({ content }: { content: { text: string }[] }) => content[0].text), ["C", "B", "A"]);
    assert.deepEqual([data[1].content[0].type, data[0].content[0].type], ["output_text", "input_text"]);
    assert.deepEqual([first_id, last_id, has_more], [data[0].id, data[2].id, false]);
    const page = await list(`?order=asc&limit=1&after=${data[2].id}`);
    assert.deepEqual([page.data, page.has_more], [[data[1]], true]);
    for (const query of ["limit=0", "order=up", "after=x"]) {
      await refusal(await get(h, `${made.id}/input_items?${query}`), 400, `invalid_${query.split("=")[0]}`);
    }
    const removed = await h.call("DELETE", `/v1/responses/${made.id}`);
    assert.deepEqual(await removed.json(), { id: made.id, object: "response", deleted: true });
    for (const path of [made.id, `${made.id}/input_items`]) {
      await refusal(await get(h, path), 404, "response_not_found");
    }
    await refusal(await h.call("DELETE", `/v1/responses/${made.id}`), 404, "response_not_found");
    const error = await refusal(
      await respond(h, { previous_response_id: made.id }),
      400,
      "previous_response_not_found",
    );
    assert.match(error.message, /not kept here or no longer, send the whole conversation as input/);
  }));

// @row dialects > Responses > kept in memory within a bound and an age
test("responses are kept within an age, a number and a size, and not when they are not to be", () =>
  withApi({}, async (h) => {
    const make = async (body: Record<string, unknown> = {}) => (await respond(h, body)).json();
    const hidden = await make({ store: false });
    assert.equal(hidden.store, false);
    await refusal(await get(h, hidden.id), 404, "response_not_found");
    const old = await make();
    await h.clock.advance(KEPT_RESPONSES.age / 1000 - 1);
    assert.equal((await get(h, old.id)).status, 200);
    await h.clock.advance(1);
    await refusal(await get(h, old.id), 404, "response_not_found");
    // Seven of 10 MB are more than 64 MiB.
    const input = "a".repeat(10_000_000);
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push((await make({ input })).id);
    await refusal(await get(h, ids[0]), 404, "response_not_found");
    assert.equal((await get(h, ids[1])).status, 200);
  }));

test("an item of a kept response is referred to by its id", () =>
  withApi({}, async (h) => {
    const { output } = await (await respond(h)).json();
    const input = [{ type: "item_reference", id: output[0].id }, { role: "user", content: "And?" }];
    await respond(h, { input });
    assert.deepEqual(requestOf(h).messages.map(({ content }) => content), ["Hello there", "And?"]);
    const unknown = await respond(h, { input: [{ type: "item_reference", id: "msg_0" }] });
    assert.equal((await refusal(unknown, 400, "invalid_input")).param, "input[0].id");
  }));

const item = (fields: Record<string, unknown>) => ({ input: [fields] });
const output = { type: "function_call_output", call_id: "c9", output: "x" };
const wrong: [Record<string, unknown>, code: string, param: string][] = [
  [{ input: undefined }, "missing_field", "input"],
  [{ input: [] }, "invalid_input", "input"],
  [{ model: undefined }, "missing_field", "model"],
  [item({ type: "web_search_call" }), "invalid_input", "input[0].type"],
  [item({ role: "robot", content: "x" }), "invalid_input", "input[0].role"],
  [
    item({ role: "user", content: [{ type: "input_file", file_id: "x" }] }),
    "invalid_input",
    "input[0].content[0].type",
  ],
  [
    item({ role: "user", content: [{ type: "input_image", image_url: "data:image/png;base64,#" }] }),
    "invalid_input",
    "input[0].content[0].image_url",
  ],
  [
    item({ role: "user", content: [{ type: "input_image", image_url: png }] }),
    "unsupported_parameter",
    "input[0].content",
  ],
  [item(output), "invalid_input", "input[0].call_id"],
  [{ input: [call, call] }, "invalid_input", "input[1].call_id"],
  [{ input: [{ ...call, call_id: "c9" }, output, output] }, "invalid_input", "input[2].call_id"],
  [item({ type: "function_call", name: "x", arguments: "{}" }), "missing_field", "input[0].call_id"],
  [{ tools: [{ type: "web_search" }] }, "invalid_tools", "tools[0].type"],
  [{ tools: [{ type: "custom", name: "x" }] }, "invalid_tools", "tools[0].type"],
  [{ tools, tool_choice: { type: "web_search" } }, "invalid_tool_choice", "tool_choice"],
  [{ tools: [{ type: "function", name: "" }] }, "invalid_tools", "tools[0].name"],
  [{ text: { format: { type: "xml" } } }, "invalid_text", "text.format.type"],
  [{ text: { verbosity: "low" } }, "unsupported_parameter", "text.verbosity"],
  [{ reasoning: { effort: "huge" } }, "invalid_reasoning", "reasoning.effort"],
  [{ reasoning: { effort: "high" } }, "unsupported_parameter", "reasoning.effort"],
  [{ max_output_tokens: 0 }, "invalid_max_output_tokens", "max_output_tokens"],
  [{ max_output_tokens: 5000 }, "invalid_max_output_tokens", "max_output_tokens"],
  [{ truncation: "auto" }, "wrong_type", "truncation"],
  [{ background: true }, "unsupported_parameter", "background"],
  [{ conversation: "conv_1" }, "unsupported_parameter", "conversation"],
  [{ prompt: { id: "p" } }, "unsupported_parameter", "prompt"],
  [{ include: ["everything"] }, "wrong_type", "include[0]"],
  [{ previous_response_id: "resp_0" }, "previous_response_not_found", "previous_response_id"],
  [{ stream: true, top_logprobs: 2 }, "invalid_include", "include"],
];
for (const [body, code, param] of wrong) {
  // @row dialects > Responses > bad input and built-in tools are refused by their path, before anything is generated
  test(`a response with ${JSON.stringify(body).slice(0, 100)} is refused: ${code} ${param}`, () =>
    withApi({}, async (h) => {
      const error = await refusal(await respond(h, body), 400, code);
      assert.equal(error.param, param);
      if (code !== "missing_field") assert.ok(error.message.includes(`"${param}"`), error.message);
      assert.equal(h.starts.length, 0);
    }));
}

// @row dialects > Responses > contexts that are too long: both numbers
test("items that are too long for the model are refused with both numbers", () =>
  withApi(saying("x"), async (h) => {
    const error = await refusal(await respond(h, { input: "a".repeat(5001) }), 400, "context_length_exceeded");
    assert.equal(error.param, "input");
    assert.match(error.message, /have 5018 tokens, expected fewer than 4096/);
  }));

// @row dialects > Responses > a late error is `error` and `response.failed`; a client that disconnects frees its slot
test("a response that fails late ends with its error, one that nobody reads ends, and neither is kept", async () => {
  const failure = { at: "end", error: new Error("/secret") } as const;
  await withApi({ answer: () => ({ failure }) }, async (h) => {
    const events = await eventsOf(await respond(h, { stream: true }));
    const [error, failed] = events.slice(-2);
    assert.deepEqual([error.type, error.code, failed.type], ["error", "internal_error", "response.failed"]);
    assert.deepEqual([failed.response.status, failed.response.error.code], ["failed", "internal_error"]);
    assert.doesNotMatch(JSON.stringify(events), /secret/);
    await refusal(await get(h, failed.response.id), 404, "response_not_found");
  });
  const hold = deferred();
  await withApi({ answer: () => ({ hold: { at: "end", until: hold.promise } }) }, async (h) => {
    const reader = (await respond(h, { stream: true })).body!.getReader();
    await reader.read();
    await reader.cancel();
    await settle();
    await settle();
    const { admission } = await h.api.status();
    assert.deepEqual([admission.activeRequests, admission.totalCancelledRequests, h.errors.length], [0, 1, 0]);
  });
});

// @row dialects > Responses > the client of OpenAI, whole, streamed, continued and removed
test("the OpenAI client creates, streams, continues, reads and removes responses", () =>
  withApi(saying(CALLS), async (h) => {
    const client = clientOf(h);
    const given = plain.map((tool) => ({ ...tool, type: "function" as const, parameters: {}, strict: false }));
    const whole = await client.responses.create({ model: "chat-a", input: "Hi", tools: given });
    assert.equal(whole.output_text, "Sure");
    const stream = client.responses.stream({ model: "chat-a", input: "Hi", tools: given });
    const streamed = await stream.finalResponse();
    assert.deepEqual(streamed.output.map(({ type }) => type), whole.output.map(({ type }) => type));
    const input = whole.output.flatMap((item) =>
      item.type === "function_call"
        ? [{ type: "function_call_output" as const, call_id: item.call_id, output: "ok" }]
        : []
    );
    const next = await client.responses.create({
      model: "chat-a",
      previous_response_id: whole.id,
      input,
      tools: given,
    });
    assert.equal((await client.responses.retrieve(next.id)).id, next.id);
    const items = await client.responses.inputItems.list(next.id, { order: "asc" });
    assert.deepEqual(items.data.map(({ type }) => type), ["function_call_output", "function_call_output"]);
    await client.responses.delete(next.id);
    await assert.rejects(client.responses.retrieve(next.id), { status: 404, code: "response_not_found" });
  }));

test("calls of functions of a namespace name it", () =>
  withApi(saying(CALLS), async (h) => {
    const group = { type: "namespace", name: "eyes", description: "", tools: [plain[0]] };
    const { output } = await (await respond(h, { tools: [group, plain[1]] })).json();
    const calls = output.filter(({ type }: { type: string }) => type === "function_call");
    assert.deepEqual(calls.map(({ namespace }: { namespace?: string }) => namespace), ["eyes", undefined]);
    const input = [{ role: "user", content: "Hi" }, ...output];
    assert.equal((await respond(h, { tools: [group, plain[1]], input })).headers.get("x-svc-warning"), null);
    const bad = await respond(h, { tools: [{ ...group, tools: [{ type: "function", name: "" }] }] });
    assert.equal((await refusal(bad, 400, "invalid_tools")).param, "tools[0].tools[0].name");
  }));

test("the document of the model API has every field of a response", () => {
  const described = Object.keys(modelApi.description["components"]["schemas"]["ResponsesRequest"]["properties"]);
  assert.deepEqual(described.sort(), Object.keys(responsesEntries).sort());
});
