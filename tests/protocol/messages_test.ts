import assert from "node:assert/strict";
import { test } from "node:test";
import { readChatRequest } from "../../lib/protocol/chat/read_chat_request.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

const read = (...messages: unknown[]) => readChatRequest({ model: "", messages }).messages;
const first = (message: unknown) => read(message)[0];

function wrong(param: string, ...messages: unknown[]): void {
  assert.throws(() => read(...messages), (error) => error instanceof SvcError && error.param === param, param);
}

const call = (id: string, name: string, text: string) => ({
  id,
  type: "function",
  function: { name, arguments: text },
});

// @row model-api > Chat request > `messages`: roles system, developer, user, assistant, tool
test("readChatRequest() reads every role, whatever its case", () => {
  const roles = ["system", " Developer ", "USER"].map((role) => first({ role, content: "x" }).role);
  assert.deepEqual(roles, ["system", "developer", "user"]);
  wrong("messages[0].role", { role: "function", content: "x" });
  wrong("messages[0].role", { role: 1, content: "x" });
  wrong("messages[0].role", { content: "x" });
  wrong("messages[1]", { role: "user", content: "x" }, "hello");
});

// @row model-api > Chat request > `messages`: roles system, developer, user, assistant, tool
test("readChatRequest() joins text parts of all kinds with newlines", () => {
  const content = [{ type: "text", text: "a" }, { type: "input_text", text: "b" }, { text: "c" }];
  assert.equal(first({ role: "user", content }).content, "a\nb\nc");
  assert.equal(first({ role: "system", content: [{ type: "text", text: "a" }] }).content, "a");
  wrong("messages[0].content", { role: "user", content: [] });
  wrong("messages[0].content", { role: "user", content: null });
  wrong("messages[0].content", { role: "user" });
  wrong("messages[0].content[0].text", { role: "user", content: [{ type: "text" }] });
  wrong("messages[0].content[1].type", { role: "user", content: [{ text: "a" }, { type: "input_audio" }] });
  wrong("messages[0].content[0]", { role: "user", content: ["a"] });
});

test("readChatRequest() keeps images as references, in their order", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } };
  assert.deepEqual(first({ role: "user", content: [image, { type: "text", text: "what?" }] }).content, [
    { type: "image", image: { kind: "data", mediaType: "image/png", base64: "AAAA", detail: "low" } },
    { type: "text", text: "what?" },
  ]);
  const place = (url: unknown) => {
    const [part] = first({ role: "user", content: [{ type: "input_image", image_url: url }] }).content;
    return part;
  };
  assert.deepEqual(place("/tmp/a.png"), { type: "image", image: { kind: "path", path: "/tmp/a.png", detail: "auto" } });
  assert.deepEqual(place("C:\\a.png"), { type: "image", image: { kind: "path", path: "C:\\a.png", detail: "auto" } });
  assert.deepEqual(place("file:///tmp/a%20b.png"), {
    type: "image",
    image: { kind: "file_url", url: "file:///tmp/a%20b.png", detail: "auto" },
  });
});

test("readChatRequest() never takes a remote or broken image", () => {
  const urls = ["https://x.org/a.png", "HTTP://x.org/a.png", "ftp://x/a", "file://host/a.png", "", "a\0.png"];
  const data = ["data:image/png,AAAA", "data:text/html;base64,AAAA", "data:image/png;base64,A*AA", "data:image/png"];
  for (const url of [...urls, ...data, "data:image/png;base64,", "data:image/png;base64,AAA"]) {
    wrong("messages[0].content[0].image_url.url", {
      role: "user",
      content: [{ type: "image_url", image_url: { url } }],
    });
    wrong("messages[0].content[0].image_url", { role: "user", content: [{ type: "image_url", image_url: url }] });
  }
});

test("readChatRequest() takes one image in a message, of users only", () => {
  const image = { type: "image_url", image_url: "/tmp/a.png" };
  wrong("messages[0].content", { role: "user", content: [image, image] });
  for (const role of ["system", "developer", "assistant"]) {
    wrong("messages[0].content[0].type", { role, content: [image] });
  }
  wrong("messages[0].content[0].type", { role: "tool", tool_call_id: "x", content: [image] });
});

// @row model-api > Chat request > `messages`: roles system, developer, user, assistant, tool
test("readChatRequest() reads assistant messages as answers hand them out", () => {
  const answer = { role: "assistant", content: null, refusal: null, annotations: [], audio: null, function_call: null };
  const tool_calls = [call("call_0", "add", '{"a":1}')];
  const request = readChatRequest({
    model: "",
    messages: [{ ...answer, reasoning_content: "hm", tool_calls }, {
      role: "tool",
      tool_call_id: "call_0",
      content: "2",
    }],
  });
  assert.deepEqual(request.warnings, []);
  assert.deepEqual(request.messages, [
    {
      role: "assistant",
      content: "",
      reasoning: "hm",
      toolCalls: [{ id: "call_0", name: "add", arguments: '{"a":1}' }],
      name: undefined,
    },
    { role: "tool", content: "2", toolCallId: "call_0", name: "add" },
  ]);
});

/** The call of an assistant with these arguments, and the warnings. */
function history(given: object) {
  const tool_calls = [{ id: "a", type: "function", function: { name: "f", ...given } }];
  const { messages, warnings } = readChatRequest({ model: "", messages: [{ role: "assistant", tool_calls }] });
  const [message] = messages;
  assert.ok(message.role === "assistant");
  return { ...message.toolCalls[0], warnings };
}

test("readChatRequest() takes back the arguments that a model once wrote", () => {
  for (const text of ["", " ", "null", "{}", undefined, null]) {
    const { arguments: given, isForeign, warnings } = history({ arguments: text });
    assert.deepEqual([given, isForeign, warnings], ["{}", undefined, []], String(text));
  }
  assert.equal(history({}).arguments, "{}");
  const written = '{"id": 2512292042121000001, "10": 1.0, "2": "\\u00e9", "2": 1e3}';
  assert.deepEqual([history({ arguments: written }).arguments, history({ arguments: written }).warnings], [
    written,
    [],
  ]);
  assert.equal(history({ arguments: { a: [1] } }).arguments, '{"a":[1]}');
});

test("readChatRequest() passes on arguments that are not an object as text, and says so", () => {
  for (const text of ['{"city": "Par', "[1]", "1", '"x"', "true", "Paris", "{'a': 1}"]) {
    const { arguments: given, isForeign, warnings } = history({ arguments: text });
    assert.deepEqual([given, isForeign], [text, true]);
    assert.deepEqual(warnings, [
      'Passed on "messages[0].tool_calls[0].function.arguments" as a text: it is not a JSON object',
    ]);
  }
  assert.deepEqual(history({ arguments: [1] }).arguments, "[1]");
  const call = { id: "a", function: { name: "f", arguments: "?" } };
  const many = readChatRequest({ model: "", messages: [{ role: "assistant", tool_calls: Array(20).fill(call) }] });
  assert.deepEqual([many.warnings.length, many.warnings.at(-1)], [
    9,
    "Passed on the arguments of 12 more calls as texts",
  ]);
});

test("readChatRequest() requires ids and names of calls", () => {
  wrong("messages[0].tool_calls[0].id", { role: "assistant", tool_calls: [{ function: { name: "f" } }] });
  wrong("messages[0].tool_call_id", { role: "tool", content: "x" });
  wrong("messages[0].function_call", { role: "assistant", content: "", function_call: { name: "f" } });
});
