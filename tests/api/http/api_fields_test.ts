import assert from "node:assert/strict";
import { test } from "node:test";
import type { TextFeature } from "../../../lib/protocol/mod.ts";
import { refusal, withApi } from "../../support/api_harness.ts";
import { ALL_FEATURES, chatProfile, installed } from "../../support/fake_catalog.ts";

const png = `data:image/png;base64,${btoa("\x89PNG\r\n\x1a\n and so on")}`;
const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
const strict = [{ type: "function", function: { name: "f", strict: true, parameters: { type: "object" } } }];
const schema = { type: "json_schema", json_schema: { name: "s", schema: { type: "object" } } };
const image = [{ role: "user", content: [{ type: "image_url", image_url: { url: png } }] }];

/** Each field that not every engine can honour, and a value that asks for it. */
const fields: [feature: TextFeature, body: Record<string, unknown>, param: string][] = [
  ["tools", { tools }, "tools"],
  ["strict_tools", { tools: strict }, "tools[0].function.strict"],
  ["stop", { stop: "x" }, "stop"],
  ["seed", { seed: 1 }, "seed"],
  ["top_k", { top_k: 5 }, "top_k"],
  ["min_p", { min_p: 0.1 }, "min_p"],
  ["penalties", { presence_penalty: 1 }, "presence_penalty"],
  ["penalties", { frequency_penalty: -1 }, "frequency_penalty"],
  ["repetition_penalty", { repetition_penalty: 1.1 }, "repetition_penalty"],
  ["logit_bias", { logit_bias: { 5: 1 } }, "logit_bias"],
  ["logprobs", { logprobs: true }, "logprobs"],
  ["json_object", { response_format: { type: "json_object" } }, "response_format"],
  ["json_schema", { response_format: schema }, "response_format"],
  ["template_arguments", { chat_template_kwargs: { a: 1 } }, "chat_template_kwargs"],
  ["images", { messages: image }, "messages[0].content"],
  ["drafts", { svc_show_unmasking: true, stream: true }, "svc_show_unmasking"],
];

for (const [feature, body, param] of fields) {
  // @row model-api > Chat request > `tools` => tools · tools
  // @row model-api > Chat request > `response_format` => response_format · json_object
  // @row model-api > Chat request > `response_format` => response_format · json_schema
  // @row model-api > Chat request > `stop` => stop · stop
  // @row model-api > Chat request > `seed` => seed · seed
  // @row model-api > Chat request > `min_p` => min_p · min_p
  // @row model-api > Chat request > `top_k` => top_k · top_k
  // @row model-api > Chat request > `presence_penalty` => presence_penalty · penalties
  // @row model-api > Chat request > `frequency_penalty` => frequency_penalty · penalties
  // @row model-api > Chat request > `repetition_penalty` => repetition_penalty · repetition_penalty
  // @row model-api > Chat request > `logit_bias` => logit_bias · logit_bias
  // @row model-api > Chat request > `logprobs` => logprobs · logprobs
  // @row model-api > Chat request > `chat_template_kwargs` => chat_template_kwargs · template_arguments
  // @row model-api > Chat request > `svc_show_unmasking` => svc_show_unmasking · drafts
  // @row model-api > Chat rules > 6: engines without images refuse them => messages[0].content · images
  test(`rule 1: ${param} for ${feature} is honoured by an engine that can, else refused before generation`, async () => {
    const all: TextFeature[] = [...ALL_FEATURES, "images", "drafts"];
    for (const can of [true, false]) {
      const features = can ? all : all.filter((one) => one !== feature);
      await withApi({ models: [installed("m", "chat.completions", chatProfile({ features }))] }, async (h) => {
        const response = await h.chat({ model: "m", ...body });
        if (can) {
          assert.equal(response.status, 200);
          await response.body?.cancel();
          assert.equal(h.chats.get("m")?.calls.length, 1);
        } else {
          const error = await refusal(response, 400, "unsupported_parameter");
          assert.deepEqual([error.type, error.param], ["invalid_request_error", param]);
          assert.equal(h.starts.length, 0);
        }
      });
    }
  });
}

/** Values that ask for nothing: every engine takes them. */
const neutral: Record<string, unknown> = {
  tools: [],
  tool_choice: "auto",
  stop: [],
  top_k: 0,
  min_p: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  repetition_penalty: 1,
  logit_bias: {},
  logprobs: false,
  response_format: { type: "text" },
  chat_template_kwargs: {},
  n: 1,
  store: false,
  modalities: ["text"],
};

// @row model-api > Chat rules > 1: mapped or refused before generation, never dropped
test("rule 1: values that ask for nothing are taken by every engine", () =>
  withApi({ models: [installed("m", "chat.completions", chatProfile({ features: [] }))] }, async (h) => {
    for (const [name, value] of Object.entries(neutral)) {
      const response = await h.chat({ model: "m", [name]: value });
      assert.equal(response.status, 200, name);
      assert.equal(response.headers.get("x-svc-warning"), null, name);
    }
  }));

const refused = {
  n: 2,
  best_of: 2,
  suffix: "x",
  echo: true,
  grammar: "root ::= x",
  guided_json: {},
  typical_p: 0.5,
  mirostat: 2,
  mirostat_tau: 5,
  audio: {},
  prediction: {},
  modalities: ["text", "audio"],
  store: true,
  functions: [{}],
  lora: "x",
};
for (const [field, value] of Object.entries(refused)) {
  // @row model-api > Options > `--lora`: at startup only => lora
  // @row model-api > Chat rules > 1: mapped or refused before generation, never dropped => best_of
  // @row model-api > Chat rules > 1: mapped or refused before generation, never dropped => mirostat
  // @row model-api > Errors > unsupported field: `invalid_request_error` => suffix
  test(`rule 1: ${field} would change the answer and is refused`, () =>
    withApi({}, async (h) => {
      const error = await refusal(await h.chat({ [field]: value }), 400, "unsupported_parameter");
      assert.equal(error.param, field);
    }));
}

/** Each bound: values at it, which are taken, and beyond it, which are not. */
const bounds: [field: string, taken: unknown[], wrong: unknown[]][] = [
  ["temperature", [0, 2], [-0.01, 2.01, "1"]],
  ["top_p", [0, 1], [-0.01, 1.01]],
  ["min_p", [0, 1], [-0.01, 1.01]],
  ["top_k", [0, 1, 2 ** 31 - 1], [-1, 1.5]],
  ["presence_penalty", [-2, 2], [-2.01, 2.01]],
  ["frequency_penalty", [-2, 2], [-2.01, 2.01]],
  ["repetition_penalty", [0.001, 1e30], [0, -1, 1e39]],
  ["seed", [0, Number.MAX_SAFE_INTEGER], [-1, 1.5, 2 ** 53]],
  ["stop", ["x", Array(64).fill("x")], [7, Array(65).fill("x")]],
  ["stream", [true, false, null], ["true", 1]],
  ["messages", [[{ role: "user", content: "x" }]], [[], "x", [{ role: "robot", content: "x" }]]],
];
for (const [field, taken, wrong] of bounds) {
  // @row model-api > Chat request > `messages` => messages
  // @row model-api > Chat request > `stream` => stream
  // @row model-api > Chat request > `stop` => stop
  // @row model-api > Chat request > `seed` => seed
  // @row model-api > Chat request > `temperature` => temperature
  // @row model-api > Chat request > `top_p` => top_p
  // @row model-api > Chat request > `min_p` => min_p
  // @row model-api > Chat request > `top_k` => top_k
  // @row model-api > Chat request > `presence_penalty` => presence_penalty
  // @row model-api > Chat request > `frequency_penalty` => frequency_penalty
  // @row model-api > Chat request > `repetition_penalty` => repetition_penalty
  // @row model-api > Limits > presence and frequency penalty -2 to 2 => presence_penalty
  // @row model-api > Limits > presence and frequency penalty -2 to 2 => frequency_penalty
  test(`${field} takes its bounds and refuses what is beyond them`, () =>
    withApi({}, async (h) => {
      for (const value of taken) {
        const response = await h.chat({ [field]: value });
        assert.equal(response.status, 200, JSON.stringify(value));
        await response.text();
      }
      const calls = h.chats.get("chat-a")!.calls.length;
      for (const value of wrong) {
        const response = await h.chat({ [field]: value });
        const { error } = await response.json();
        assert.equal(response.status, 400, JSON.stringify(value));
        assert.ok(error.param.startsWith(field), JSON.stringify(error));
      }
      assert.equal(h.chats.get("chat-a")!.calls.length, calls);
    }));
}

// @row model-api > Chat request > `logprobs` and `top_logprobs`
// @row model-api > Limits > top_logprobs 0 to 20
test("rule 8: top_logprobs is 0 to 20, with logprobs, without a stream and with text only", () =>
  withApi({}, async (h) => {
    for (const top_logprobs of [0, 20]) assert.equal((await h.chat({ logprobs: true, top_logprobs })).status, 200);
    const wrong: [Record<string, unknown>, string][] = [
      [{ logprobs: true, top_logprobs: -1 }, "invalid_top_logprobs"],
      [{ logprobs: true, top_logprobs: 21 }, "invalid_top_logprobs"],
      [{ top_logprobs: 2 }, "invalid_top_logprobs"],
      [{ logprobs: true, stream: true }, "invalid_logprobs"],
      [{ logprobs: true, response_format: { type: "json_object" } }, "invalid_logprobs"],
    ];
    for (const [body, code] of wrong) await refusal(await h.chat(body), 400, code);
  }));

// @row model-api > Chat request > `tool_choice`
// @row model-api > Chat rules > 2: `required` and specific choices are explicit; one call without parallel calls
test("rule 2: a choice of one function narrows the tools to it; none leaves all out", () =>
  withApi({}, async (h) => {
    const two = [...tools, { type: "function", function: { name: "g" } }];
    await h.chat({
      tools: two,
      tool_choice: { type: "function", function: { name: "g" } },
      parallel_tool_calls: false,
    });
    await h.chat({ tools: two, tool_choice: "none" });
    await h.chat({ tools: two, tool_choice: "required" });
    const seen = h.chats.get("chat-a")!.calls.map(({ request }) => [
      request.tools.map(({ name }) => name).join(" "),
      request.toolChoice.mode,
      request.parallelToolCalls,
    ]);
    assert.deepEqual(seen, [["g", "function", false], ["", "auto", true], ["f g", "required", true]]);
    await refusal(await h.chat({ tool_choice: "required" }), 400, "invalid_tool_choice");
  }));

// @row model-api > Chat request > `tools`
// @row model-api > Chat rules > 3: parameters are kept in full
// @row model-api > Errors > non-object tool parameters: `invalid_request_error`
test("rule 3: parameters are kept whole; left out or null they are an empty object schema, else refused", () =>
  withApi({}, async (h) => {
    const parameters = {
      type: "object",
      properties: { a: { type: "array", items: { $ref: "#/$defs/x" } } },
      $defs: { x: { enum: ["1", 2] } },
      additionalProperties: false,
    };
    const ask = (given: unknown) =>
      h.chat({ tools: [{ type: "function", function: { name: "f", parameters: given } }] });
    for (const given of [parameters, undefined, null]) assert.equal((await ask(given)).status, 200);
    const [whole, omitted, none] = h.chats.get("chat-a")!.calls.map(({ request }) => request.tools[0].parameters);
    assert.deepEqual(whole, parameters);
    assert.deepEqual(none, omitted);
    assert.equal(omitted.type, "object");
    for (const given of ["x", 7, [], true]) {
      const { type } = await refusal(await ask(given), 400, "wrong_type");
      assert.equal(type, "invalid_request_error");
    }
  }));

// @row model-api > Chat rules > 4: thoughts in `reasoning_content`, and back
test("rule 4: reasoning_content of assistant messages reaches the engine", () =>
  withApi({}, async (h) => {
    const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
    const messages = [
      { role: "user", content: "x" },
      { role: "assistant", content: null, reasoning_content: "because", tool_calls: [call] },
      { role: "tool", tool_call_id: "c", content: "42" },
    ];
    assert.equal((await h.chat({ messages, tools })).status, 200);
    const [, assistant] = h.chats.get("chat-a")!.calls[0].request.messages;
    assert.equal("reasoning" in assistant && assistant.reasoning, "because");
  }));

// @row model-api > Chat rules > 7: `json_object` where the engine can, thinking forced off
test("rule 7: json_object switches thinking off", () => {
  const reasoning = { optional: true, levels: ["high"], levelMap: {} } as const;
  return withApi({ models: [installed("m", "chat.completions", chatProfile({ reasoning }))] }, async (h) => {
    await h.chat({ model: "m", response_format: { type: "json_object" }, reasoning_effort: "high" });
    assert.equal(h.chats.get("m")!.calls[0].request.reasoning.enabled, false);
  });
});

// @row model-api > Chat request > `reasoning_effort`
test("reasoning_effort is mapped to a level that the model has, or refused with those that it has", () => {
  const reasoning = { optional: false, levels: ["low", "high"], levelMap: { medium: "high" } } as const;
  return withApi({ models: [installed("m", "chat.completions", chatProfile({ reasoning }))] }, async (h) => {
    for (const effort of ["low", "medium"]) await h.chat({ model: "m", reasoning_effort: effort });
    assert.deepEqual(h.chats.get("m")!.calls.map(({ request }) => request.reasoning.effort), ["low", "high"]);
    const error = await refusal(await h.chat({ model: "m", reasoning_effort: "max" }), 400, "unsupported_parameter");
    assert.match(error.message, /expected one of low, high$/);
    await refusal(await h.chat({ model: "chat-z", reasoning_effort: "low" }), 404, "model_not_found");
  });
});
