/**
 * The requests that Open WebUI sends, recorded between it and a server, to a server with tiny models: statuses, and what
 * its code reads of the answers. `run_open_webui.ts` beside this file is the same with Open WebUI itself.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { type ApiProcess, openApiProcess } from "../../support/api_process.ts";

/** Answers, of which the shapes are what is tested. */
// deno-lint-ignore no-explicit-any
type Body = any;

const recorded: Body = JSON.parse(readFileSync(new URL("requests.json", import.meta.url), "utf8"));
const KEY = "a-key-of-more-than-16-characters";
const bearer = { authorization: `Bearer ${KEY}` };

let server: ApiProcess;

before(async () => {
  const models = ["tiny-chat", "tiny-embed", "tiny-transcription"] as const;
  server = await openApiProcess({ models, args: ["--model=tiny-chat"], env: { SVC_API_KEY: KEY } });
});
after(() => server.close());

/** Sends bytes as Open WebUI does: with its headers, and in chunks. */
function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: readonly Uint8Array[] = [],
): Promise<{ status: number; type: string; bytes: Uint8Array }> {
  return new Promise((resolve, reject) => {
    const all = { ...recorded.headers, "accept-encoding": "identity", ...headers };
    const sent = request(server.url + path, { method, headers: all }, (answer) => {
      const parts: Uint8Array[] = [];
      answer.on("data", (part: Uint8Array) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode!,
          type: answer.headers["content-type"] ?? "",
          bytes: new Uint8Array(Buffer.concat(parts)),
        }));
    });
    sent.on("error", reject);
    for (const part of body) sent.write(part);
    sent.end();
  });
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function json(method: string, path: string, headers: Record<string, string> = {}, body?: unknown): Promise<Body> {
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const parts = body === undefined ? [] : [new TextEncoder().encode(JSON.stringify(body))];
  const { status, type, bytes } = await send(method, path, { ...json, ...headers }, parts);
  assert.match(type, /^application\/json/);
  return { status, body: JSON.parse(textOf(bytes)) };
}

/** What it makes of a stream: lines of `data:`; others it skips. */
async function stream(chat: unknown): Promise<Body[]> {
  const body = [new TextEncoder().encode(JSON.stringify(chat))];
  const { status, type, bytes } = await send("POST", "/v1/chat/completions", {
    "content-type": "application/json",
    ...bearer,
  }, body);
  assert.equal(status, 200, textOf(bytes));
  assert.match(type, /^text\/event-stream/);
  const lines = textOf(bytes).split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
  assert.equal(lines.pop(), "[DONE]");
  return lines.map((line) => JSON.parse(line));
}

const said = (chunks: readonly Body[]): string => chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");

// @row model-api > Service > Rule 6: the requests of Open WebUI are answered as it expects
test("Open WebUI lists models under different names, and hides those that do not chat", async () => {
  const { status, body } = await json("GET", "/v1/models", bearer);
  assert.equal(status, 200);
  const entries: [string, Body][] = body.data.map((entry: Body) => [entry.id, entry]);
  assert.equal(new Set(entries.map(([, { name }]) => name)).size, entries.length);
  const shown = entries.filter(([, { info }]) => !info.meta.hidden).map(([id]) => id);
  assert.deepEqual(shown, ["tiny-chat"]);
  assert.equal(typeof Object.fromEntries(entries)["tiny-chat"].info.meta.capabilities.builtin_tools, "boolean");
});

test("Open WebUI gets what is wrong with a key, in words that it can show", async () => {
  for (const headers of [{}, { authorization: "Bearer wrong" }]) {
    const { status, body } = await json("GET", "/v1/models", headers);
    assert.equal(status, 401);
    assert.match(body.error.message, /token/);
  }
  // It asks for these two without its key, and then lists OpenAI's names, which the server understands.
  for (const path of ["/v1/audio/models", "/v1/audio/voices"]) assert.equal((await json("GET", path)).status, 401);
  assert.deepEqual((await json("GET", "/v1/audio/models", bearer)).body, { models: [] });
  assert.deepEqual((await json("GET", "/v1/audio/voices", bearer)).body, { voices: [] });
});

// @row model-api > Service > Rule 6: the requests of Open WebUI are answered as it expects
test("Open WebUI chats, whole and streamed, and has titles and tags made beside", async () => {
  const { whole, streamed, title, tags } = recorded.chat;
  for (const chat of [whole, title, tags]) {
    const { status, body } = await json("POST", "/v1/chat/completions", bearer, chat);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(typeof body.choices[0].message.content, "string");
    assert.ok(body.usage.total_tokens > 0);
  }
  const chunks = await stream(streamed);
  assert.notEqual(said(chunks), "");
  assert.equal(chunks.find(({ choices }) => choices[0]?.finish_reason)?.choices[0].finish_reason, "stop");
  assert.ok(chunks.at(-1).usage.completion_tokens > 0);
});

test("Open WebUI sends its functions, and their results, in its schemas", async () => {
  const asked = await stream(recorded.chat.withFunctions);
  assert.ok(asked.some(({ choices }) => choices[0]?.finish_reason), "it ends");
  const answered = await stream(recorded.chat.afterACall);
  assert.match(said(answered), /sunny/);
});

test("Open WebUI gets both numbers of a chat that is too long, before a stream begins", async () => {
  const messages = [{ role: "user", content: "word ".repeat(40_000) }];
  const { status, body } = await json("POST", "/v1/chat/completions", bearer, { ...recorded.chat.streamed, messages });
  assert.equal(status, 400);
  assert.equal(body.error.code, "context_length_exceeded");
  assert.match(body.error.message, /\d+ tokens, expected fewer than \d+/);
});

// @row model-api > Service > Rule 6: the requests of Open WebUI are answered as it expects
test("Open WebUI embeds pieces of a document and a question, as numbers in their order", async () => {
  const widths = new Set<number>();
  for (const request of recorded.embeddings) {
    const { status, body } = await json("POST", "/v1/embeddings", bearer, request);
    assert.equal(status, 200);
    assert.equal(body.data.length, request.input.length);
    for (const { embedding } of body.data) {
      assert.ok(embedding.every((value: unknown) => typeof value === "number"));
      widths.add(embedding.length);
    }
  }
  assert.equal(widths.size, 1);
});

// @row model-api > Service > Rule 6: the requests of Open WebUI are answered as it expects
test("Open WebUI has recordings transcribed, sent in chunks and without their type", async () => {
  const { boundary, head, tail } = recorded.transcription;
  const sound = new Uint8Array(readFileSync(new URL("../../fixtures/sounds/vbr.mp3", import.meta.url)));
  const headers = { ...bearer, "content-type": `multipart/form-data; boundary=${boundary}` };
  const encode = (text: string) => new TextEncoder().encode(text);
  const { status, bytes } = await send("POST", "/v1/audio/transcriptions", headers, [
    encode(head),
    sound,
    encode(tail),
  ]);
  assert.equal(status, 200, textOf(bytes));
  assert.equal(typeof JSON.parse(textOf(bytes)).text, "string");
});

test("Open WebUI has an image made, of its own size", async (t) => {
  const { body: { data: models } } = await json("GET", "/v1/models", bearer);
  if (!models.some(({ id }: Body) => id === recorded.image.model)) return t.skip("the embedded model is not here");
  const { status, body } = await json("POST", "/v1/images/generations", bearer, recorded.image);
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(body.data[0].b64_json, /^iVBOR/);
});

test("Open WebUI shows why there is no speech where no model of speech is installed", async () => {
  const { status, body } = await json("POST", "/v1/audio/speech", bearer, recorded.speech);
  assert.equal(status, 404);
  assert.match(body.error.message, /svc model pull/);
});
