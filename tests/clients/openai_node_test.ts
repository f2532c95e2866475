import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import OpenAI, { toFile } from "openai";
import { decodeImage } from "../../lib/media/images/decode_image.ts";
import { type ApiProcess, openApiProcess } from "../support/api_process.ts";

const KEY = "secret-of-this-test";
const CHAT = "tiny-chat";

const tools = ["get_weather", "get_time"].map((name) => ({
  type: "function" as const,
  function: { name, parameters: { type: "object", properties: { city: { type: "string" } } } },
}));

let server: ApiProcess;
let client: OpenAI;

/** The client as its users make it, without second tries: a refusal has to show. */
function connect(apiKey: string): OpenAI {
  return new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 });
}

function ask(content: string) {
  return { model: CHAT, messages: [{ role: "user" as const, content }] };
}

before(async () => {
  const models = [CHAT, "tiny-embed", "tiny-image", "tiny-transcription"] as const;
  server = await openApiProcess({ models, args: [`--api-key=${KEY}`] });
  client = connect(KEY);
});

after(() => server.close());

test("openai of npm lists and retrieves models", async () => {
  const ids: string[] = [];
  for await (const model of client.models.list()) ids.push(model.id);
  assert.deepEqual(ids, ["image-corridor-nano", "tiny-chat", "tiny-embed", "tiny-image", "tiny-transcription"]);
  assert.equal((await client.models.retrieve(CHAT)).owned_by, "svc");
});

// @row model-api > Rules of the model API > Real clients
test("openai of npm completes a chat", async () => {
  const { choices: [choice], usage, model } = await client.chat.completions.create(ask("hi"));
  assert.equal(choice?.message.content, "Hello! I am a tiny model, and I say what my script says.");
  assert.equal(choice?.finish_reason, "stop");
  assert.equal(model, CHAT);
  assert.equal(usage?.total_tokens, usage!.prompt_tokens + usage!.completion_tokens);
});

test("openai of npm streams text of several bytes a character, with usage at the end", async () => {
  const stream = await client.chat.completions.create({
    ...ask("emoji, please"),
    stream: true,
    stream_options: { include_usage: true },
  });
  const pieces: string[] = [];
  let completionTokens = 0;
  for await (const { choices, usage } of stream) {
    const text = choices[0]?.delta.content;
    if (text) pieces.push(text);
    completionTokens = usage?.completion_tokens ?? completionTokens;
  }
  assert.equal(pieces.join(""), "Of course 😀: 你好，世界 — naïve café 👩‍👩‍👧, 東京タワー 🗼 and 안녕 🇫🇷.");
  assert.ok(pieces.length > 3 && completionTokens >= pieces.length, `${pieces.length}, ${completionTokens}`);
});

// @row model-api > Chat rules > 4: thoughts in `reasoning_content`, and back
test("openai of npm shows thoughts apart from the answer", async () => {
  const { choices: [choice] } = await client.chat.completions.create(ask("think about it"));
  const message = choice?.message as { content: string; reasoning_content?: string };
  assert.deepEqual([message.content, message.reasoning_content?.trim()], [
    "The answer is 42.",
    "Seven times six makes forty-two.",
  ]);
});

// @row model-api > Rules of the model API > Real clients
test("openai of npm calls a tool and answers with its result", async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "the weather?" }];
  const first = await client.chat.completions.create({ model: CHAT, messages, tools });
  const [call] = first.choices[0]?.message.tool_calls ?? [];
  assert.equal(first.choices[0]?.finish_reason, "tool_calls");
  assert.ok(call?.type === "function");
  assert.equal(call.function.name, "get_weather");
  assert.deepEqual(JSON.parse(call.function.arguments), { city: "Paris" });
  messages.push(first.choices[0]!.message, { role: "tool", tool_call_id: call.id, content: "sunny, 21" });
  const second = await client.chat.completions.create({ model: CHAT, messages, tools });
  assert.match(second.choices[0]?.message.content ?? "", /sunny and 21 degrees/);
});

test("openai of npm streams two calls that its own accumulator puts together", async () => {
  const runner = client.chat.completions.stream({ ...ask("both, please"), tools });
  const { choices: [choice] } = await runner.finalChatCompletion();
  const names = choice?.message.tool_calls?.map((call) => call.type === "function" && call.function.name);
  assert.deepEqual(names, ["get_weather", "get_time"]);
});

// @row model-api > Chat rules > 7: `json_schema` by constrained decoding
test("openai of npm parses JSON that holds a schema", async () => {
  const schema = {
    type: "object",
    properties: { city: { type: "string" }, degrees: { type: "integer" } },
    required: ["city", "degrees"],
    additionalProperties: false,
  };
  const completion = await client.chat.completions.parse({
    ...ask("json about Lisbon"),
    response_format: { type: "json_schema", json_schema: { name: "weather", strict: true, schema } },
  });
  const value = JSON.parse(completion.choices[0]?.message.content ?? "") as Record<string, unknown>;
  assert.deepEqual(Object.keys(value).sort(), ["city", "degrees"]);
  assert.ok(typeof value.city === "string" && Number.isInteger(value.degrees), JSON.stringify(value));
});

test("openai of npm embeds texts in their order", async () => {
  const { data, usage } = await client.embeddings.create({
    model: "tiny-embed",
    input: ["one", "two", "one"],
    encoding_format: "float",
  });
  assert.deepEqual(data.map(({ index }) => index), [0, 1, 2]);
  assert.deepEqual(data[0]?.embedding, data[2]?.embedding);
  assert.notDeepEqual(data[0]?.embedding, data[1]?.embedding);
  assert.ok(usage.prompt_tokens > 0);
});

// @row model-api > Rules of the model API > Real clients
test("openai of npm throws its own errors with code and field", async () => {
  const fails = async (promise: Promise<unknown>, kind: new (...args: never[]) => unknown, details: object) => {
    const error = await promise.then(() => assert.fail("it was accepted"), (reason: unknown) => reason);
    assert.ok(error instanceof kind, String(error));
    const { status, code, param, type } = error as unknown as Record<string, unknown>;
    assert.deepEqual({ status, code, param, type }, details);
  };
  await fails(connect("wrong").models.list(), OpenAI.AuthenticationError, {
    status: 401,
    code: "invalid_api_key",
    param: undefined,
    type: "authentication_error",
  });
  await fails(client.chat.completions.create({ ...ask("hi"), model: "none" }), OpenAI.NotFoundError, {
    status: 404,
    code: "model_not_found",
    param: "model",
    type: "not_found_error",
  });
  const hot = { ...ask("hi"), temperature: 2.1 };
  await assert.rejects(client.chat.completions.create(hot), (error) => {
    return error instanceof OpenAI.BadRequestError && error.param === "temperature";
  });
  await assert.rejects(client.embeddings.create({ model: "tiny-embed", input: "a", dimensions: 3 }), (error) => {
    return error instanceof OpenAI.BadRequestError && error.param === "dimensions";
  });
});

test("openai of npm aborts a stream, and the next request has the slot", async () => {
  const controller = new AbortController();
  const stream = await client.chat.completions.create(
    { ...ask("go on forever"), stream: true, max_completion_tokens: 4000 },
    { signal: controller.signal },
  );
  let pieces = 0;
  try {
    for await (const { choices } of stream) if (choices[0]?.delta.content && ++pieces === 3) controller.abort();
  } catch (error) {
    assert.ok(error instanceof OpenAI.APIUserAbortError, String(error));
  }
  assert.ok(pieces >= 3 && pieces < 1000, `${pieces} pieces of an endless answer`);
  assert.ok((await client.chat.completions.create(ask("hi"))).choices[0]?.message.content);
});

test("openai of npm makes, edits and streams images", async () => {
  const ask = { model: "gpt-image-1", prompt: "a red hall", size: "256x256" as const };
  const { data: [made] = [] } = await client.images.generate({ ...ask, n: 1 });
  const png = Buffer.from(made!.b64_json!, "base64");
  assert.equal((await decodeImage(png)).width, 256);
  assert.equal(made!.revised_prompt, ask.prompt);

  const input = await toFile(png, "made.png", { type: "image/png" });
  const edited = await client.images.edit({ ...ask, image: [input, input], mask: input });
  assert.equal((await decodeImage(Buffer.from(edited.data![0].b64_json!, "base64"))).height, 256);

  const types: string[] = [];
  for await (const event of await client.images.generate({ ...ask, stream: true, partial_images: 2 })) {
    types.push(event.type);
    assert.ok(event.b64_json.length > 100);
  }
  assert.deepEqual(types, [
    "image_generation.partial_image",
    "image_generation.partial_image",
    "image_generation.completed",
  ]);
  await assert.rejects(client.images.generate({ ...ask, n: 2 }), { status: 400, param: "n" });
});

test("openai of npm transcribes a recording in every form, and streams it", async () => {
  const bytes = await readFile(new URL("../fixtures/sounds/vorbis.webm", import.meta.url));
  const ask = { file: await toFile(bytes, "talk.webm"), model: "whisper-1", language: "en" } as const;
  const { transcriptions } = client.audio;
  const { text } = await transcriptions.create(ask);
  assert.ok(text.length > 0);
  assert.equal((await transcriptions.create({ ...ask, response_format: "text" })).trim(), text);
  assert.match(await transcriptions.create({ ...ask, response_format: "vtt" }), /^WEBVTT\n/);
  const verbose = await transcriptions.create({
    ...ask,
    response_format: "verbose_json",
    timestamp_granularities: ["word", "segment"],
    prompt: "Ada Lovelace",
    temperature: 0,
  });
  assert.deepEqual([verbose.language, Math.round(verbose.duration)], ["english", 1]);
  assert.ok(Array.isArray(verbose.words) && verbose.segments!.every(({ end, start }) => end >= start));

  let streamed = "";
  let whole: string | undefined;
  for await (const event of await transcriptions.create({ ...ask, stream: true })) {
    if (event.type === "transcript.text.delta") streamed += event.delta;
    else if (event.type === "transcript.text.done") whole = event.text;
  }
  assert.deepEqual([streamed, whole], [text, text]);
  await assert.rejects(transcriptions.create({ ...ask, include: ["logprobs"] }), { status: 400, param: "include[]" });
  const page = await toFile(new TextEncoder().encode("<html></html>"), "talk.wav");
  await assert.rejects(transcriptions.create({ ...ask, file: page }), { status: 400, code: "audio_unsupported" });
});
