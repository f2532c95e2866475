import assert from "node:assert/strict";
import { test } from "node:test";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import type { FakeAnswer } from "../../support/fake_chat_engine.ts";
import { type RealtimeTestClient, withRealtime } from "../../support/realtime_client.ts";
import { deferred } from "../../support/world_harness.ts";

const say = (text: string) => ({
  type: "conversation.item.create",
  item: { type: "message", role: "user", content: [{ type: "input_text", text }] },
});

// @row model-api > Endpoints > GET `/v1/realtime`
// @row dialects > Realtime > the events of a text conversation: session, items, response, usage
test("a text conversation has the events of the general version", () =>
  withRealtime({}, async ({ connect, h }) => {
    const client = connect();
    const { session } = await client.next("session.created");
    assert.equal(session.type, "realtime");
    assert.equal(session.model, "chat-a");
    assert.deepEqual(session.output_modalities, ["text"]);
    client.send({ type: "session.update", session: { type: "realtime", instructions: "Be brief." } });
    assert.equal((await client.next("session.updated")).session.instructions, "Be brief.");
    client.send(say("Hi"));
    const { item } = await client.next("conversation.item.done");
    assert.deepEqual(item.content, [{ type: "input_text", text: "Hi" }]);
    client.send({ type: "response.create" });
    const events = await client.upTo("response.done");
    assert.deepEqual(events.map(({ type }) => type), [
      "response.created",
      "rate_limits.updated",
      "response.output_item.added",
      "conversation.item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "conversation.item.done",
      "response.output_item.done",
      "response.done",
    ]);
    const { response } = events.at(-1)!;
    assert.equal(response.status, "completed");
    assert.equal(response.output[0].content[0].text, "Hello there");
    assert.deepEqual(response.usage.input_token_details.cached_tokens, 3);
    const { request } = h.chats.get("chat-a")!.calls[0];
    assert.deepEqual(request.messages.map(({ role, content }) => [role, content]), [
      ["system", "Be brief."],
      ["user", "Hi"],
    ]);
  }));

// @row dialects > Realtime > the names of the beta by `OpenAI-Beta` or a subprotocol
test("a text conversation has the events of the beta where a client asks for it", () =>
  withRealtime({}, async ({ connect }) => {
    for (
      const init of [{ headers: { "openai-beta": "realtime=v1" } }, {
        protocols: ["realtime", "openai-beta.realtime-v1"],
      }]
    ) {
      const client = connect("?model=chat-a", init);
      const { session } = await client.next("session.created");
      assert.deepEqual([session.modalities, session.input_audio_format, session.type], [["text"], "pcm16", undefined]);
      await client.next("conversation.created");
      const own = { modalities: ["text"], temperature: 0.6, max_response_output_tokens: 20, turn_detection: null };
      client.send({ type: "session.update", session: { ...own, tools: [], tool_choice: "auto" } });
      const updated = (await client.next("session.updated")).session;
      assert.deepEqual([updated.temperature, updated.max_response_output_tokens], [0.6, 20]);
      client.send(say("Hi"));
      client.send({ type: "response.create", response: { modalities: ["text"] } });
      const types = (await client.upTo("response.done")).map(({ type }) => type);
      assert.deepEqual(types, [
        "conversation.item.created",
        "response.created",
        "rate_limits.updated",
        "response.output_item.added",
        "conversation.item.created",
        "response.content_part.added",
        "response.text.delta",
        "response.text.delta",
        "response.text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.done",
      ]);
      assert.equal(client.events.at(-1)!.response.output[0].content[0].type, "text");
      assert.equal(client.socket.protocol, "protocols" in init ? "realtime" : "");
    }
  }));

const weather = {
  type: "function",
  name: "weather",
  description: "The weather",
  parameters: { type: "object", properties: { city: { type: "string" } } },
};

// @row dialects > Realtime > functions: typed events, outputs, orphans and ids that are used twice
test("functions are called with typed events, and their outputs continue the conversation", () => {
  const call = { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Bern"}' } } as const;
  const answers: FakeAnswer[] = [{
    pieces: [],
    outcome: {
      answer: {
        rest: "",
        restReasoning: undefined,
        message: { role: "assistant", content: "", tool_calls: [call] },
        finishReason: "tool_calls",
      },
    },
  }, {}];
  return withRealtime({ answer: () => answers.shift() ?? {} }, async ({ connect, h }) => {
    const client = connect();
    client.send = client.send.bind(client);
    await client.next("session.created");
    client.send({ type: "session.update", session: { type: "realtime", tools: [weather], tool_choice: "required" } });
    await client.next("session.updated");
    client.send(say("How is the weather in Bern?"));
    client.send({ type: "response.create" });
    const events = await client.upTo("response.done");
    const one = (type: string) => events.find((event) => event.type === type)!;
    assert.equal(one("response.function_call_arguments.delta").delta, '{"city":"Bern"}');
    assert.deepEqual(
      [one("response.function_call_arguments.done").name, one("response.function_call_arguments.done").call_id],
      ["weather", "call_1"],
    );
    const { item } = one("response.output_item.done");
    assert.deepEqual([item.type, item.call_id, item.arguments], ["function_call", "call_1", '{"city":"Bern"}']);
    const output = (call_id: string) => ({
      type: "conversation.item.create",
      item: { type: "function_call_output", call_id, output: "Sunny" },
    });
    client.send(output("call_9"));
    await assert.rejects(client.next("conversation.item.done"), /item\.call_id/);
    client.send(output("call_1"));
    await client.next("conversation.item.done");
    client.send(output("call_1"));
    await assert.rejects(client.next("conversation.item.done"), /which an earlier output has/);
    client.send({ type: "response.create", response: { tool_choice: "none" } });
    await client.next("response.done");
    const { messages, tools } = h.chats.get("chat-a")!.calls[1].request;
    assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "tool"]);
    assert.equal(tools.length, 0);
  });
});

// @row dialects > Realtime > `response.cancel`, one response at a time
test("a response is cancelled by its client, and only one of a conversation runs at a time", () => {
  const gate = deferred<void>();
  return withRealtime({ answer: () => ({ hold: { at: "end", until: gate.promise } }), maxActiveRequests: 4 }, async (
    { connect, h },
  ) => {
    const client = connect();
    await client.next("session.created");
    client.send({ type: "response.create", event_id: "first" });
    const delta = await client.next("response.output_text.delta");
    client.send({ type: "response.create", event_id: "second" });
    await assert.rejects(client.next("response.done"), /conversation_already_has_active_response.*"second"/);
    client.send({ type: "response.cancel", response_id: "resp_other" });
    await assert.rejects(client.next("response.done"), /response_cancel_not_active/);
    client.send({ type: "response.cancel", response_id: delta.response_id });
    const { response } = await client.next("response.done");
    assert.deepEqual(response.status_details, { type: "cancelled", reason: "client_cancelled" });
    assert.equal(response.output[0].status, "incomplete");
    assert.ok(h.chats.get("chat-a")!.calls[0].signal.aborted);
    client.send({ type: "response.cancel" });
    await assert.rejects(client.next("response.done"), /response_cancel_not_active/);
    gate.resolve();
  });
});

// @row dialects > Realtime > responses beside the conversation with their own input and metadata
test("a response beside the conversation has its own input, and leaves nothing in it", () =>
  withRealtime({ maxActiveRequests: 4 }, async ({ connect, h }) => {
    const client = connect();
    await client.next("session.created");
    client.send(say("Kept"));
    const { item } = await client.next("conversation.item.done");
    const input = [{ type: "item_reference", id: item.id }, {
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "Own" }],
    }];
    const metadata = { topic: "classification" };
    client.send({
      type: "response.create",
      response: { conversation: "none", instructions: "Classify.", input, metadata, max_output_tokens: 5 },
    });
    const events = await client.upTo("response.done");
    assert.equal(events.some(({ type }) => type.startsWith("conversation.")), false);
    const { response } = events.at(-1)!;
    assert.deepEqual([response.metadata, response.conversation_id], [metadata, null]);
    const { request } = h.chats.get("chat-a")!.calls[0];
    assert.deepEqual(request.messages.map(({ content }) => content), ["Classify.", "Kept", "Own"]);
    assert.equal(request.maxTokens, 5);
    client.send({ type: "conversation.item.retrieve", item_id: response.output[0].id });
    await assert.rejects(client.next("conversation.item.retrieved"), /item_not_found/);
  }));

// @row dialects > Realtime > `conversation.item` create, retrieve, delete, at any place
test("items are added at their place, found and deleted", () =>
  withRealtime({}, async ({ connect, h }) => {
    const client = connect();
    await client.next("session.created");
    const put = (id: string, previous_item_id?: string) =>
      client.send({ ...say(id), item: { ...say(id).item, id }, previous_item_id });
    put("b");
    put("a", "root");
    put("c", "b");
    put("gone", "a");
    client.send({ type: "conversation.item.delete", item_id: "gone" });
    assert.equal((await client.next("conversation.item.deleted")).item_id, "gone");
    const added = client.events.filter(({ type }) => type === "conversation.item.added");
    assert.deepEqual(added.map(({ previous_item_id }) => previous_item_id), [null, null, "b", "a"]);
    put("c");
    await assert.rejects(client.next("conversation.item.added"), /item\.id/);
    put("d", "gone");
    await assert.rejects(client.next("conversation.item.added"), /previous_item_id/);
    client.send({ type: "response.create" });
    await client.next("response.done");
    const { messages } = h.chats.get("chat-a")!.calls[0].request;
    assert.deepEqual(messages.map(({ content }) => content), ["a", "b", "c"]);
  }));

const refusals: readonly (readonly [string, Record<string, unknown>, string, string])[] = [
  ["an unknown event", { type: "session.destroy" }, "invalid_type", "type"],
  ["an event without a type", {}, "missing_field", "type"],
  ["an unknown field", { type: "input_audio_buffer.commit", force: true }, "unknown_field", "force"],
  [
    "a field of another version",
    { type: "session.update", session: { type: "realtime", voice: "ash" } },
    "unknown_field",
    "session.voice",
  ],
  [
    "a session of another kind",
    { type: "session.update", session: { type: "transcription" } },
    "wrong_type",
    "session.type",
  ],
  [
    "another model",
    { type: "session.update", session: { type: "realtime", model: "other" } },
    "invalid_session",
    "session.model",
  ],
  [
    "both modalities",
    { type: "session.update", session: { type: "realtime", output_modalities: ["text", "audio"] } },
    "invalid_session",
    "session.output_modalities",
  ],
  [
    "another format",
    { type: "session.update", session: { type: "realtime", audio: { input: { format: { type: "audio/opus" } } } } },
    "invalid_session",
    "session.audio.input.format.type",
  ],
  [
    "a threshold above 1",
    {
      type: "session.update",
      session: { type: "realtime", audio: { input: { turn_detection: { type: "server_vad", threshold: 2 } } } },
    },
    "invalid_session",
    "session.audio.input.turn_detection.threshold",
  ],
  [
    "noise reduction",
    {
      type: "session.update",
      session: { type: "realtime", audio: { input: { noise_reduction: { type: "near_field" } } } },
    },
    "unsupported_parameter",
    "session.audio.input.noise_reduction",
  ],
  [
    "a tool of a server",
    { type: "session.update", session: { type: "realtime", tools: [{ type: "mcp", server_label: "x" }] } },
    "invalid_session",
    "session.tools[0].type",
  ],
  [
    "a tool twice",
    { type: "session.update", session: { type: "realtime", tools: [weather, weather] } },
    "invalid_session",
    "session.tools",
  ],
  [
    "a choice without its tool",
    {
      type: "session.update",
      session: { type: "realtime", tools: [weather], tool_choice: { type: "function", name: "x" } },
    },
    "invalid_session",
    "session.tool_choice",
  ],
  ["an unknown item", { type: "conversation.item.create", item: { type: "file" } }, "invalid_item", "item.type"],
  [
    "an unknown role",
    { type: "conversation.item.create", item: { type: "message", role: "tool", content: [] } },
    "wrong_type",
    "item.role",
  ],
  [
    "an unknown part",
    {
      type: "conversation.item.create",
      item: { type: "message", role: "user", content: [{ type: "output_text", text: "" }] },
    },
    "invalid_item",
    "item.content[0].type",
  ],
  [
    "sound that is not base64",
    {
      type: "conversation.item.create",
      item: { type: "message", role: "user", content: [{ type: "input_audio", audio: "*" }] },
    },
    "invalid_audio",
    "audio",
  ],
  ["no item", { type: "conversation.item.delete", item_id: "none" }, "item_not_found", "item_id"],
  [
    "a reference to nothing",
    { type: "response.create", response: { input: [{ type: "item_reference", id: "none" }] } },
    "item_not_found",
    "response.input[0].id",
  ],
  [
    "an image that the model cannot see",
    {
      type: "response.create",
      response: {
        conversation: "none",
        input: [{
          type: "message",
          role: "user",
          content: [{ type: "input_image", image_url: "data:image/png;base64,AAAA" }],
        }],
      },
    },
    "unsupported_parameter",
    "response.input[0].content",
  ],
  [
    "too many tokens",
    { type: "response.create", response: { max_output_tokens: 10_000_000 } },
    "invalid_response",
    "response.max_output_tokens",
  ],
  [
    "no tokens",
    { type: "response.create", response: { max_output_tokens: 0 } },
    "invalid_response",
    "response.max_output_tokens",
  ],
];

for (const [what, event, code, param] of refusals) {
  // @row dialects > Realtime > unknown events, fields and values are refused by their path, and the session continues
  test(`${what} is refused by its path, and the session continues`, () =>
    withRealtime({}, async ({ connect, h }) => {
      const client = connect();
      await client.next("session.created");
      client.send({ ...event, event_id: "mine" });
      await client.next("error").catch(() => {});
      const { error } = client.events.at(-1)!;
      assert.deepEqual([error.code, error.param, error.event_id], [code, param, "mine"], JSON.stringify(error));
      client.send({ type: "response.create" });
      assert.equal((await client.next("response.done")).response.status, "completed");
      assert.equal(h.chats.get("chat-a")!.calls.length, 1, "what was refused has reached no model");
    }));
}

// @row dialects > Realtime > `status_details`: cancelled, incomplete, failed
test("a context that is too long is refused with both numbers, and an answer that is cut off says so", () => {
  const tooLong = () =>
    new SvcError("context_length_exceeded", "Cannot complete the chat: 70 tokens, expected at most 60");
  const answers: FakeAnswer[] = [
    { failure: { at: "start", error: tooLong() } },
    {
      pieces: ["Cut"],
      outcome: {
        answer: {
          rest: "",
          restReasoning: undefined,
          message: { role: "assistant", content: "Cut" },
          finishReason: "length",
        },
      },
    },
  ];
  return withRealtime({ answer: () => answers.shift()! }, async ({ connect }) => {
    const client = connect();
    await client.next("session.created");
    const run = async () => {
      client.send({ type: "response.create" });
      return (await client.next("response.done")).response;
    };
    const failed = await run();
    assert.deepEqual([failed.status, failed.status_details.error.code], ["failed", "context_length_exceeded"]);
    assert.match(failed.status_details.error.message, /70 tokens, expected at most 60/);
    const cut = await run();
    assert.deepEqual(cut.status_details, { type: "incomplete", reason: "max_output_tokens" });
    assert.equal(cut.output[0].status, "incomplete");
  });
});

// @row dialects > Realtime > rate limit, number and age of sessions, models that are not installed
test("each response and each turn counts as a request of the client", () =>
  withRealtime({ rateLimitPerMinute: 3 }, async ({ connect }) => {
    const client = connect();
    await client.next("session.created");
    const respond = () => client.send({ type: "response.create" });
    respond();
    const { rate_limits: [limit] } = await client.next("rate_limits.updated");
    assert.deepEqual([limit.name, limit.limit, limit.remaining], ["requests", 3, 1]);
    await client.next("response.done");
    respond();
    await client.next("response.done");
    respond();
    await assert.rejects(client.next("response.created"), /rate_limit_exceeded/);
    const other = connect();
    assert.equal((await other.refused).status, 429);
  }));

// @row dialects > Realtime > rate limit, number and age of sessions, models that are not installed
test("a session ends at its age, and one with a model that is not installed says how to get it", () =>
  withRealtime({}, async ({ connect, h }) => {
    const client = connect();
    const { session } = await client.next("session.created");
    assert.equal(session.expires_at, Math.floor(h.clock.now() / 1000) + 3600);
    await h.clock.advance(3601);
    await assert.rejects(client.next("none"), /session_expired/);
    assert.equal((await client.closed).code, 1000);
    const other = connect("?model=qwen3-0.6b");
    await assert.rejects(other.next("session.created"), /model_not_found.*svc model pull/);
    assert.equal((await other.closed).code, 1008);
    const unnamed = connect("");
    assert.equal((await unnamed.next("session.created")).session.model, "chat-a");
    const embed: RealtimeTestClient = connect("?model=embed");
    await assert.rejects(embed.next("session.created"), /wrong_model_task/);
  }));
