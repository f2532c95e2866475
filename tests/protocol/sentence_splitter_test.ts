import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SentenceSplitter } from "../../lib/protocol/realtime/sentence_splitter.ts";

/** The sentences of a text that comes in pieces. */
function split(...pieces: readonly string[]): string[] {
  const splitter = new SentenceSplitter();
  return [...pieces.flatMap((piece) => splitter.push(piece)), splitter.flush()].filter((text) => text !== "");
}

const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["sentences", ["One. Two! Three? Four"], ["One. ", "Two! ", "Three? ", "Four"]],
  ["pieces that end anywhere", ["On", "e", ". ", "Tw", "o."], ["One. ", "Two."]],
  ["a mark that does not end it yet", ["Pi is 3", ".", "14. Good."], ["Pi is 3.14. ", "Good."]],
  ["quotes and brackets", ['He said "No." (Yes.) Fine.'], ['He said "No." ', "(Yes.) ", "Fine."]],
  ["abbreviations", ["Dr. Who met Mr. J. Smith. He left."], ["Dr. Who met Mr. J. Smith. ", "He left."]],
  ["lines", ["- one\n- two\n"], ["- one\n", "- two\n"]],
  ["Chinese", ["你好。再见。"], ["你好。", "再见。"]],
  ["a long first clause", ["When the night has come and the land is dark, ", "I stand. ", "By me, then, as it is."], [
    "When the night has come and the land is dark, ",
    "I stand. ",
    "By me, then, as it is.",
  ]],
  ["no end at all", [`${"word ".repeat(100)}`], [`${"word ".repeat(80)}`, `${"word ".repeat(20)}`]],
];
for (const [what, pieces, expected] of cases) {
  test(`a text is split into what can be spoken: ${what}`, () => assert.deepEqual(split(...pieces), expected));
}

test("nothing of a text is lost, however it comes", () =>
  fc.assert(fc.property(fc.array(fc.string({ unit: fc.constantFrom(..."ab .,!?\n\"')…。") })), (pieces) => {
    assert.equal(split(...pieces).join(""), pieces.join(""));
  })));
