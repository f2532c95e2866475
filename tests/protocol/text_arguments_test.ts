import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolDefinition } from "../../lib/protocol/chat/chat_request.ts";
import { readToolCalls } from "../../lib/protocol/tools/read_tool_calls.ts";
import { textArguments } from "../../lib/protocol/tools/text_arguments.ts";
import type { ToolCallFormat } from "../../lib/protocol/tools/tool_call_formats.ts";

const NUMBERS = ["12345", "1.10", "12345678901234567890", "1e3", "-0"];
const WORDS = ["true", "True", "false", "[1]", '{"a": 1}', '"x"', "None", "x y", "", " 1 "];

const $defs = {
  V: { type: "string" },
  chain: { $ref: "#/$defs/V" },
  "a/b~c": { type: ["null", "string"] },
  cycle: { anyOf: [{ type: "integer" }, { $ref: "#/$defs/cycle" }, { type: "string" }] },
  loop: { $ref: "#/$defs/pool" },
  pool: { $ref: "#/$defs/loop" },
  named: { $anchor: "text", type: "string" },
  number: { type: "integer" },
};

/** The value of an argument with a schema. */
function valueOf(text: string, schema: unknown, isString?: boolean): unknown {
  const parameters = { type: "object", properties: { p: schema }, $defs, definitions: { W: { type: "string" } } };
  return JSON.parse(textArguments([{ name: "p", text, isString }], parameters)).p;
}

const strings: readonly unknown[] = [
  { type: "string" },
  { type: ["string", "integer", "boolean"] },
  { type: "string", format: "date" },
  { anyOf: [{ type: "string" }, { type: "integer" }] },
  { oneOf: [{ type: "boolean" }, { anyOf: [{ type: "array" }, { type: "string" }] }] },
  { allOf: [{ type: ["string", "number"] }, { type: ["string", "array"] }] },
  { enum: [...NUMBERS, ...WORDS] },
  { const: "12345" },
  { type: "string", enum: ["a", "b"] },
  { $ref: "#/$defs/V" },
  { $ref: "#/$defs/chain" },
  { $ref: "#/definitions/W" },
  { $ref: "#/$defs/cycle" },
  { $ref: "#/$defs/loop" },
  { $ref: "#text" },
  { $ref: "#/$defs/a~1b~0c" },
  { $ref: "#/%24defs/V", description: "escaped" },
  { allOf: [{ $ref: "#/$defs/V" }], description: "with a description" },
  { pattern: "^x" },
  {},
  { description: "anything" },
  true,
];

test("a text argument stays text wherever the schema allows a string", () => {
  for (const schema of strings) {
    for (const text of [...NUMBERS, ...WORDS]) assert.equal(valueOf(text, schema), text, JSON.stringify(schema));
  }
});

test("only null is null where a string may be null, too", () => {
  const nullable = [
    { type: ["string", "null"] },
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { oneOf: [{ type: "null" }, { $ref: "#/$defs/V" }] },
    { enum: ["a", null] },
    { type: "string", nullable: true },
    { $ref: "#/$defs/a~1b~0c" },
  ];
  for (const schema of nullable) {
    assert.equal(valueOf("null", schema), null, JSON.stringify(schema));
    for (const text of ["None", "nul", "12345", "true"]) assert.equal(valueOf(text, schema), text);
  }
  for (const schema of [{ type: "string" }, { enum: ["null", null] }, { type: "string", enum: ["a", null] }]) {
    assert.equal(valueOf("null", schema), "null", JSON.stringify(schema));
  }
});

test("other types are read as JSON or Python, numbers as written", () => {
  const read = (text: string, schema: unknown): string =>
    textArguments([{ name: "p", text }], { properties: { p: schema }, $defs });
  const of = (type: unknown) => ({ type });
  const rows: [string, unknown, string][] = [
    ["9007199254740993", of("integer"), "9007199254740993"],
    ["1.0", of("number"), "1.0"],
    ["1e3", { $ref: "#/$defs/number" }, "1e3"],
    ["-0", { anyOf: [of("integer"), of("null")] }, "-0"],
    ["\n5\n", of("integer"), "5"],
    ["True", of("boolean"), "true"],
    ["False", { enum: [true, false] }, "false"],
    ["None", of(["integer", "null"]), "null"],
    ["null", of(["integer", "null"]), "null"],
    ["[1.0, 9007199254740993]", of("array"), "[1.0, 9007199254740993]"],
    ["{'a': True, 'b': [None, False], 'c': 'it\\'s'}", of("object"), '{"a": true, "b": [null, false], "c": "it\'s"}'],
    ['{"b": 1, "a": "\\u00e9"}', { properties: {} }, '{"b": 1, "a": "\\u00e9"}'],
    ["[True, 'a']", { items: {} }, '[true, "a"]'],
    ["2", { enum: ["auto", 2] }, "2"],
    ["one", of("integer"), '"one"'],
    ["007", of("integer"), '"007"'],
    ["5", { not: of("string") }, "5"],
    ["5", { allOf: [of(["string", "integer"]), of("integer")] }, "5"],
  ];
  for (const [text, schema, json] of rows) assert.equal(read(text, schema), `{"p": ${json}}`, JSON.stringify(schema));
});

test("what the schema does not name is read as JSON, and a name that occurs twice counts once", () => {
  assert.equal(textArguments([{ name: "x", text: "1.0" }, { name: "y", text: "a" }], {}), '{"x": 1.0, "y": "a"}');
  const closed = { additionalProperties: { type: "string" } };
  assert.equal(textArguments([{ name: "x", text: "1.0" }], closed), '{"x": "1.0"}');
  assert.equal(textArguments([{ name: "x", text: "1" }, { name: "x", text: "2" }], {}), '{"x": 2}');
  assert.equal(textArguments([{ name: "__proto__", text: "1" }], {}), '{"__proto__": 1}');
  const split = { allOf: [{ properties: { x: { type: "string" } } }], properties: { y: { type: "integer" } } };
  assert.equal(textArguments([{ name: "x", text: "1" }, { name: "y", text: "1" }], split), '{"x": "1", "y": 1}');
});

test("the markup may say itself what is a string", () => {
  assert.equal(valueOf("1", { type: ["string", "integer"] }, false), 1);
  assert.equal(valueOf("1", { type: ["string", "integer"] }, true), "1");
  assert.equal(valueOf("1", { anyOf: [{ type: "string" }, { type: "null" }] }, false), "1");
  assert.equal(valueOf("1", { type: "integer" }, true), 1);
  assert.equal(JSON.parse(textArguments([{ name: "x", text: "1", isString: true }], {})).x, "1");
});

test("a schema whose references double is looked at in bounded time", () => {
  const defs: Record<string, unknown> = { d40: { type: "string" } };
  for (let i = 0; i < 40; i++) {
    defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
  }
  const parameters = { properties: { p: { $ref: "#/$defs/d0" } }, $defs: defs };
  assert.equal(textArguments([{ name: "p", text: "1" }], parameters), '{"p": "1"}');
  let deep: unknown = { type: "string" };
  for (let i = 0; i < 5000; i++) deep = { allOf: [deep] };
  assert.equal(textArguments([{ name: "p", text: "1" }], { properties: { p: deep } }), '{"p": "1"}');
});

test("every markup format keeps texts", () => {
  const markup: [ToolCallFormat, (text: string) => string][] = [
    [
      "function_markup",
      (text) => `<tool_call>\n<function=f>\n<parameter=p>\n${text}\n</parameter>\n</function>\n</tool_call>`,
    ],
    ["function_markup", (text) => `<function=f><parameter=p>${text}</parameter></function>`],
    ["key_value_markup", (text) => `<tool_call>f\n<arg_key>p</arg_key>\n<arg_value>${text}</arg_value>\n</tool_call>`],
    [
      "invoke_markup",
      (text) =>
        `<minimax:tool_call>\n<invoke name="f">\n<parameter name="p">${text}</parameter>\n</invoke>\n</minimax:tool_call>`,
    ],
    [
      "invoke_markup",
      (text) =>
        `<｜DSML｜function_calls>\n<｜DSML｜invoke name="f">\n<｜DSML｜parameter name="p" string="true">${text}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
    ],
    ["hermes", (text) => `<tool_call>\n<function=f>\n<parameter=p>\n${text}\n</parameter>\n</function>\n</tool_call>`],
  ];
  for (const schema of strings) {
    const parameters = { type: "object", properties: { p: schema }, $defs, definitions: { W: { type: "string" } } };
    const tools: ToolDefinition[] = [{ name: "f", description: "", strict: false, parameters }];
    for (const [format, write] of markup) {
      for (const text of ["12345", "1.10", "true", "12345678901234567890", '{"a": 1}']) {
        const [call] = readToolCalls(write(text), format, tools, true).calls;
        assert.equal(
          call.arguments,
          JSON.stringify({ p: text }).replace(":", ": "),
          `${format} ${JSON.stringify(schema)}`,
        );
      }
    }
  }
});
