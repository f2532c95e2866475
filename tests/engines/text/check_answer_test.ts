import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAnswer } from "../../../lib/engines/text/answer_constraint.ts";
import type { FinishedAnswer } from "../../../lib/protocol/mod.ts";

const answer = (value: unknown): FinishedAnswer => ({
  message: { role: "assistant", content: typeof value === "string" ? value : JSON.stringify(value) },
  finishReason: "stop",
  rest: "",
  restReasoning: undefined,
});
const check = (schema: Record<string, unknown>, value: unknown) =>
  checkAnswer({ kind: "json_schema", schema, strict: true }, answer(value));
const refused = { code: "invalid_output", type: "server_error" };

test("checkAnswer() takes schemas of every draft", () => {
  for (
    const draft of [
      "http://json-schema.org/draft-07/schema#",
      "http://json-schema.org/draft-04/schema#",
      "https://json-schema.org/draft/2019-09/schema#",
      "https://json-schema.org/draft/2020-12/schema",
    ]
  ) {
    const schema = { $schema: draft, type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
    check(schema, { a: 1 });
    assert.throws(() => check(schema, { a: "1" }), refused);
  }
});

test("checkAnswer() supports nullable schemas and tuples", () => {
  check({ type: "string", nullable: true }, "null");
  assert.throws(() => check({ type: "string", nullable: true }, "1"), refused);
  const pair = { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false };
  check(pair, ["a", 1]);
  assert.throws(() => check(pair, ["a", "b"]), refused);
  assert.throws(() => check(pair, ["a", 1, 2]), refused);
});

test("checkAnswer() refuses what is not JSON, or not an object where one is required", () => {
  assert.throws(() => check({}, "{"), refused);
  checkAnswer({ kind: "json_object" }, answer({}));
  assert.throws(() => checkAnswer({ kind: "json_object" }, answer([])), refused);
});

test("checkAnswer() takes no longer for schemas whose references double with every link", () => {
  const doubled = (keyword: string, links: number, end: object) => ({
    $ref: "#/$defs/d0",
    $defs: {
      ...Object.fromEntries(Array.from({ length: links }, (_, i) => {
        const next = { $ref: `#/$defs/d${i + 1}` };
        return [`d${i}`, { [keyword]: [next, next] }];
      })),
      [`d${links}`]: end,
    },
  });
  const began = performance.now();
  check(doubled("allOf", 60, { type: "object" }), {});
  assert.throws(() => check(doubled("allOf", 60, { type: "object" }), []), refused);
  // Recursion that doubles at every level of the value.
  const tree = { $defs: { t: { type: "array", items: doubled("anyOf", 30, { type: "array" }) } }, $ref: "#/$defs/t" };
  check(tree, Array.from({ length: 2000 }, () => []));
  const self: Record<string, unknown> = { type: "array", items: { allOf: [{ $ref: "#" }, { $ref: "#" }] } };
  check(self, "[".repeat(5000) + "]".repeat(5000));
  check({ type: "array", items: { enum: Array.from({ length: 2000 }, (_, i) => i) } }, new Array(20_000).fill(1999));
  assert.ok(performance.now() - began < 5_000, `${performance.now() - began} ms`);
});
