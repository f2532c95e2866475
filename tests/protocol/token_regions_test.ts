import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findReasoningSpans, splitReasoning } from "../../lib/protocol/reasoning/reasoning_splitter.ts";
import { THINK_TAGS } from "../../lib/protocol/reasoning/reasoning_tags.ts";
import { tokenRegions } from "../../lib/protocol/decoding/token_regions.ts";
import type { ToolCallFormat } from "../../lib/protocol/tools/tool_call_formats.ts";

/** The text of each region, one letter a token. */
function regions(text: string, format: ToolCallFormat, hasTools: boolean, startsInReasoning = false) {
  const letters = [...text];
  const found = tokenRegions(
    letters,
    { reasoningTags: THINK_TAGS, startsInReasoning, toolCallFormat: format },
    hasTools,
  );
  const joined: Record<string, string> = {};
  found.forEach((region, i) => joined[region] = (joined[region] ?? "") + letters[i]);
  return joined;
}

// @row model-api > Chat rules > 8: log probabilities without stream, with extension fields
test("tokenRegions() distinguishes reasoning, marks, text and code", () => {
  assert.deepEqual(regions("<think>hm</think>See:\n```\nx\n```!", "hermes", false), {
    reasoning: "hm",
    markup: "<think></think>",
    visible: "See:\n!",
    code: "```\nx\n```",
  });
  assert.deepEqual(regions("a</think>b", "hermes", false, true), { reasoning: "a", markup: "</think>", visible: "b" });
});

const calls: [ToolCallFormat, string, string, string][] = [
  ["hermes", 'Ok<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>', "add", '{"a": 1}'],
  ["llama", '{"name": "add", "parameters": {"a": 1}}', "add", '{"a": 1}'],
  ["mistral", '[TOOL_CALLS]add[ARGS]{"a": 1}', "add", '{"a": 1}'],
  [
    "mistral",
    '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1}}, {"name": "now", "arguments": {}}]',
    "addnow",
    '{"a": 1}{}',
  ],
  ["function_markup", "<function=add><parameter=a>\n1\n</parameter><parameter=b>2</parameter></function>", "add", "12"],
  ["key_value_markup", "<tool_call>add<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>", "add", "1"],
  ["pythonic", "[add(a=1)]", "add", "a=1"],
];

for (const [format, text, name, given] of calls) {
  test(`tokenRegions() finds names and arguments in ${format} calls such as ${text}`, () => {
    const found = regions(text, format, true);
    assert.deepEqual([found.tool_name, found.tool_argument], [name, given]);
    assert.equal(regions(text, format, false).visible, text);
  });
}

test("tokenRegions() has a region for every token, also for those without text", () => {
  const prompt = { reasoningTags: THINK_TAGS, startsInReasoning: false, toolCallFormat: "hermes" } as const;
  assert.deepEqual(tokenRegions(["a", "", "b", ""], prompt, true), ["visible", "visible", "visible", "unknown"]);
});

test("findReasoningSpans() agrees with splitReasoning()", () => {
  const word = fc.constantFrom("<think>", "</think>", "<THINK>", "a", "b", "<");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 10 }), fc.boolean(), (words, inside) => {
      const text = words.join("");
      const spans = findReasoningSpans(text, THINK_TAGS, inside);
      const of = (kind: string) => spans.filter((span) => span.kind === kind).map((s) => text.slice(s.start, s.end));
      const { content, reasoning } = splitReasoning(text, THINK_TAGS, inside);
      assert.equal(of("said").join(""), content);
      assert.equal(of("reasoning").filter((thought) => thought !== "").join("\n\n"), reasoning ?? "");
    }),
    { seed: 8, numRuns: 500 },
  );
});
