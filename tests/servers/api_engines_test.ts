import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { readServerSentEvents } from "../../lib/world/client/read_stream.ts";
import { encodePng } from "../../lib/media/images/png.ts";
import type { ChatChunk, ChatCompletion } from "../../lib/protocol/mod.ts";
import { type ApiProcess, openApiProcess } from "../support/api_process.ts";

const GREETING = "Hello! I am a tiny model, and I say what my script says.";
const tools = [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }];

/** Chat models, one for each engine. */
const chats = ["tiny-chat", "tiny-gguf", "tiny-diffusion"];

let server: ApiProcess;

before(async () => {
  const models = [
    "tiny-chat",
    "tiny-gguf",
    "tiny-gguf-draft",
    "tiny-diffusion",
    "tiny-vision",
    "tiny-qwen-vision",
    "tiny-gguf-vision",
    "tiny-embed",
    "tiny-rerank",
  ] as const;
  server = await openApiProcess({ models, args: ["--model=tiny-chat", "--max-active-requests=4"] });
  const drafted = await fetch(`${server.url}/runtime/models/tiny-gguf/settings`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ draftModel: "tiny-gguf-draft" }),
  });
  assert.equal(drafted.status, 200, await drafted.text());
});

after(() => server.close());

async function complete(model: string, content: string, fields: object = {}): Promise<ChatCompletion> {
  const response = await server.post("/v1/chat/completions", {
    model,
    messages: [{ role: "user", content }],
    ...fields,
  });
  const body = await response.json();
  assert.equal(response.status, 200, JSON.stringify(body));
  return body;
}

async function stream(model: string, content: string, fields: object = {}): Promise<ChatChunk[]> {
  const messages = [{ role: "user", content }];
  const response = await server.post("/v1/chat/completions", { model, messages, stream: true, ...fields });
  assert.equal(response.headers.get("content-type")?.split(";")[0], "text/event-stream");
  const frames: string[] = [];
  for await (const { data } of readServerSentEvents(response.body!)) frames.push(data);
  assert.equal(frames.pop(), "[DONE]");
  return frames.map((frame) => JSON.parse(frame));
}

/** What the tiny model says before its call. */
const SAID = "I will look it up.";

const city = (required: string[]) => ({
  tools: [{
    type: "function",
    function: {
      name: "get_weather",
      parameters: { type: "object", properties: { city: { type: "string" }, unit: { type: "string" } }, required },
    },
  }],
});

test("a call that the limit cuts off is not the answer's text, whole or streamed", async () => {
  const question = "What is the weather in Paris?";
  for (let max_tokens = 1; max_tokens < 24; max_tokens++) {
    const { choices: [whole] } = await complete("tiny-chat", question, { ...city(["city"]), max_tokens });
    assert.ok(["length", "tool_calls"].includes(whole.finish_reason), whole.finish_reason);
    assert.ok(SAID.startsWith(whole.message.content.trim()), whole.message.content);
    if (whole.finish_reason === "tool_calls") assert.equal(whole.message.tool_calls?.length, 1);
    const chunks = await stream("tiny-chat", question, { ...city(["city"]), max_tokens });
    const deltas = chunks.map(({ choices: [choice] }) => choice);
    assert.equal(deltas.map((choice) => choice?.delta.content ?? "").join(""), whole.message.content);
    assert.equal(deltas.at(-1)?.finish_reason, whole.finish_reason);
  }
});

test("finish_reason is length when the limit cuts off a second call", async () => {
  const schema = { type: "object", properties: { a: { type: "array", items: { type: "string" } } }, required: ["a"] };
  const forced = {
    tools: [{ type: "function", function: { name: "f", parameters: { ...schema, additionalProperties: false } } }],
    tool_choice: "required",
    temperature: 1,
    seed: 0,
    max_tokens: 50,
  };
  const { choices: [choice], usage } = await complete("tiny-chat", "Hi", forced);
  assert.deepEqual([choice.finish_reason, choice.message.content, usage.completion_tokens], ["length", "", 50]);
  const named = { ...forced, tool_choice: { type: "function", function: { name: "f" } }, max_tokens: 400 };
  const { choices: [one] } = await complete("tiny-chat", "Hi", named);
  assert.ok((one.message.tool_calls?.length ?? 0) <= 1);
  assert.equal(one.message.content, "");
});

test("the client gets a call without a required argument", async () => {
  const { choices: [choice] } = await complete("tiny-chat", "What is the weather in Paris?", city(["city", "unit"]));
  assert.deepEqual([choice.finish_reason, choice.message.content], ["tool_calls", SAID]);
  assert.equal(choice.message.tool_calls?.[0].function.name, "get_weather");
});

test("a conversation continues whatever arguments a call once had", async () => {
  for (const given of ["", "null", '{"city": "Par', "[1]", undefined]) {
    const response = await server.post("/v1/chat/completions", {
      model: "tiny-chat",
      max_tokens: 20,
      tools: [{ type: "function", function: { name: "now" } }],
      messages: [
        { role: "user", content: "time?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call_1", type: "function", function: { name: "now", arguments: given } }],
        },
        { role: "tool", tool_call_id: "call_1", content: "12:00" },
        { role: "user", content: "thanks" },
      ],
    });
    assert.equal(response.status, 200, await response.text());
    const isForeign = given !== undefined && given !== "" && given !== "null";
    assert.equal(response.headers.has("x-svc-warning"), isForeign, given);
  }
});

// @row model-api > Chat rules > 4: thoughts in `reasoning_content`, and back
test("each text engine answers, thinks apart, and calls tools", async () => {
  for (const model of chats) {
    const { choices: [greeting], usage } = await complete(model, "hi");
    assert.deepEqual([greeting.message.content, greeting.finish_reason], [GREETING, "stop"], model);
    assert.ok(usage.prompt_tokens > 0 && usage.completion_tokens > 0);
    const { choices: [thought] } = await complete(model, "think about it");
    assert.equal(thought.message.content, "The answer is 42.", model);
    assert.equal(thought.message.reasoning_content?.trim(), "Seven times six makes forty-two.", model);
    const { choices: [call] } = await complete(model, "the weather?", { tools });
    assert.equal(call.finish_reason, "tool_calls", model);
    assert.deepEqual(
      call.message.tool_calls?.map(({ function: { name, arguments: text } }) => [name, JSON.parse(text)]),
      [
        ["get_weather", { city: "Paris" }],
      ],
    );
  }
});

test("each text engine streams characters whole", async () => {
  for (const model of chats) {
    const chunks = await stream(model, "emoji, please");
    const text = chunks.map(({ choices: [choice] }) => choice?.delta.content ?? "").join("");
    assert.equal(text, "Of course 😀: 你好，世界 — naïve café 👩‍👩‍👧, 東京タワー 🗼 and 안녕 🇫🇷.", model);
    assert.ok(chunks.every(({ choices: [choice] }) => !choice?.delta.content?.includes("\ufffd")), model);
    assert.equal(chunks[0]?.choices[0]?.delta.role, "assistant");
    assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, "stop");
  }
});

test("each text engine streams its reasoning on request, and not otherwise", async () => {
  for (const model of chats.filter((id) => id !== "tiny-diffusion")) {
    const joined = (chunks: readonly ChatChunk[], part: "content" | "reasoning_content") =>
      chunks.map(({ choices: [choice] }) => choice?.delta[part] ?? "").join("");
    const plain = await stream(model, "think about it");
    assert.deepEqual([joined(plain, "reasoning_content"), joined(plain, "content")], ["", "The answer is 42."], model);
    for (const fields of [{}, { tools }]) {
      const chunks = await stream(model, "think about it", { ...fields, stream_options: { include_reasoning: true } });
      assert.equal(joined(chunks, "reasoning_content"), "Seven times six makes forty-two.", model);
      assert.equal(joined(chunks, "content"), "The answer is 42.", model);
      const first = (part: "content" | "reasoning_content") =>
        chunks.findIndex(({ choices: [choice] }) => choice?.delta[part]);
      assert.ok(first("reasoning_content") < first("content"), model);
    }
  }
});

// @row model-api > Chat rules > 7: `json_schema` by constrained decoding
test("JSON by a schema holds on the engines that say so, and is refused by the other", async () => {
  const schema = {
    type: "object",
    properties: { kind: { enum: ["cat", "dog"] }, age: { type: "integer", minimum: 1, maximum: 9 } },
    required: ["kind", "age"],
    additionalProperties: false,
  };
  const format = { response_format: { type: "json_schema", json_schema: { name: "pet", strict: true, schema } } };
  for (const model of ["tiny-chat", "tiny-gguf"]) {
    const value = JSON.parse((await complete(model, "a pet", format)).choices[0].message.content);
    assert.deepEqual(Object.keys(value).sort(), ["age", "kind"], model);
    assert.ok(["cat", "dog"].includes(value.kind) && value.age >= 1 && value.age <= 9, JSON.stringify(value));
  }
  const messages = [{ role: "user", content: "a pet" }];
  const refused = await server.post("/v1/chat/completions", { model: "tiny-diffusion", messages, ...format });
  assert.deepEqual([refused.status, (await refused.json()).error.param], [400, "response_format"]);
});

// @row model-api > Chat rules > 11: diffusion: 256 tokens, seed, drafts, diagnostics, headers
test("the diffusion engine shows its drafts and diagnostics", async () => {
  const chunks = await stream("tiny-diffusion", "hi", { svc_show_unmasking: true, seed: 7 });
  const drafts = chunks.flatMap(({ choices: [choice] }) => choice?.delta.svc_diffusion_draft ?? []);
  assert.deepEqual(drafts.map(({ step }) => step), drafts.map((_, i) => i + 1));
  assert.ok(drafts.length > 1 && drafts.length <= drafts[0]!.total_steps, `${drafts.length}`);
  const last = chunks.at(-1) as ChatChunk & { svc_diffusion?: { seed: number; denoisingSteps: number } };
  assert.equal(last.svc_diffusion?.seed, 7);
  const { svc_diffusion: described } = await complete("tiny-diffusion", "hi", { seed: 7 });
  assert.ok(described && described.seed === 7 && described.denoisingSteps > 0 && described.canvasTokens <= 256);
});

// @row model-api > Chat rules > 6: vision engines see them
test("a vision model sees pictures in data URLs and in files that the server allows, and no others", async () => {
  const png = async (r: number, g: number, b: number) =>
    await encodePng({ width: 8, height: 8, data: new Uint8Array(8 * 8 * 3).map((_, i) => [r, g, b][i % 3]!) });
  const ask = (url: string, model = "tiny-vision", fields = {}, signal?: AbortSignal) => {
    const content = [{ type: "text", text: "Which colour?" }, { type: "image_url", image_url: { url } }];
    return server.post("/v1/chat/completions", { model, messages: [{ role: "user", content }], ...fields }, signal);
  };
  const textOf = async (response: Response) => (await response.json()).choices[0].message.content;
  const red = Buffer.from(await png(255, 0, 0)).toString("base64");
  assert.match(await textOf(await ask(`data:image/png;base64,${red}`)), /red/);
  assert.match(await textOf(await ask(`data:image/png;base64,${red}`, "tiny-qwen-vision")), /red/);
  const path = join(server.home, "blue.png");
  writeFileSync(path, await png(0, 0, 255));
  assert.match(await textOf(await ask(path)), /blue/);
  assert.match(await textOf(await ask(pathToFileURL(path).href)), /blue/);
  assert.match(await textOf(await ask(path, "tiny-gguf-vision")), /blue/);
  const url = `data:image/png;base64,${red}`;
  const streamed = await (await ask(url, "tiny-gguf-vision", { stream: true })).text();
  const pieces = [...streamed.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece);
  assert.ok(pieces.length > 2 && streamed.endsWith("[DONE]\n\n"), streamed);
  assert.equal(pieces.join(""), "The picture is red.");
  const gone = new AbortController();
  const leaving = ask(pathToFileURL(path).href, "tiny-gguf-vision", {}, gone.signal);
  gone.abort();
  await assert.rejects(leaving);
  assert.match(await textOf(await ask(url, "tiny-gguf-vision")), /red/);
  const seen = await server.get("/v1/models");
  const inputs = seen.data.find(({ id }: { id: string }) => id === "tiny-gguf-vision").modalities.input;
  assert.deepEqual(inputs, ["text", "image"]);
  const outside = await ask("/etc/hosts");
  assert.deepEqual([outside.status, (await outside.json()).error.code], [403, "path_not_allowed"]);
  assert.equal((await ask("https://example.com/a.png")).status, 400);
  assert.equal((await ask(url, "tiny-gguf")).status, 400);
});

// @row model-api > Engine behavior > 5: batched decoding, reported as steps
test("four chats at a time are decoded together, each with its own answer", async () => {
  const contents = ["hi", "emoji, please", "a story"];
  const alone = [];
  for (const content of contents) alone.push((await complete("tiny-chat", content)).choices[0].message);
  // The fourth one is being decoded before the others come and until they end, however slow this machine is.
  const client = new AbortController();
  const endless = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "tiny-chat",
      messages: [{ role: "user", content: "go on forever" }],
      stream: true,
      max_completion_tokens: 4000,
    }),
    signal: client.signal,
  });
  const frames = readServerSentEvents(endless.body!)[Symbol.asyncIterator]();
  for (let said = ""; !said.includes("tick");) {
    const { value } = await frames.next();
    assert.ok(value, "the endless answer has ended");
    said += (JSON.parse(value.data) as ChatChunk).choices[0]?.delta.content ?? "";
  }
  const together = await Promise.all(contents.map((content) => complete("tiny-chat", content)));
  client.abort();
  assert.deepEqual(together.map(({ choices: [{ message }] }) => message), alone);
  const { models } = await server.get("/runtime/status");
  const entry = (name: string) => models.find(({ id }: { id: string }) => id === name);
  const { continuousBatching } = entry("tiny-chat");
  const { draftModel, mtp } = entry("tiny-gguf");
  assert.ok(draftModel === "tiny-gguf-draft" && mtp.acceptedTokens > 20, JSON.stringify(mtp));
  assert.ok(
    continuousBatching.enabled && continuousBatching.batchedDecodeSteps > 0,
    JSON.stringify(continuousBatching),
  );
});

// @row model-api > States > one lane for each kind of sidecar
test("vectors and ranks come from lanes of their own, which status shows", async () => {
  const texts = ["a", "a longer text", "a"];
  const embeddings = await (await server.post("/v1/embeddings", { model: "tiny-embed", input: texts })).json();
  const [first, second, third] = embeddings.data.map(({ embedding }: { embedding: number[] }) => embedding);
  assert.deepEqual(first, third);
  assert.notDeepEqual(first, second);
  assert.ok(Math.abs(Math.hypot(...first) - 1) < 1e-5);
  const ranks = await (await server.post("/v1/rerank", { model: "tiny-rerank", query: "a", documents: texts })).json();
  const scores = ranks.results.map(({ relevance_score: score }: { relevance_score: number }) => score);
  assert.deepEqual(scores, [...scores].sort((a, b) => b - a));
  const { sidecars } = await server.get("/runtime/status");
  const loaded = sidecars.residents.filter((one: { loaded: boolean }) => one.loaded);
  assert.deepEqual(loaded.map(({ modelID }: { modelID: string }) => modelID).sort(), ["tiny-embed", "tiny-rerank"]);
});

// @row model-api > States > unloaded, load: loaded, ready after preparation
test("a model is unloaded and loaded by name, its process with it", async () => {
  const processes = () => [...server.stderr().matchAll(/model_loaded model=tiny-diffusion .*process=(\d+)/g)].length;
  const before = processes();
  const unloaded = await (await server.post("/runtime/models/tiny-diffusion/unload", {})).json();
  assert.equal(unloaded.loaded, false);
  const loaded = await (await server.post("/runtime/models/tiny-diffusion/load", {})).json();
  assert.deepEqual([loaded.loaded, loaded.ready], [true, true]);
  assert.equal(processes(), before + 1);
});
