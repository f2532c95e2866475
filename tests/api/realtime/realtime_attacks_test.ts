import assert from "node:assert/strict";
import { connect as connectTcp, type Socket } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { SOCKET_LIMITS } from "../../../lib/platform/sockets/web_sockets.ts";
import { installed, usualModels } from "../../support/fake_catalog.ts";
import {
  type RealtimeHarness,
  type RealtimeTestClient,
  type Received,
  withRealtime,
} from "../../support/realtime_client.ts";

const recogniser = installed("ears", "audio.transcriptions", {
  kind: "transcription",
  engine: "onnx-moonshine",
  languages: ["en"],
  translates: false,
  words: false,
  prompts: false,
});
const models = [...usualModels(), recogniser];
const KEY = "a-key-of-sixteen-letters";

/** Whether another client is still served. */
async function othersAreServed({ connect }: RealtimeHarness, init = {}): Promise<void> {
  const client = connect("?model=chat-a", init);
  await client.next("session.created");
  client.send({ type: "response.create" });
  assert.equal((await client.next("response.done")).response.status, "completed");
}

// @row dialects > Realtime > keys as bearer token and as subprotocol; hosts and origins
test("a key is a bearer token or, from a browser, a subprotocol; without one there is no socket", () =>
  withRealtime({ apiKey: KEY }, async ({ connect, h }) => {
    const codeOf = async (client: RealtimeTestClient) => {
      const { status, body } = await client.refused;
      return [status, JSON.parse(body).error.code];
    };
    assert.deepEqual(await codeOf(connect()), [401, "missing_api_key"]);
    assert.deepEqual(await codeOf(connect("", { headers: { authorization: "Bearer wrong" } })), [
      401,
      "invalid_api_key",
    ]);
    const wrong = ["realtime", "openai-insecure-api-key.wrong"];
    assert.deepEqual(await codeOf(connect("", { protocols: wrong })), [401, "invalid_api_key"]);
    await connect("", { headers: { authorization: `Bearer ${KEY}` } }).next("session.created");
    const browser = connect("", {
      protocols: ["realtime", `openai-insecure-api-key.${KEY}`, "openai-beta.realtime-v1"],
    });
    await browser.next("session.created");
    assert.equal(browser.socket.protocol, "realtime");
    const answers = h.answers.map(({ status, route, path }) => [status, route, path]);
    assert.deepEqual(answers.slice(-1), [[101, "/v1/realtime", "/v1/realtime"]]);
    assert.equal(JSON.stringify(h.answers).includes(KEY), false);
  }));

// @row dialects > Realtime > keys as bearer token and as subprotocol; hosts and origins
test("pages of other origins and other hosts are refused", () =>
  withRealtime({ allowOrigins: ["https://app.example.com"] }, async ({ connect }) => {
    const evil = await connect("", { headers: { origin: "https://evil.example.com" } }).refused;
    assert.deepEqual([evil.status, JSON.parse(evil.body).error.code], [403, "origin_not_allowed"]);
    const rebound = await connect("", { headers: { host: "evil.example.com" } }).refused;
    assert.deepEqual([rebound.status, JSON.parse(rebound.body).error.code], [403, "host_not_allowed"]);
    await connect("", { headers: { origin: "https://app.example.com" } }).next("session.created");
  }));

// @row dialects > Realtime > invalid handshakes, upgrades of other protocols
test("what is not a handshake is refused as any request is, and upgrades elsewhere are ordinary requests", () =>
  withRealtime({}, async ({ url, h }) => {
    const plain = await fetch(`${url}/v1/realtime`);
    assert.equal(plain.status, 426);
    assert.equal((await plain.json()).error.code, "upgrade_required");
    assert.equal((await h.call("GET", "/v1/realtime")).status, 426, "also by a host that listens by itself");
    assert.equal((await fetch(`${url}/v1/realtime`, { method: "POST" })).status, 405);
    const handshake = (path: string, headers: string) =>
      raw(url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n${headers}\r\n`);
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    const socket = `Upgrade: websocket\r\n${key}Sec-WebSocket-Version: 13\r\n`;
    assert.match(await handshake("/v1/realtime", socket.replace("13", "7")), /^HTTP\/1\.1 426 /);
    assert.match(await handshake("/v1/realtime", socket.replace("dGhl", "****")), /^HTTP\/1\.1 426 /);
    assert.match(await handshake("/health", socket), /^HTTP\/1\.1 200 [^]*"ok"/);
    assert.match(await handshake("/none", socket), /^HTTP\/1\.1 404 [^]*path_not_found/);
    assert.match(await handshake("/health", "Upgrade: h2c\r\n"), /^HTTP\/1\.1 200 [^]*"ok"/);
    const body = JSON.stringify({ model: "chat-a", messages: [{ role: "user", content: "Hi" }] });
    const java =
      `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\n` +
      `Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
    assert.match(await raw(url, java), /^HTTP\/1\.1 200 [^]*Hello there/);
  }));

// @row dialects > Realtime > huge, binary and malformed messages, floods, slow and half-open clients
test("huge messages, binary ones and malformed events harm nobody else", () =>
  withRealtime({ models }, async (harness) => {
    const { connect } = harness;
    const huge = connect();
    await huge.next("session.created");
    huge.socket.send("x".repeat(SOCKET_LIMITS.messageBytes + 1));
    assert.equal((await huge.closed).code, 1009);
    const binary = connect();
    await binary.next("session.created");
    binary.socket.send(new Uint8Array(100));
    assert.equal((await binary.closed).code, 1003);
    const wild = connect();
    await wild.next("session.created");
    const texts = [
      "",
      "no",
      "[]",
      "null",
      "1",
      '"x"',
      '{"type":',
      '{"type":"response.create","type":"x"}',
      "[".repeat(5_000),
      `[${"1,".repeat(600_000)}1]`,
    ];
    for (const text of texts) {
      wild.socket.send(text);
      await assert.rejects(wild.next("none"), /invalid_json|duplicate_field/, text.slice(0, 40));
    }
    await othersAreServed(harness);
  }));

// @row dialects > Realtime > huge, binary and malformed messages, floods, slow and half-open clients
test("invalid base64, odd bytes and more sound than can wait are refused, and thousands of tiny parts are taken", () =>
  withRealtime({ models }, async (harness) => {
    const client = harness.connect();
    await client.next("session.created");
    client.send({ type: "session.update", session: { type: "realtime", audio: { input: { turn_detection: null } } } });
    await client.next("session.updated");
    const append = (audio: unknown) => client.send({ type: "input_audio_buffer.append", audio });
    for (const audio of ["*not base64*", "A", "AAAA", null, 7, { bytes: "AAAA" }]) {
      append(audio);
      await assert.rejects(client.next("none"), /"param":"audio"/, JSON.stringify(audio));
    }
    const tiny = Buffer.alloc(2).toString("base64");
    for (let i = 0; i < 1_900; i++) append(tiny);
    client.send({ type: "input_audio_buffer.commit" });
    await assert.rejects(client.next("none"), /79 ms wait/);
    const minute = Buffer.alloc(60 * 48_000).toString("base64");
    for (let i = 0; i < 5; i++) append(minute);
    await assert.rejects(client.next("none"), /60 s|240 s wait already, expected at most 300 s/);
    client.send({ type: "input_audio_buffer.clear" });
    await client.next("input_audio_buffer.cleared");
    await othersAreServed(harness);
  }));

// @row dialects > Realtime > huge, binary and malformed messages, floods, slow and half-open clients
test("a flood of pings or of events ends the session of its client alone", () =>
  withRealtime({ sockets: { ...SOCKET_LIMITS, perSecond: 100 } }, async (harness) => {
    const pings = harness.connect();
    await pings.next("session.created");
    for (let i = 0; i < 500; i++) pings.socket.ping("x".repeat(100));
    assert.equal((await pings.closed).code, 1008);
    const events = harness.connect();
    await events.next("session.created");
    for (let i = 0; i < 500; i++) events.send({ type: "input_audio_buffer.clear" });
    assert.equal((await events.closed).code, 1008);
    await othersAreServed(harness);
  }));

// @row dialects > Realtime > huge, binary and malformed messages, floods, slow and half-open clients
test("a client that reads nothing is left", () =>
  withRealtime({ sockets: { ...SOCKET_LIMITS, waitingBytes: 256 * 1024 } }, async (harness) => {
    const client = harness.connect();
    await client.next("session.created");
    const item = {
      id: "long",
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "x".repeat(200_000) }],
    };
    client.send({ type: "conversation.item.create", item });
    await client.next("conversation.item.done");
    client.socket.pause();
    const retrieve = JSON.stringify({ type: "conversation.item.retrieve", item_id: "long" });
    for (let i = 0; i < 60; i++) client.socket.send(retrieve);
    // What the kernels hold of both ends is a few MiB; the server keeps no more than its limit besides.
    await until(async () => (await openSessions(harness)) === 0);
    client.socket.terminate();
    await othersAreServed(harness);
  }));

// @row dialects > Realtime > huge, binary and malformed messages, floods, slow and half-open clients
test("a client that is half gone is found by pings", () =>
  withRealtime({ sockets: { ...SOCKET_LIMITS, ping: 400 } }, async (harness) => {
    const silent = await rawSocket(harness.url);
    await until(async () => (await openSessions(harness)) === 1);
    await until(async () => (await openSessions(harness)) === 0);
    silent.destroy();
    const alive = harness.connect(); // answers pings by itself
    await alive.next("session.created");
    await new Promise((resolve) => setTimeout(resolve, 1_400));
    alive.send({ type: "response.create" });
    await alive.next("response.done");
  }));

// @row dialects > Realtime > rate limit, number and age of sessions, models that are not installed
test("there are only so many sessions, and each gives its place back", () =>
  withRealtime({}, async ({ connect, h }) => {
    const open = Array.from({ length: 64 }, () => connect());
    await Promise.all(open.map((client) => client.next("session.created")));
    const late = await connect().refused;
    assert.deepEqual([late.status, JSON.parse(late.body).error.code], [429, "too_many_realtime_sessions"]);
    await open[0].close();
    await until(() => Promise.resolve(h.api.realtime.counts.open === 63));
    await connect().next("session.created");
  }));

// @row dialects > Realtime > a client that disconnects ends its response; a server that stops says goodbye
test("a client that disconnects ends its response, and a server that stops says goodbye", async () => {
  const never = new Promise<void>(() => {});
  let goodbye: RealtimeTestClient | undefined;
  await withRealtime({ answer: () => ({ hold: { at: "start", until: never } }) }, async ({ connect, h }) => {
    const client = connect();
    await client.next("session.created");
    client.send({ type: "response.create" });
    await until(() => Promise.resolve(h.chats.get("chat-a")?.active === 1));
    client.socket.terminate();
    await until(() => Promise.resolve(h.chats.get("chat-a")?.active === 0));
    goodbye = connect();
    await goodbye.next("session.created");
    goodbye.close = () => Promise.resolve(); // stays until the server ends
  });
  assert.equal((await goodbye!.closed).code, 1001);
});

const junk = fc.jsonValue({ maxDepth: 2 });
const id = fc.constantFrom("a", "root", "item_x", "resp_x", "");
const text = fc.oneof(fc.string({ maxLength: 20 }), junk);
const part = fc.record({
  type: fc.constantFrom("input_text", "output_text", "input_audio", "input_image", "text", "audio", "x"),
  text,
  audio: fc.constantFrom("AAAA", "AAA=", "*", ""),
  transcript: text,
  image_url: text,
}, { requiredKeys: ["type"] });
const item = fc.record({
  id: fc.oneof(id, junk),
  type: fc.constantFrom("message", "function_call", "function_call_output", "item_reference", "x"),
  role: fc.constantFrom("user", "assistant", "system", "tool"),
  content: fc.oneof(fc.array(part, { maxLength: 3 }), junk),
  call_id: id,
  name: text,
  arguments: text,
  output: text,
}, { requiredKeys: ["type"] });
const answerFields = {
  instructions: text,
  output_modalities: fc.oneof(fc.constantFrom(["text"], ["audio"]), junk),
  tools: fc.oneof(
    fc.array(fc.record({ type: fc.constantFrom("function", "mcp"), name: text, parameters: junk })),
    junk,
  ),
  tool_choice: junk,
  max_output_tokens: fc.oneof(fc.integer(), fc.constant("inf"), junk),
  reasoning: junk,
  audio: fc.oneof(junk, fc.record({ input: junk, output: junk })),
};
const wildEvent = fc.oneof(
  fc.record({ type: fc.constant("conversation.item.create"), item, previous_item_id: id }, {
    requiredKeys: ["type", "item"],
  }),
  fc.record({
    type: fc.constantFrom("conversation.item.delete", "conversation.item.retrieve"),
    item_id: fc.oneof(id, junk),
  }),
  fc.record({
    type: fc.constant("conversation.item.truncate"),
    item_id: id,
    content_index: fc.integer(),
    audio_end_ms: fc.oneof(fc.double(), junk),
  }),
  fc.record({ type: fc.constant("input_audio_buffer.append"), audio: fc.oneof(fc.base64String(), junk) }),
  fc.record({ type: fc.constantFrom("input_audio_buffer.commit", "input_audio_buffer.clear", "response.cancel") }),
  fc.record({
    type: fc.constant("response.create"),
    response: fc.record({
      ...answerFields,
      input: fc.oneof(fc.array(item), junk),
      conversation: fc.constantFrom("none", "auto"),
    }, {
      requiredKeys: [],
    }),
  }),
  fc.record({
    type: fc.constant("session.update"),
    session: fc.record({ ...answerFields, type: fc.constantFrom("realtime", "x") }, { requiredKeys: [] }),
  }),
  fc.record({ type: text, event_id: junk }),
  junk,
);

// @row dialects > Realtime > huge, binary and malformed messages, floods, slow and half-open clients
test("whatever events come, none of them fails the server", () =>
  withRealtime({ models, maxActiveRequests: 8, rateLimitPerMinute: undefined }, async (harness) => {
    for (const init of [{}, { headers: { "openai-beta": "realtime=v1" } }]) {
      const client = harness.connect("", init);
      await client.next("session.created");
      for (const event of fc.sample(wildEvent, { numRuns: 600, seed: 42 })) client.socket.send(JSON.stringify(event));
      client.send({
        type: "conversation.item.create",
        item: { id: "last", type: "message", role: "user", content: [] },
      });
      const isLast = ({ item, type }: Received) => type.startsWith("conversation.item.") && item?.id === "last";
      await until(() => Promise.resolve(client.events.some(isLast)));
      const codes = client.events.flatMap(({ type, error }) => type === "error" ? [error.code] : []);
      assert.ok(codes.length > 100, String(codes.length));
      assert.equal(codes.includes("internal_error"), false);
      await client.close();
    }
    assert.deepEqual(harness.h.errors, []);
    await othersAreServed(harness);
  }));

async function openSessions({ h }: RealtimeHarness): Promise<number> {
  await Promise.resolve();
  return h.api.realtime.counts.open;
}

/** Waits until something is so; the test's own limit of time ends it. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!await isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** What a server answers to some bytes. */
function raw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(Number(new URL(url).port), "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.on("data", (part) => {
      text += part;
      if (/\r\n\r\n[^]*[}\]]\s*$/.test(text)) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

/** A socket after its handshake, which answers nothing. */
function rawSocket(url: string): Promise<Socket> {
  return new Promise((resolve) => {
    const head = "GET /v1/realtime HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    const socket = connectTcp(Number(new URL(url).port), "127.0.0.1", () => socket.write(head));
    socket.on("error", () => {});
    socket.once("data", () => resolve(socket));
  });
}
