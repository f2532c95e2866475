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

test("checkAnswer() takes schemas of every draft", async () => {
  for (
    const draft of [
      "http://json-schema.org/draft-07/schema#",
      "http://json-schema.org/draft-04/schema#",
      "https://json-schema.org/draft/2019-09/schema#",
      "https://json-schema.org/draft/2020-12/schema",
    ]
  ) {
    const schema = { $schema: draft, type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
    await check(schema, { a: 1 });
    await assert.rejects(check(schema, { a: "1" }), refused);
  }
});

test("checkAnswer() knows nullable schemas and tuples", async () => {
  await check({ type: "string", nullable: true }, "null");
  await assert.rejects(check({ type: "string", nullable: true }, "1"), refused);
  const pair = { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false };
  await check(pair, ["a", 1]);
  await assert.rejects(check(pair, ["a", "b"]), refused);
  await assert.rejects(check(pair, ["a", 1, 2]), refused);
});

test("checkAnswer() refuses what is not JSON, or no object where one is asked for", async () => {
  await assert.rejects(check({}, "{"), refused);
  await checkAnswer({ kind: "json_object" }, answer({}));
  await assert.rejects(checkAnswer({ kind: "json_object" }, answer([])), refused);
});
