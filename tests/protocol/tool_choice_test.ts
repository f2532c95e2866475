import assert from "node:assert/strict";
import { test } from "node:test";
import { readChatRequest } from "../../lib/protocol/chat/read_chat_request.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

const messages = [{ role: "user", content: "Hi" }];
const tool = (name: string, parameters?: unknown) => ({ type: "function", function: { name, parameters } });
const tools = [tool("add"), tool("sub")];
const read = (fields: Record<string, unknown>) => readChatRequest({ model: "", messages, ...fields });

function wrong(param: string, fields: Record<string, unknown>): void {
  assert.throws(() => read(fields), (error) => error instanceof SvcError && error.param === param, param);
}

// @row model-api > Chat rules > 3: parameters are kept in full
test("readChatRequest() keeps the schema of a function whole", () => {
  const parameters = {
    type: "object",
    properties: { a: { type: "array", items: { $ref: "#/$defs/x" } } },
    $defs: { x: { enum: ["p", 1, null] } },
    additionalProperties: false,
  };
  assert.deepEqual(read({ tools: [tool("f", parameters)] }).tools[0].parameters, parameters);
});

test("readChatRequest() takes an omitted or null schema for that of an empty object", () => {
  const empty = { type: "object", properties: {}, required: [] };
  assert.deepEqual(read({ tools: [tool("f")] }).tools[0].parameters, empty);
  assert.deepEqual(read({ tools: [tool("f", null)] }).tools[0].parameters, empty);
  for (const parameters of [[], "x", 1, true]) {
    wrong("tools[0].function.parameters", { tools: [tool("f", parameters)] });
  }
});

test("readChatRequest() refuses tools that are not functions or share a name", () => {
  wrong("tools[0].type", { tools: [{ type: "web_search" }] });
  wrong("tools[0].function", { tools: [{ type: "function" }] });
  wrong("tools[0].function.name", { tools: [tool("")] });
  wrong("tools", { tools: [tool("f"), tool("f")] });
  wrong("tools", { tools: {} });
});

// @row model-api > Chat request > `tool_choice`
test("readChatRequest() applies tool_choice", () => {
  const names = (choice: unknown) => read({ tools, tool_choice: choice }).tools.map(({ name }) => name);
  assert.deepEqual(names("auto"), ["add", "sub"]);
  assert.deepEqual(names("none"), []);
  assert.deepEqual(names("required"), ["add", "sub"]);
  assert.deepEqual(names({ type: "function", function: { name: "sub" } }), ["sub"]);
  assert.deepEqual(read({ tools, tool_choice: "required" }).toolChoice, { mode: "required" });
  assert.deepEqual(read({ tools, tool_choice: { type: "function", function: { name: "sub" } } }).toolChoice, {
    mode: "function",
    name: "sub",
  });
  assert.equal(read({ tools, parallel_tool_calls: false }).parallelToolCalls, false);
});

test("readChatRequest() leaves the tools that are allowed", () => {
  const allowed = (mode: unknown, ...names: string[]) => ({
    type: "allowed_tools",
    allowed_tools: { mode, tools: names.map(tool) },
  });
  const { tools: left, toolChoice } = read({ tools, tool_choice: allowed("required", "sub") });
  assert.deepEqual([left.map(({ name }) => name), toolChoice], [["sub"], { mode: "required" }]);
  const both = read({ tools, tool_choice: allowed("auto", "sub", "add") });
  assert.deepEqual([both.tools.map(({ name }) => name), both.toolChoice], [["add", "sub"], { mode: "auto" }]);
  for (
    const choice of [allowed("none", "add"), allowed("auto"), allowed("auto", "mul"), allowed("auto", "add", "mul")]
  ) {
    wrong("tool_choice", { tools, tool_choice: choice });
  }
});

// @row model-api > Chat request > `tool_choice`
test("readChatRequest() refuses choices without a meaning", () => {
  for (const choice of ["any", 1, {}, [], { type: "allowed_tools" }, { type: "function", function: {} }]) {
    wrong("tool_choice", { tools, tool_choice: choice });
  }
  wrong("tool_choice", { tools, tool_choice: { type: "function", function: { name: "mul" } } });
  wrong("tool_choice", { tool_choice: "required" });
  wrong("tool_choice", { tools: [], tool_choice: { type: "function", function: { name: "add" } } });
  assert.deepEqual(read({ tool_choice: "none" }).tools, []);
});
