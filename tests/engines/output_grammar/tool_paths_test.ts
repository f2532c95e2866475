import assert from "node:assert/strict";
import { test } from "node:test";
import { outputGrammar } from "../../../lib/engines/output_grammar/output_grammar.ts";
import { readChatRequest, toolConstraint } from "../../../lib/protocol/mod.ts";
import type { SvcError } from "../../../lib/errors/svc_error.ts";

const endless = { type: "object", properties: { x: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/a" } } };
const impossible = { type: "object", properties: { x: false }, required: ["x"] };

/** The path of what is wrong with the third of three functions. */
function wrongPath(parameters: unknown, tool_choice: unknown, format: "hermes" | "llama" | "mistral"): string {
  const tool = (name: string, parameters: unknown) => ({ type: "function", function: { name, parameters } });
  const tools = [tool("a", {}), tool("b", { type: "object" }), tool("c", parameters)];
  const request = readChatRequest({ model: "", messages: [{ role: "user", content: "x" }], tools, tool_choice });
  const calls = toolConstraint(request, format)!;
  try {
    outputGrammar({ kind: "tool_calls", calls, forced: true });
  } catch (error) {
    const { param = "", message } = error as SvcError;
    assert.ok(message.includes(`"${param}"`), message);
    return param;
  }
  return "";
}

test("errors of forced calls name the schema by its path in the request, not in the schema of all calls", () => {
  const named = { type: "function", function: { name: "c" } };
  const allowed = { type: "allowed_tools", allowed_tools: { mode: "required", tools: [named] } };
  for (const format of ["hermes", "llama", "mistral"] as const) {
    for (const choice of ["required", named, allowed]) {
      assert.equal(wrongPath(endless, choice, format), "tools[2].function.parameters.properties.x.$ref");
    }
    for (const choice of [named, allowed]) {
      assert.equal(wrongPath(impossible, choice, format), "tools[2].function.parameters");
    }
  }
});
