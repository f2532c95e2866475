import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ReasoningSplitter, splitReasoning } from "../../../lib/api/protocol/reasoning/reasoning_splitter.ts";
import { endsInReasoning, findReasoningTags, THINK_TAGS } from "../../../lib/api/protocol/reasoning/reasoning_tags.ts";

const split = (text: string, inside = false) => {
  const { content, reasoning, unfinished } = splitReasoning(text, THINK_TAGS, inside);
  return [content, reasoning, unfinished];
};

const table: [string, string, unknown[]][] = [
  ["an answer without thoughts", " Hello <b>\n", [" Hello <b>\n", undefined, false]],
  ["a thought and an answer", "<think>\n2 + 2\n</think>\n\n4", ["4", "2 + 2", false]],
  ["marks in any case", "<THINK>a</Think>b", ["b", "a", false]],
  ["several thoughts", "<think>a</think>x <think>b</think> y", ["x y", "a\n\nb", false]],
  ["an empty thought", "<think>\n\n</think>\n\nx", ["x", undefined, false]],
  ["a thought without an end", "x<think>a", ["x", "a", true]],
  ["a thought that was never opened", "a\n</think>\nx", ["x", "a", false]],
  ["text that begins like a mark", "1 <thin 2 <t", ["1 <thin 2 <t", undefined, false]],
  ["a mark within a thought", "<think>a <think> b</think>c", ["c", "a <think> b", false]],
];

for (const [name, text, expected] of table) {
  test(`splitReasoning() splits ${name}`, () => assert.deepEqual(split(text), expected));
}

test("splitReasoning() begins within the thought that the prompt has opened", () => {
  assert.deepEqual(split("a</think>x", true), ["x", "a", false]);
  assert.deepEqual(split("a", true), ["", "a", true]);
});

// @row model-api > Chat rules > 4: thoughts in `reasoning_content`, and back
test("ReasoningSplitter says the same however the text is cut, and says nothing of a thought", () => {
  const piece = fc.constantFrom("<think>", "</think>", "<th", "ink>", "</", " ", "\n", "a", "b", "<", "İ");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), fc.boolean(), (pieces, inside) => {
      const whole = new ReasoningSplitter(THINK_TAGS, inside);
      const content = whole.push(pieces.join("")) + whole.flush();
      const letters = new ReasoningSplitter(THINK_TAGS, inside);
      const said = [...pieces.join("")].map((letter) => letters.push(letter)).join("") + letters.flush();
      assert.deepEqual([said, letters.reasoning, letters.unfinished], [content, whole.reasoning, whole.unfinished]);
    }),
    { seed: 4, numRuns: 2000 },
  );
});

test("findReasoningTags() knows the marks of each family", () => {
  assert.equal(findReasoningTags("{{ '[THINK]' + t + '[/THINK]' }}").open, "[THINK]");
  assert.equal(findReasoningTags("<seed:think></seed:think>").open, "<seed:think>");
  assert.equal(findReasoningTags("<thinking>x</thinking>").close, "</thinking>");
  assert.equal(findReasoningTags("none"), THINK_TAGS);
  assert.deepEqual(split("[THINK]a[/THINK]b"), ["[THINK]a[/THINK]b", undefined, false]);
  const tags = findReasoningTags("[/THINK]");
  assert.equal(splitReasoning("[THINK]a[/THINK]b", tags, false).reasoning, "a");
});

test("endsInReasoning() looks at the end of the prompt", () => {
  assert.equal(endsInReasoning("<|im_start|>assistant\n<think>\n", THINK_TAGS), true);
  assert.equal(endsInReasoning("<think>\n\n</think>\n\n", THINK_TAGS), false);
});
