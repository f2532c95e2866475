/**
 * Uses a model API server as programs for Node do, each through its own library. Arguments: the address and a key.
 * Prints a line for each scene; ends with status 0 when all are well.
 */
// deno-lint-ignore-file no-console
import assert from "node:assert/strict";
import process from "node:process";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic, { APIUserAbortError, AuthenticationError, BadRequestError, NotFoundError } from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool as langchainTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, Output, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";

const [url, key] = process.argv.slice(2);
const CHAT = "tiny-chat";
const GREETING = "Hello! I am a tiny model, and I say what my script says.";
const RESULT = "The tool says that it is sunny and 21 degrees in Paris.";
const WEATHER = z.object({ city: z.string().max(12), degrees: z.number().int().min(-99).max(99) });
const PLACE = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
const anthropic = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 });

const functions = [{ type: "function", name: "get_weather", parameters: PLACE, strict: true }];

const responds = (input, more = {}) => openai.responses.create({ model: CHAT, input, ...more });

const message = (content, more = {}) => ({
  model: CHAT,
  max_tokens: 200,
  messages: [{ role: "user", content }],
  ...more,
});

async function fails(work, kind, details) {
  const error = await work.then(() => assert.fail("it was accepted"), (reason) => reason);
  assert.ok(error instanceof kind, String(error));
  assert.deepEqual(Object.fromEntries(Object.keys(details).map((name) => [name, error[name]])), details);
}

/** Aborts a stream after three events that count; the next request has the slot. */
async function leaves(stream, controller, counts, kind) {
  let seen = 0;
  try {
    for await (const event of stream) if (counts(event) && ++seen === 3) controller.abort();
  } catch (error) {
    assert.ok(error instanceof kind, String(error));
  }
  assert.ok(seen >= 3 && seen < 1000, `${seen} pieces of an endless answer`);
}

/** What a tool of any library was called with. */
let cities = [];
const look = ({ city }) => {
  cities.push(city);
  return "sunny, 21";
};

const providers = {
  responses: createOpenAI({ baseURL: `${url}/v1`, apiKey: key }).responses(CHAT),
  messages: createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(CHAT),
};

const langchain = {
  responses: new ChatOpenAI({
    model: CHAT,
    apiKey: key,
    useResponsesApi: true,
    maxRetries: 0,
    configuration: { baseURL: `${url}/v1` },
  }),
  messages: new ChatAnthropic({ model: CHAT, apiKey: key, anthropicApiUrl: url, maxRetries: 0, maxTokens: 200 }),
};

const scenes = {
  "openai, responses: text, a stream, usage": async () => {
    const whole = await responds("hi", { instructions: "Be brief" });
    assert.equal(whole.output_text, GREETING);
    assert.equal(whole.usage.total_tokens, whole.usage.input_tokens + whole.usage.output_tokens);
    const stream = openai.responses.stream({ model: CHAT, input: "emoji, please" });
    let text = "";
    stream.on("response.output_text.delta", ({ delta }) => text += delta);
    const { output_text } = await stream.finalResponse();
    assert.match(output_text, /東京タワー 🗼/);
    assert.equal(text, output_text);
  },
  "openai, responses: functions, whole and streamed, continued and as items": async () => {
    for (const stream of [false, true]) {
      const request = { model: CHAT, input: "the weather?", tools: functions };
      const first = stream
        ? await openai.responses.stream(request).finalResponse()
        : await openai.responses.parse(request);
      const call = first.output.find(({ type }) => type === "function_call");
      assert.deepEqual(call.parsed_arguments ?? JSON.parse(call.arguments), { city: "Paris" });
      const output = { type: "function_call_output", call_id: call.call_id, output: "sunny, 21" };
      const next = await responds([output], { previous_response_id: first.id, tools: functions });
      assert.equal(next.output_text, RESULT);
      const items = [{ role: "user", content: "the weather?" }, ...first.output, output];
      assert.equal((await responds(items, { tools: functions, store: false })).output_text, RESULT);
    }
  },
  "openai, responses: an answer parsed by a schema": async () => {
    const { output_parsed } = await openai.responses.parse({
      model: CHAT,
      input: "json about Lisbon",
      text: { format: zodTextFormat(WEATHER, "weather") },
    });
    WEATHER.parse(output_parsed);
  },
  "openai, responses: an error, and a stream that is left": async () => {
    await fails(responds("hi", { tools: [{ type: "web_search" }] }), OpenAI.BadRequestError, {
      param: "tools[0].type",
    });
    const controller = new AbortController();
    const request = { model: CHAT, input: "go on forever", max_output_tokens: 4000, stream: true };
    const stream = await openai.responses.create(request, { signal: controller.signal });
    await leaves(stream, controller, ({ type }) => type === "response.output_text.delta", OpenAI.APIUserAbortError);
    assert.equal((await responds("hi")).output_text, GREETING);
  },
  "anthropic: text, a stream, usage": async () => {
    const { content, stop_reason, usage } = await anthropic.messages.create(message("hi", { system: "Be brief" }));
    assert.deepEqual([content[0].text, stop_reason], [GREETING, "end_turn"]);
    assert.ok(usage.input_tokens > 0 && usage.output_tokens > 0);
    const stream = anthropic.messages.stream(message("emoji, please"));
    let text = "";
    stream.on("text", (delta) => text += delta);
    const whole = await stream.finalText();
    assert.equal(text, whole);
    assert.match(text, /東京タワー 🗼/);
  },
  "anthropic: thinking, and back": async () => {
    const thinking = { type: "enabled", budget_tokens: 1024 };
    const request = message("think about it", { thinking, max_tokens: 2048 });
    const stream = anthropic.messages.stream(request);
    let thoughts = "";
    stream.on("thinking", (delta) => thoughts += delta);
    const { content } = await stream.finalMessage();
    assert.deepEqual(content.map(({ type }) => type), ["thinking", "text"]);
    assert.equal(content[0].thinking, thoughts);
    const messages = [...request.messages, { role: "assistant", content }, { role: "user", content: "hi" }];
    assert.equal((await anthropic.messages.create({ ...request, messages })).content.at(-1).text, GREETING);
  },
  "anthropic: the loop of its tool runner, whole and streamed": async () => {
    for (const stream of [false, true]) {
      cities = [];
      const tools = [betaTool({ name: "get_weather", description: "Weather", inputSchema: PLACE, run: look })];
      const runner = anthropic.beta.messages.toolRunner(message("the weather?", { tools, stream }));
      const { content, stop_reason } = stream ? await lastOf(runner) : await runner;
      assert.deepEqual([content[0].text, stop_reason, cities], [RESULT, "end_turn", ["Paris"]]);
    }
  },
  "anthropic: count_tokens": async () => {
    const { max_tokens: _, ...counted } = message("hi");
    const { input_tokens } = await anthropic.messages.countTokens(counted);
    const { usage } = await anthropic.messages.create(message("hi"));
    assert.equal(input_tokens, usage.input_tokens + usage.cache_read_input_tokens);
  },
  "anthropic: errors, and a stream that is left": async () => {
    const wrong = new Anthropic({ baseURL: url, apiKey: "wrong", maxRetries: 0 });
    await fails(wrong.messages.create(message("hi")), AuthenticationError, {
      status: 401,
      type: "authentication_error",
    });
    await fails(anthropic.messages.create(message("hi", { model: "none" })), NotFoundError, {
      type: "not_found_error",
    });
    const image = [{ type: "image", source: { type: "base64", media_type: "image/png", data: "no base64" } }];
    await fails(anthropic.messages.create(message(image)), BadRequestError, { type: "invalid_request_error" });
    const stream = anthropic.messages.stream(message("go on forever", { max_tokens: 4000 }));
    await leaves(stream, stream.controller, ({ type }) => type === "content_block_delta", APIUserAbortError);
    assert.equal((await anthropic.messages.create(message("hi"))).content[0].text, GREETING);
  },
  ...Object.fromEntries(
    Object.entries(providers).flatMap(([api, model]) => [
      [`ai, ${api}: text, a stream`, async () => {
        const { text, usage } = await generateText({ model, prompt: "hi", maxRetries: 0 });
        assert.equal(text, GREETING);
        assert.ok(usage.totalTokens > 0);
        const stream = streamText({ model, prompt: "emoji, please", maxRetries: 0 });
        let pieces = "";
        for await (const piece of stream.textStream) pieces += piece;
        assert.equal(pieces, await stream.text);
        assert.match(pieces, /東京タワー 🗼/);
      }],
      [`ai, ${api}: a tool, whole and streamed`, async () => {
        const tools = { get_weather: tool({ inputSchema: z.object({ city: z.string() }), execute: look }) };
        const request = { model, prompt: "the weather?", tools, stopWhen: stepCountIs(3), maxRetries: 0 };
        for (const run of [generateText, streamText]) {
          cities = [];
          const result = await run(request);
          assert.equal(await result.text, RESULT);
          assert.deepEqual([cities, (await result.steps).length], [["Paris"], 2]);
        }
      }],
      [`ai, ${api}: an object`, async () => {
        const output = Output.object({ schema: WEATHER });
        WEATHER.parse((await generateText({ model, prompt: "json about Lisbon", output, maxRetries: 0 })).output);
      }],
    ]),
  ),
  "ai, messages: reasoning": async () => {
    const providerOptions = { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } };
    const request = { model: providers.messages, prompt: "think about it", providerOptions, maxOutputTokens: 2000 };
    const { reasoningText, text } = await generateText(request);
    assert.deepEqual([reasoningText?.trim(), text], ["Seven times six makes forty-two.", "The answer is 42."]);
  },
  ...Object.fromEntries(
    Object.entries(langchain).flatMap(([api, model]) => [
      [`langchain, ${api}: text, a stream`, async () => {
        const answer = await model.invoke("hi");
        assert.equal(answer.text, GREETING);
        assert.ok(answer.usage_metadata.total_tokens > 0);
        let pieces = "";
        for await (const { text } of await model.stream("emoji, please")) pieces += text;
        assert.match(pieces, /東京タワー 🗼/);
      }],
      [`langchain, ${api}: a bound tool`, async () => {
        const schema = z.object({ city: z.string() });
        const bound = model.bindTools([langchainTool(look, { name: "get_weather", description: "Weather", schema })]);
        const asked = new HumanMessage("the weather?");
        const called = await bound.invoke([asked]);
        assert.deepEqual(called.tool_calls.map(({ name, args }) => [name, args]), [["get_weather", { city: "Paris" }]]);
        const result = new ToolMessage({ content: "sunny, 21", tool_call_id: called.tool_calls[0].id });
        assert.equal((await bound.invoke([asked, called, result])).text, RESULT);
      }],
      [`langchain, ${api}: structured output`, async () => {
        WEATHER.parse(await model.withStructuredOutput(WEATHER, { name: "weather" }).invoke("json about Lisbon"));
      }],
    ]),
  ),
};

/** The last message of a runner of streams. */
async function lastOf(runner) {
  let last;
  for await (const stream of runner) last = await stream.finalMessage();
  return last;
}

let failed = 0;
for (const [name, scene] of Object.entries(scenes)) {
  try {
    await scene();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`failed  ${name}: ${error?.stack ?? error}`);
  }
}
process.exit(failed > 0 ? 1 : 0);
