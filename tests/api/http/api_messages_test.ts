import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatModel } from "../../../lib/engines/text/chat_model.ts";
import type { ChatRequest } from "../../../lib/protocol/mod.ts";
import { messagesEntries } from "../../../lib/protocol/messages/read_messages_request.ts";
import {
  type ApiHarness,
  type ApiHarnessOptions,
  type CallInit,
  eventsOf,
  modelApi,
  withApi,
} from "../../support/api_harness.ts";
import { chatProfile, installed } from "../../support/fake_catalog.ts";
import { settle } from "../../support/fake_clock.ts";
import { FakeLanguageModel } from "../../support/fake_language_model.ts";
import { deferred } from "../../support/world_harness.ts";

const user = (content: unknown) => ({ role: "user", content });
const ask = (h: ApiHarness, body: Record<string, unknown> = {}, init: CallInit = {}): Promise<Response> =>
  h.call("POST", "/v1/messages", {
    ...init,
    json: { model: "chat-a", max_tokens: 300, messages: [user("Hi")], ...body },
  });
const requestOf = (h: ApiHarness): ChatRequest => h.chats.get("chat-a")!.calls.at(-1)!.request;

const reasoning = { optional: true, levels: ["low", "high"], levelMap: {} } as const;
const thinker = installed("chat-a", "chat.completions", chatProfile({ reasoning, context: 4096 }));

/** A model that says what a test wants, read as answers of real models are. */
function saying(text: string): ApiHarnessOptions {
  const model = new FakeLanguageModel({ answer: () => text, profile: thinker.profile as never });
  return { models: [thinker], chats: new ChatModel(model, { id: () => "0a1b2c3d", seed: () => 7 }) };
}

async function refused(response: Response, status: number, type: string, message: RegExp): Promise<void> {
  assert.equal(response.headers.get("content-type"), "application/json");
  const body = await response.json();
  assert.deepEqual(Object.keys(body).sort(), ["error", "request_id", "type"]);
  assert.deepEqual([response.status, body.type, body.error.type], [status, "error", type], JSON.stringify(body));
  assert.deepEqual(Object.keys(body.error).filter((name) => name !== "details"), ["type", "message"]);
  assert.match(body.error.message, message);
}

// @row model-api > Endpoints > POST `/v1/messages`
// @row dialects > Messages > usage, with the tokens of the prefix cache apart
test("POST /v1/messages answers with a message, its usage and times", () =>
  withApi({}, async (h) => {
    const response = await ask(h, {}, { headers: { "anthropic-version": "2023-06-01" } });
    const { id, ...message } = await response.json();
    assert.match(id, /^msg_[0-9a-f]{8}$/);
    assert.deepEqual(message, {
      type: "message",
      role: "assistant",
      model: "chat-a",
      content: [{ type: "text", text: "Hello there" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: {
        input_tokens: 4,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 3,
        output_tokens: 2,
        output_tokens_details: { thinking_tokens: 0 },
      },
    });
    assert.match(response.headers.get("server-timing") ?? "", /decode/);
  }));

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: png } };
const seen = { type: "image", image: { kind: "data", mediaType: "image/png", base64: "", detail: "auto" } };
const call = { type: "tool_use", id: "toolu_1", name: "look", input: { at: 1.0 } };
const seer = installed("chat-a", "chat.completions", chatProfile({ features: ["images", "tools"], context: 4096 }));

// @row dialects > Messages > `system` as text or blocks
// @row dialects > Messages > blocks `text`, `image`, `tool_use`, `tool_result`, `thinking`, `document`
// @row dialects > Messages > `cache_control` accepted
test("the blocks of messages become the messages of a chat", () =>
  withApi({ models: [seer] }, async (h) => {
    const cache_control = { type: "ephemeral" };
    await ask(h, {
      system: [{ type: "text", text: "Be", cache_control }, { type: "text", text: "brief" }],
      tools: [{ name: "look", description: "Looks", input_schema: { type: "object" }, cache_control }],
      messages: [
        user([{ type: "text", text: "What", cache_control }, image]),
        {
          role: "assistant",
          content: [{ type: "thinking", thinking: "Hm", signature: "x" }, { type: "text", text: "Let me look" }, call],
        },
        user([
          {
            type: "tool_result",
            tool_use_id: "toolu_1",
            is_error: true,
            content: [{ type: "text", text: "No" }, image],
          },
          { type: "text", text: "Again" },
          { type: "document", title: "Notes", source: { type: "text", media_type: "text/plain", data: "1 2" } },
        ]),
      ],
    });
    const { messages, tools } = requestOf(h);
    assert.deepEqual(
      messages,
      [
        { role: "system", content: "Be\nbrief", name: undefined },
        { role: "user", content: [{ type: "text", text: "What" }, seen], name: undefined },
        {
          role: "assistant",
          content: "Let me look",
          reasoning: "Hm",
          toolCalls: [{ id: "toolu_1", name: "look", arguments: '{"at":1}' }],
          name: undefined,
        },
        { role: "tool", content: "Error: No", toolCallId: "toolu_1", name: "look" },
        {
          role: "user",
          content: [
            { type: "text", text: "Image of the tool result toolu_1:" },
            seen,
            { type: "text", text: "Again" },
            { type: "text", text: "Notes\n\n1 2" },
          ],
          name: undefined,
        },
      ],
    );
    assert.deepEqual([tools[0].name, tools[0].description], ["look", "Looks"]);
  }));

const tools = [{ name: "look", input_schema: { type: "object" } }, { name: "go", input_schema: { type: "object" } }];
const choices: [unknown, string[], object, boolean][] = [
  [{ type: "auto" }, ["look", "go"], { mode: "auto" }, true],
  [{ type: "auto", disable_parallel_tool_use: true }, ["look", "go"], { mode: "auto" }, false],
  [{ type: "any" }, ["look", "go"], { mode: "required" }, true],
  [{ type: "tool", name: "go" }, ["go"], { mode: "function", name: "go" }, true],
  [{ type: "none" }, [], { mode: "auto" }, true],
];
for (const [tool_choice, names, mode, parallel] of choices) {
  // @row dialects > Messages > `tool_choice`: auto, any, tool, none
  test(`the tool choice ${JSON.stringify(tool_choice)} is that of chats`, () =>
    withApi({}, async (h) => {
      await ask(h, { tools, tool_choice });
      const request = requestOf(h);
      assert.deepEqual(request.tools.map(({ name }) => name), names);
      assert.deepEqual([request.toolChoice, request.parallelToolCalls], [mode, parallel]);
    }));
}

const thoughts: [Record<string, unknown>, ChatRequest["reasoning"]["enabled"], string | undefined][] = [
  [{}, undefined, undefined],
  [{ thinking: { type: "disabled" } }, false, undefined],
  [{ thinking: { type: "adaptive" } }, undefined, undefined],
  [{ thinking: { type: "enabled", budget_tokens: 2000 } }, true, "low"],
  [{ thinking: { type: "enabled", budget_tokens: 20_000 } }, true, "high"],
  [{ thinking: { type: "enabled", budget_tokens: 900_000 } }, true, "high"],
  [{ output_config: { effort: "low" } }, undefined, "low"],
  [{ output_config: { effort: "medium" }, thinking: { type: "adaptive" } }, undefined, "high"],
  [{ output_config: { effort: "max" }, thinking: { type: "disabled" } }, false, undefined],
];
for (const [fields, enabled, effort] of thoughts) {
  // @row dialects > Messages > `thinking` with a budget, mapped to the levels of the model
  test(`thinking: ${JSON.stringify(fields)} is ${enabled} and ${effort} for a model with two levels`, () =>
    withApi({ models: [thinker] }, async (h) => {
      await ask(h, fields);
      const { reasoning } = requestOf(h);
      assert.deepEqual([reasoning.enabled, reasoning.effort], [enabled, effort]);
    }));
}

const CALLS = '<think>Hm</think>Sure\n<tool_call>{"name": "look", "arguments": {"at": [1, 2]}}</tool_call>' +
  '<tool_call>{"name": "go", "arguments": {}}</tool_call>';
const answers: [what: string, text: string, body: Record<string, unknown>, stop: string][] = [
  ["text", "Hello.", {}, "end_turn"],
  ["a stop sequence", "Hello, END of it", { stop_sequences: ["END"] }, "stop_sequence"],
  ["too many tokens", "Hello there", { max_tokens: 5 }, "max_tokens"],
  ["reasoning", "<think>2 + 2</think>\n\n4", { thinking: { type: "enabled", budget_tokens: 1024 } }, "end_turn"],
  ["reasoning nobody asked for", "<think>2 + 2</think>\n\n4", {}, "end_turn"],
  ["calls", CALLS, { tools, thinking: { type: "adaptive" } }, "tool_use"],
  ["calls alone", CALLS.slice(CALLS.indexOf("\n")), { tools }, "tool_use"],
  ["text beside tools", "Hello.", { tools }, "end_turn"],
];
for (const [what, text, body, stop] of answers) {
  // @row dialects > Messages > the stream `message_start` to `message_stop`, equal to the whole answer
  // @row dialects > Messages > `stop_sequences` and every `stop_reason`
  test(`a stream of ${what} has the events of Messages and adds up to the whole answer`, () =>
    withApi(saying(text), async (h) => {
      const whole = await (await ask(h, body)).json();
      assert.equal(whole.stop_reason, stop);
      if (stop === "stop_sequence") assert.equal(whole.stop_sequence, "END");
      const events = await eventsOf(await ask(h, { ...body, stream: true }));
      assert.equal(events[0].type, "message_start");
      assert.deepEqual(events.slice(-2).map(({ type }) => type), ["message_delta", "message_stop"]);
      const message = { ...events[0].message, content: [] as Record<string, unknown>[] };
      assert.deepEqual([events[0].message.stop_reason, events[0].message.usage.output_tokens], [null, 0]);
      assert.equal(
        events[0].message.usage.input_tokens,
        whole.usage.input_tokens + whole.usage.cache_read_input_tokens,
      );
      let open = -1;
      let json = "";
      for (const event of events.slice(1, -1)) {
        if (event.type === "content_block_start") {
          assert.deepEqual([open, event.index], [-1, message.content.length]);
          open = event.index;
          json = "";
          message.content.push({ ...event.content_block });
        } else if (event.type === "content_block_delta") {
          assert.equal(event.index, open);
          const block = message.content[open];
          const { delta } = event;
          if (delta.type === "text_delta") block.text += delta.text;
          else if (delta.type === "thinking_delta") block.thinking += delta.thinking;
          else if (delta.type === "input_json_delta") json += delta.partial_json;
          else assert.fail(delta.type);
        } else if (event.type === "content_block_stop") {
          if (message.content[open].type === "tool_use") message.content[open].input = JSON.parse(json);
          open = -1;
        } else Object.assign(message, event.delta, { usage: event.usage });
      }
      assert.deepEqual({ ...message, id: "" }, { ...whole, id: "" });
      const kinds = whole.content.map(({ type }: { type: string }) => type);
      const asked = "thinking" in body && text.includes("<think>");
      assert.equal(kinds.includes("thinking"), asked);
      assert.equal(whole.usage.output_tokens_details.thinking_tokens > 0, text.includes("<think>"));
    }));
}

test("the ids of calls come back as results of those calls", () =>
  withApi(saying(CALLS), async (h) => {
    const { content } = await (await ask(h, { tools })).json();
    const calls = content.filter(({ type }: { type: string }) => type === "tool_use");
    assert.deepEqual(calls.map(({ name, input }: { name: string; input: unknown }) => [name, input]), [
      ["look", { at: [1, 2] }],
      ["go", {}],
    ]);
    const results = calls.map(({ id }: { id: string }) => ({ type: "tool_result", tool_use_id: id, content: "ok" }));
    const messages = [user("Hi"), { role: "assistant", content }, user(results)];
    assert.equal((await ask(h, { tools, messages })).status, 200);
  }));

const wrong: [Record<string, unknown>, message: RegExp][] = [
  [{ max_tokens: undefined }, /"max_tokens" is missing/],
  [{ max_tokens: 0 }, /"max_tokens" is 0, expected an integer from 1/],
  [{ model: undefined }, /"model" is missing/],
  [{ messages: [] }, /"messages" is /],
  [{ messages: [{ role: "robot", content: "x" }] }, /"messages\[0\].role" is "robot", expected user or assistant/],
  [
    { messages: [user([{ type: "video" }])] },
    /"messages\[0\].content\[0\].type" is "video", expected one of text, image/,
  ],
  [{ messages: [user([call])] }, /"messages\[0\].content\[0\].type" is "tool_use"/],
  [
    { messages: [user([{ type: "tool_result", tool_use_id: "toolu_9" }])] },
    /"messages\[0\].content\[0\].tool_use_id" is "toolu_9", expected the id of a tool_use block/,
  ],
  [
    { messages: [user("a"), { role: "assistant", content: [call, call] }, user("b")] },
    /"messages\[1\].content\[1\].id" is "toolu_1", which an earlier call has, expected each id once/,
  ],
  [
    {
      messages: [
        user("a"),
        { role: "assistant", content: [call] },
        user([{ type: "tool_result", tool_use_id: "toolu_1" }, { type: "tool_result", tool_use_id: "toolu_1" }]),
      ],
    },
    /"messages\[2\].content\[1\].tool_use_id" is "toolu_1", which an earlier result has/,
  ],
  [
    { messages: [user([{ ...image, source: { ...image.source, data: "###" } }])] },
    /"messages\[0\].content\[0\].source" is ".*", expected padded base64/,
  ],
  [
    { messages: [user([{ type: "image", source: { type: "url", url: "https://example.com/a.png" } }])] },
    /"messages\[0\].content\[0\].source" is .* remote images are not fetched/,
  ],
  [{ messages: [user([{ type: "image", source: { type: "file", file_id: "x" } }])] }, /files are not kept here/],
  [{ messages: [user([image])] }, /"messages\[0\].content" asks for images/],
  [
    { messages: [user("a"), { role: "assistant", content: "b" }] },
    /"messages\[1\].role" is "assistant", expected user/,
  ],
  [{ tools: [{ type: "web_search_20250305", name: "web_search" }] }, /"tools\[0\].type" is "web_search_20250305"/],
  [{ tools: [{ name: "x" }] }, /"tools\[0\].input_schema" is missing/],
  [{ tools: [tools[0], tools[0]] }, /"tools" is .*expected each function name once/],
  [{ tools, tool_choice: { type: "tool", name: "no" } }, /"tool_choice" is .*expected one of the functions look, go/],
  [{ tool_choice: { type: "some" } }, /"tool_choice.type" is "some", expected one of auto, any, tool, none/],
  [{ thinking: { type: "enabled" } }, /"thinking.budget_tokens" is missing/],
  [{ thinking: { type: "enabled", budget_tokens: 1024 } }, /"thinking" asks for thinking, which the model does not/],
  [{ stop_sequences: "x".repeat(2000) }, /"stop_sequences" is/],
  [{ mcp_servers: [{}] }, /"mcp_servers" is .*offer the tools as functions/],
  [{ thread: { type: "create" } }, /"thread" is .*send the whole conversation/],
  [{ compaction: { type: "summarize" } }, /"compaction" is .*ask for a summary/],
  [{ output_format: { type: "text" } }, /"output_format.type" is "text"/],
  [{ output_format: { type: "json_schema", schema: 3 } }, /"output_format.schema" is 3/],
  [{ output_config: { effort: "huge" } }, /"output_config.effort" is "huge"/],
  [{ temperature: 9 }, /"temperature" is 9/],
];
for (const [body, message] of wrong) {
  // @row dialects > Messages > bad input is refused by its path, before anything is generated
  test(`a message with ${JSON.stringify(body).slice(0, 90)} is refused: ${message.source.slice(0, 50)}`, () =>
    withApi({}, async (h) => {
      await refused(await ask(h, body), 400, "invalid_request_error", message);
      assert.equal(h.starts.length, 0);
    }));
}

test("a thread is refused in the words by which clients of Anthropic's send the whole conversation", () =>
  withApi({}, async (h) => {
    const { error } = await (await ask(h, { thread: { type: "continue", previous_message_id: "msg_1" } })).json();
    assert.deepEqual(error.details, { error_code: "thread_unsupported_request", unsupported: ["thread"] });
    const other = await (await ask(h, { container: "c" })).json();
    assert.equal(other.error.details, undefined);
  }));

test("output_format is the former name of output_config.format", () =>
  withApi({}, async (h) => {
    const format = { type: "json_schema", schema: { type: "object" } };
    await ask(h, { output_config: { format } });
    const { responseFormat } = requestOf(h);
    await ask(h, { output_format: format });
    assert.deepEqual(requestOf(h).responseFormat, responseFormat);
    assert.equal(responseFormat.type, "json_schema");
  }));

// @row dialects > Messages > errors in their shape: keys, paths, methods, types, sizes, limits
test("every error of these paths has the shape of Anthropic's", async () => {
  const key = "secret";
  await withApi({ apiKey: key, rateLimitPerMinute: 2 }, async (h) => {
    await refused(await ask(h), 401, "authentication_error", /no Authorization header/);
    await refused(
      await ask(h, {}, { headers: { "x-api-key": "no" } }),
      401,
      "authentication_error",
      /x-api-key is wrong/,
    );
    const headers = { "x-api-key": key };
    const path = (method: string, path: string, body?: string) =>
      h.app(new Request(`http://localhost${path}`, { method, headers, ...body ? { body } : {} }), "127.0.0.1");
    await refused(await path("POST", "/v1/messages/batches"), 404, "not_found_error", /no such path/);
    await refused(await path("GET", "/v1/messages"), 405, "invalid_request_error", /expected one of POST/);
    await refused(await path("POST", "/v1/messages", "{}"), 415, "invalid_request_error", /content type/);
    await refused(await ask(h, { system: "a".repeat(11 * 2 ** 20) }, { headers }), 413, "request_too_large", /limit/);
    await refused(await ask(h, { model: "none" }, { headers }), 404, "not_found_error", /"none" is not installed/);
    const limited = await ask(h, {}, { headers });
    assert.ok(Number(limited.headers.get("retry-after")) > 0);
    await refused(limited, 429, "rate_limit_error", /within a minute/);
  });
  await withApi({}, async (h) => {
    h.usedGib = 99;
    await refused(await ask(h), 503, "overloaded_error", /[GM]iB/);
  });
});

// @row dialects > Messages > `x-api-key` beside bearer
test("x-api-key is as good as a bearer token on these paths, and on no other", () =>
  withApi({ apiKey: "secret" }, async (h) => {
    for (const headers of [{ "x-api-key": "secret" }, { authorization: "Bearer secret" }] as Record<string, string>[]) {
      assert.equal((await ask(h, {}, { headers })).status, 200);
    }
    const both = { "x-api-key": "secret", authorization: "Bearer other" };
    assert.equal((await ask(h, {}, { headers: both })).status, 200);
    assert.equal((await h.chat({}, { headers: { "x-api-key": "secret" } })).status, 401);
  }));

// @row dialects > Messages > contexts that are too long: both numbers
test("a prompt that is too long is refused with both numbers", () =>
  withApi(saying("x"), async (h) => {
    const message = /the messages have 5018 tokens, expected fewer than 4096/;
    await refused(await ask(h, { messages: [user("a".repeat(5001))] }), 400, "invalid_request_error", message);
    await refused(
      await ask(h, { max_tokens: 9999 }),
      400,
      "invalid_request_error",
      /"max_tokens" is 9999, expected at most/,
    );
  }));

// @row dialects > Messages > `ping` while a stream waits; a late error is an event
test("a stream that waits pings, and reports a late failure as an event in that shape", async () => {
  const gate = deferred();
  const failure = { at: "end", error: new Error("/secret") } as const;
  await withApi({ answer: () => ({ hold: { at: "start", until: gate.promise }, failure }) }, async (h) => {
    const answer = ask(h, { stream: true });
    await settle();
    await h.clock.advance(15);
    gate.resolve();
    const events = await eventsOf(await answer);
    assert.deepEqual([events[0], events[1].type], [{ type: "ping" }, "message_start"]);
    const last = events.at(-1)!;
    assert.deepEqual([last.type, last.error.type], ["error", "api_error"]);
    assert.doesNotMatch(JSON.stringify(events), /secret/);
  });
});

// @row dialects > Messages > a client that disconnects frees its slot
test("a client that leaves a stream of a message ends it", async () => {
  const hold = deferred();
  await withApi({ answer: () => ({ hold: { at: "end", until: hold.promise } }) }, async (h) => {
    const reader = (await ask(h, { stream: true })).body!.getReader();
    await reader.read();
    await reader.cancel();
    await settle();
    await settle();
    const { admission } = await h.api.status();
    assert.deepEqual([admission.activeRequests, admission.totalCancelledRequests, h.errors.length], [0, 1, 0]);
  });
});

// @row model-api > Endpoints > POST `/v1/messages/count_tokens`
// @row dialects > Messages > `count_tokens` by the real template
test("count_tokens has the tokens that the chat then has, and holds no slot", () =>
  withApi(saying("Hello."), async (h) => {
    for (const fields of [{}, { system: "Be brief", tools }, { messages: [user([{ type: "text", text: "é€" }])] }]) {
      const json = { model: "chat-a", messages: [user("Hi")], ...fields };
      const { input_tokens: counted } = await (await h.call("POST", "/v1/messages/count_tokens", { json })).json();
      const { usage } = await (await ask(h, fields)).json();
      assert.equal(counted, usage.input_tokens + usage.cache_read_input_tokens);
    }
    const bad = await h.call("POST", "/v1/messages/count_tokens", {
      json: { model: "chat-a", messages: [user([{}])] },
    });
    await refused(bad, 400, "invalid_request_error", /"messages\[0\].content\[0\].type" is missing/);
  }));

test("what is accepted without effect is named, what clients always send is not", () =>
  withApi({}, async (h) => {
    const quiet = await ask(h, {
      metadata: { user_id: "u" },
      service_tier: "auto",
      cache_control: { type: "ephemeral" },
    });
    assert.equal(quiet.headers.get("x-svc-warning"), null);
    const redacted = {
      role: "assistant",
      content: [{ type: "redacted_thinking", data: "x" }, { type: "text", text: "y" }],
    };
    const loud = await ask(h, { messages: [user("a"), redacted, user("b")], context_management: {} });
    const warning = loud.headers.get("x-svc-warning") ?? "";
    const effort = await ask(h, { output_config: { effort: "high" }, thinking: { type: "adaptive" } });
    assert.match(
      effort.headers.get("x-svc-warning") ?? "",
      /^Ignored output_config.effort: the model does not reason$/,
    );
    assert.match(warning, /"context_management".*Ignored messages\[1\]\.content\[0\]/);
  }));

test("the document of the model API has every field of a message", () => {
  const described = Object.keys(modelApi.description["components"]["schemas"]["MessagesRequest"]["properties"]);
  assert.deepEqual(described.sort(), Object.keys(messagesEntries).sort());
});
