import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChatAnswer, type ChatAnswerOptions, type FinishedAnswer } from "../../lib/protocol/chat/chat_answer.ts";
import {
  chatCompletion,
  ChatStream,
  chunkFrame,
  diffusionHeaders,
  DONE_FRAME,
  errorFrame,
  KEEPALIVE_FRAME,
  wireUsage,
} from "../../lib/protocol/chat/chat_response.ts";
import type { ChatChunk } from "../../lib/protocol/chat/chat_wire.ts";
import { THINK_TAGS } from "../../lib/protocol/reasoning/reasoning_tags.ts";
import { toolConstraint } from "../../lib/protocol/tools/tool_call_formats.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

const add = { name: "add", description: "", parameters: { type: "object", required: ["a"] }, strict: false };
const now = { name: "now", description: "", parameters: { type: "object" }, strict: false };
const call = '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>';

/** Generates a text, one letter a token. */
function answer(
  text: string,
  some: Partial<ChatAnswerOptions["request"]> = {},
  startsInReasoning = false,
  budget = 1e9,
) {
  const letters = [...text];
  const state = new ChatAnswer({
    request: { stop: [], tools: [], parallelToolCalls: true, includeReasoning: false, ...some },
    prompt: { reasoningTags: THINK_TAGS, startsInReasoning, toolCallFormat: "hermes" },
    decode: (ids) => ids.map((id) => letters[id]).join(""),
    newId: () => "0a1b2c3d",
  });
  let shown = "";
  let reason: "stop" | "length" = "stop";
  for (let i = 0; i < letters.length && !state.stopped; i++) {
    if (i === budget) {
      reason = "length";
      break;
    }
    shown += state.push(i);
  }
  return { shown, finished: state.finish(reason), tokens: state.tokens };
}

test("ChatAnswer shows what is said and keeps thoughts for the message", () => {
  const { shown, finished } = answer("<think>2 + 2</think>\n\nIt is 4.");
  assert.equal(shown + finished.rest, "It is 4.");
  assert.deepEqual(finished.message, { role: "assistant", content: "It is 4.", reasoning_content: "2 + 2" });
  assert.deepEqual([finished.finishReason, finished.restReasoning], ["stop", undefined]);
  assert.equal(answer("a</think>b", {}, true).finished.message.reasoning_content, "a");
});

test("ChatAnswer ends at stop strings, at the budget, or where the model ends", () => {
  const stopped = answer("Hello END more", { stop: ["END"] });
  assert.deepEqual([stopped.finished.message.content, stopped.finished.finishReason], ["Hello ", "stop"]);
  assert.equal(stopped.tokens, 9);
  const cut = answer("Hello", {}, false, 3);
  assert.deepEqual([cut.finished.message.content, cut.finished.finishReason], ["Hel", "length"]);
  const held = answer("Hello EN", { stop: ["END"] });
  assert.deepEqual([held.shown, held.finished.rest], ["Hello ", "EN"]);
});

test("ChatAnswer says that the limit ended the text, whatever came before", () => {
  const text = `<think>hm</think>${call}${call}`;
  const cut = (budget: number) => answer(text, { tools: [add] }, false, budget).finished;
  for (let budget = "<think>".length; budget < text.length; budget++) {
    const { message, finishReason } = cut(budget);
    assert.deepEqual([finishReason, message.content], ["length", ""], text.slice(0, budget));
  }
  assert.equal(cut(text.length - 1).message.tool_calls?.length, 2);
  assert.equal(cut(text.length - 20).message.tool_calls?.length, 1);
  assert.match(cut(text.length - 20).warnings?.[0] ?? "", /^Left out a call of the answer that was cut off/);
  assert.equal(cut(1e9).finishReason, "tool_calls");
});

// @row model-api > Chat rules > 5: streams with tools are held back
test("ChatAnswer holds everything back with tools, then sends calls or text", () => {
  const called = answer(`<think>hm</think>Sure. ${call}`, { tools: [add] });
  assert.equal(called.shown, "");
  assert.deepEqual(called.finished, {
    rest: "Sure.",
    reasoningTokens: 11,
    restReasoning: "hm",
    message: {
      role: "assistant",
      content: "Sure.",
      reasoning_content: "hm",
      tool_calls: [{ id: "call_0_0a1b2c3d", type: "function", function: { name: "add", arguments: '{"a": 1}' } }],
    },
    finishReason: "tool_calls",
  });
  assert.equal(answer(call, { tools: [add] }).finished.message.content, "");
  const plain = answer("No call.", { tools: [add] });
  assert.deepEqual([plain.shown, plain.finished.rest, plain.finished.finishReason], ["", "No call.", "stop"]);
  assert.equal(answer(call + call, { tools: [add], parallelToolCalls: false }).finished.message.tool_calls?.length, 1);
  assert.equal(answer(call).finished.message.content, call);
});

test("ChatAnswer shows in all what the message says", () => {
  const word = fc.constantFrom("<think>", "</think>", "a", " ", "\n", "ST", "OP", "<", "é", "𝄞");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      // A stray closing mark makes a thought of what was shown before; templates of such models are recognised by their
      // prompt.
      const text = `x<think></think>${words.join("")}`;
      const { shown, finished } = answer(text, { stop: ["STOP"] });
      assert.equal(shown + finished.rest, finished.message.content);
    }),
    { seed: 7, numRuns: 500 },
  );
});

const head = { idSuffix: "0a1b2c3d", created: 1700000000, model: "m" };
const usage = wireUsage(10, 4, 3);
const finished: FinishedAnswer = {
  rest: "",
  restReasoning: undefined,
  message: { role: "assistant", content: "Hi" },
  finishReason: "stop",
};

test("chatCompletion() makes the object of a whole answer", () => {
  assert.deepEqual(chatCompletion(head, finished, usage), {
    id: "chatcmpl-0a1b2c3d",
    object: "chat.completion",
    created: 1700000000,
    model: "m",
    choices: [{
      index: 0,
      message: { role: "assistant", content: "Hi" },
      finish_reason: "stop",
      logprobs: null,
    }],
    usage: {
      prompt_tokens: 10,
      completion_tokens: 3,
      total_tokens: 13,
      prompt_tokens_details: { cached_tokens: 4 },
    },
  });
});

const deltas = (chunks: ChatChunk[]) => chunks.map(({ choices: [choice] }) => choice?.delta);

test("ChatStream sends the role, text, the finish reason and the usage, in this order", () => {
  const stream = new ChatStream(head, true);
  const chunks = [stream.start(), stream.text("Hi"), ...stream.end(finished, usage)];
  assert.deepEqual(deltas(chunks), [{ role: "assistant", content: "" }, { content: "Hi" }, {}, undefined]);
  assert.deepEqual(chunks.map(({ choices: [choice] }) => choice?.finish_reason), [null, null, "stop", undefined]);
  assert.deepEqual(chunks.map((chunk) => chunk.usage), [null, null, null, usage]);
  assert.deepEqual(chunks.at(-1)?.choices, []);
  for (const chunk of chunks) {
    assert.deepEqual([chunk.id, chunk.object, chunk.created, chunk.model], [
      "chatcmpl-0a1b2c3d",
      "chat.completion.chunk",
      1700000000,
      "m",
    ]);
  }
});

test("ChatStream sends usage only on request", () => {
  const chunks = new ChatStream(head, false).end({ ...finished, rest: "!" }, usage);
  assert.deepEqual(deltas(chunks), [{ content: "!" }, {}]);
  assert.equal(JSON.stringify(chunks).includes("usage"), false);
});

test("ChatStream sends calls with their index, after reasoning and text", () => {
  const { finished } = answer(`<think>hm</think>${call}${call}`, { tools: [add] });
  const [delta, end] = new ChatStream(head, false).end(finished, usage);
  assert.deepEqual(delta.choices[0]?.delta.reasoning_content, "hm");
  assert.deepEqual(delta.choices[0]?.delta.tool_calls?.map(({ index, id }) => [index, id]), [
    [0, "call_0_0a1b2c3d"],
    [1, "call_1_0a1b2c3d"],
  ]);
  assert.equal(end.choices[0]?.finish_reason, "tool_calls");
});

test("ChatStream sends drafts and diagnostics of diffusion-style models", () => {
  const stream = new ChatStream(head, false);
  const draft = { text: "H_", step: 1, total_steps: 4, canvas_index: 0, block_complete: false };
  assert.deepEqual(deltas([stream.draft(draft)]), [{ svc_diffusion_draft: draft }]);
  const diffusion = {
    seed: 7,
    canvasTokens: 32,
    denoisingSteps: 4,
    workTokens: 128,
    canvasTokensPerSecond: 10,
    workTokensPerSecond: 40,
  };
  assert.deepEqual(stream.end(finished, usage, diffusion).at(-1)?.svc_diffusion, diffusion);
  assert.deepEqual(chatCompletion(head, finished, usage, { diffusion }).svc_diffusion, diffusion);
  assert.equal(diffusionHeaders(diffusion)["x-svc-diffusion-work-tokens-per-second"], "40.000");
  assert.equal(Object.keys(diffusionHeaders({ ...diffusion, firstDraftSeconds: 0.5 })).length, 6);
});

test("frames are what clients of server-sent events read", () => {
  const frame = chunkFrame(new ChatStream(head, false).text("a\nb"));
  assert.match(frame, /^data: \{[^\n]*\}\n\n$/);
  assert.equal(DONE_FRAME, "data: [DONE]\n\n");
  assert.match(KEEPALIVE_FRAME, /^: [^\n]*\n\n$/);
  const error = errorFrame(new SvcError("template_failed", "Cannot continue").toObject());
  assert.deepEqual(JSON.parse(error.slice("data: ".length)), {
    error: { message: "Cannot continue", type: "server_error", code: "template_failed" },
  });
});

// @row model-api > Chat rules > 2: `required` and specific choices are explicit; one call without parallel calls
test("toolConstraint() forces calls of the functions there are, as each family writes them", () => {
  const forced = { tools: [add, now], toolChoice: { mode: "required" } as const, parallelToolCalls: true };
  assert.equal(toolConstraint({ ...forced, toolChoice: { mode: "auto" } }, "hermes"), undefined);
  assert.equal(toolConstraint(forced, "function_markup"), undefined);
  const schemaOf = (name: string, key: string, parameters: object) => ({
    type: "object",
    properties: { name: { const: name }, [key]: { $id: name, ...parameters } },
    required: ["name", key],
    additionalProperties: false,
  });
  assert.deepEqual(toolConstraint(forced, "hermes"), {
    open: "<tool_call>\n",
    close: "\n</tool_call>",
    schema: { anyOf: [schemaOf("add", "arguments", add.parameters), schemaOf("now", "arguments", now.parameters)] },
    repeated: true,
    paths: ["tools", "tools"],
  });
  const one = { tools: [add], toolChoice: { mode: "function", name: "add" } as const, parallelToolCalls: false };
  assert.deepEqual(toolConstraint(one, "llama")?.schema, schemaOf("add", "parameters", add.parameters));
  assert.deepEqual(toolConstraint(one, "mistral")?.schema, {
    type: "array",
    items: schemaOf("add", "arguments", add.parameters),
    minItems: 1,
    maxItems: 1,
  });
});
