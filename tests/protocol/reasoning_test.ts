import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  findReasoningSpans,
  ReasoningSplitter,
  splitReasoning,
} from "../../lib/protocol/reasoning/reasoning_splitter.ts";
import { endsInReasoning, findReasoningTags, THINK_TAGS } from "../../lib/protocol/reasoning/reasoning_tags.ts";

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

test("ReasoningSplitter.takeReasoning() gives all reasoning piece by piece, as it will be at the end", () => {
  const piece = fc.constantFrom("<think>", "</think>", "<th", "ink>", "</", " ", "\n", "a", "b", "<");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), fc.boolean(), (pieces, inside) => {
      const splitter = new ReasoningSplitter(THINK_TAGS, inside);
      let thought = "";
      for (const one of pieces) {
        splitter.push(one);
        thought += splitter.takeReasoning();
      }
      splitter.flush();
      assert.equal(thought + splitter.takeReasoning(), splitter.reasoning ?? "");
    }),
    { seed: 5, numRuns: 2000 },
  );
});

/** What families write, as their templates and cards show it. */
const families: [string, string, string, unknown[]][] = [
  [
    "gpt-oss",
    "{{ '<|start|>assistant<|channel|>analysis<|message|>' + message.thinking + '<|end|>' }}",
    "<|channel|>analysis<|message|>2 + 2<|end|><|start|>assistant<|channel|>final<|message|>4",
    ["4", "2 + 2", false],
  ],
  [
    "gpt-oss without reasoning",
    "<|channel|>final",
    "<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>final<|message|>4",
    ["I look.4", undefined, false],
  ],
  ["gpt-oss that is cut off", "<|channel|>analysis", "<|channel|>analysis<|message|>2 +", ["", "2 +", true]],
  ["Gemma 4", "<|channel>thought\n<channel|>", "<|channel>thought\n2 + 2<channel|>4", ["4", "2 + 2", false]],
  ["Mistral", "[THINK][/THINK]", "[THINK]2 + 2[/THINK]4", ["4", "2 + 2", false]],
  ["Seed", "<seed:think></seed:think>", "<seed:think>2 + 2</seed:think>4", ["4", "2 + 2", false]],
];

for (const [name, template, text, expected] of families) {
  test(`the answers of ${name} are read`, () => {
    const tags = findReasoningTags(template);
    const { content, reasoning, unfinished } = splitReasoning(text, tags, false);
    assert.deepEqual([content, reasoning, unfinished], expected);
    const letters = new ReasoningSplitter(tags, false);
    const said = [...text].map((letter) => letters.push(letter)).join("") + letters.flush();
    assert.deepEqual([said, letters.takeReasoning() || undefined], expected.slice(0, 2));
    const spans = findReasoningSpans(text, tags, false);
    const joined = (kind: string) =>
      spans.filter((span) => span.kind === kind).map(({ start, end }) => text.slice(start, end)).join("").trim();
    assert.deepEqual([joined("said"), joined("reasoning") || undefined], expected.slice(0, 2));
  });
}

test("ReasoningSplitter says the same of every family however the text is cut", () => {
  for (
    const template of [...families.map(([, template]) => template), "<thinking></thinking>", "<reasoning></reasoning>"]
  ) {
    const tags = findReasoningTags(template);
    const marks = [tags.open, tags.close, ...tags.others ?? []];
    const part = fc.tuple(fc.constantFrom(...marks), fc.nat(20), fc.nat(20)).map(([mark, a, b]) => mark.slice(a, b));
    const piece = fc.oneof(fc.constantFrom(...marks), part, fc.constantFrom(" ", "\n", "a", "é", "😀", "İ", "<", "|"));
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(9), { maxLength: 40 }), fc.boolean(), (text, widths, inside) => {
        const whole = new ReasoningSplitter(tags, inside);
        const content = whole.push(text) + whole.flush();
        const cut = new ReasoningSplitter(tags, inside);
        let [said, thought] = ["", ""];
        for (let at = 0, i = 0; at < text.length; i++) {
          const width = 1 + (widths[i] ?? 0);
          said += cut.push(text.slice(at, at + width));
          thought += cut.takeReasoning();
          at += width;
        }
        said += cut.flush();
        thought += cut.takeReasoning();
        assert.deepEqual([said, cut.reasoning, cut.unfinished], [content, whole.reasoning, whole.unfinished], template);
        assert.equal(thought, whole.reasoning ?? "", template);
        const spans = findReasoningSpans(text, tags, inside);
        const answer = splitReasoning(text, tags, inside);
        const letters = (text: string) => text.replace(/\s/g, "");
        const joined = (kind: string) =>
          letters(spans.filter((one) => one.kind === kind).map(({ start, end }) => text.slice(start, end)).join(""));
        assert.equal(joined("said"), letters(answer.content), template);
        assert.equal(joined("reasoning"), letters(answer.reasoning ?? ""), template);
      }),
      { seed: 8, numRuns: 500 },
    );
  }
});

test("findReasoningTags() finds the marks of each family", () => {
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
