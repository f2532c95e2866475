import { test } from "node:test";
import assert from "node:assert/strict";
import { openTokenizer } from "../../../lib/models/arworld/text/tokenizer.ts";
import golden from "../../goldens/data/tokenizer_charsmap.json" with { type: "json" };

const pieces = ["<pad>", "</s>", "<s>", "<unk>", "▁a", "▁hall", "▁", "a", "h", "l"];
const tiny = {
  pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: false },
  model: { type: "Unigram", unk_id: 3, vocab: pieces.map((piece, i) => [piece, -i]) },
};

test("openTokenizer() gives the ids of the reference tokenizer, charsmap and unknown characters included", () => {
  const tokenizer = openTokenizer("tokenizer.json", golden.tokenizer);
  assert.ok(golden.cases.length > 20);
  for (const { text, ids } of golden.cases) {
    const tokens = tokenizer.encode(text, 64);
    assert.deepEqual([...tokens.ids.slice(0, tokens.length)], ids, JSON.stringify(text));
  }
});

test("PromptTokenizer.encode() ends the text and pads with 0", () => {
  const tokenizer = openTokenizer("t", tiny);
  assert.deepEqual(tokenizer.encode("a  hall", 6), { ids: Int32Array.of(4, 5, 1, 0, 0, 0), length: 3 });
  assert.deepEqual(tokenizer.encode("", 3), { ids: Int32Array.of(1, 0, 0), length: 1 });
  assert.deepEqual(tokenizer.encode(" \n", 3), { ids: Int32Array.of(1, 0, 0), length: 1 });
});

test("PromptTokenizer.encode() keeps the end of text when the prompt is too long", () => {
  const tokens = openTokenizer("t", tiny).encode("a hall a hall a", 4);
  assert.deepEqual(tokens, { ids: Int32Array.of(4, 5, 4, 1), length: 4 });
});

test("PromptTokenizer.encode() tokenises only what fits, and parts of a long prompt as if they were whole", () => {
  const tokenizer = openTokenizer("t", tiny);
  const words = (count: number) => Array.from({ length: count }, (_, i) => i % 3 === 0 ? "hall" : "a").join(" ");
  const whole = tokenizer.encode(words(20_000), 16_000);
  assert.deepEqual([...whole.ids.slice(0, 15_999)], Array.from({ length: 15_999 }, (_, i) => i % 3 === 0 ? 5 : 4));
  assert.equal(tokenizer.encode(words(300_000), 512).length, 512);
  assert.equal(tokenizer.encode("a".repeat(1_000_000), 512).length, 512);
  assert.deepEqual([...tokenizer.encode(`a${"\u{1f600}".repeat(4096)}`, 8).ids], [4, 3, 6, 3, 6, 3, 1, 0]);
});

test("PromptTokenizer.encode() joins unknown characters in a row into one unknown token", () => {
  assert.deepEqual([...openTokenizer("t", tiny).encode("a 東京a", 8).ids], [4, 6, 3, 7, 1, 0, 0, 0]);
});

test("openTokenizer() says what is wrong with a file that it cannot use", () => {
  const refused = (json: unknown, message: RegExp) =>
    assert.throws(() => openTokenizer("tokenizer.json", json), { name: "TokenizerError", message });
  refused(null, /^Cannot use tokenizer\.json: its model is undefined, expected "Unigram"$/);
  refused({ model: { type: "BPE" } }, /its model is "BPE", expected "Unigram"$/);
  refused({ model: { type: "Unigram", vocab: [["a"]] } }, /vocabulary is not a list of \[piece, score\] pairs$/);
  refused({ model: { ...tiny.model, unk_id: 10 } }, /its unk_id is 10, expected a place in the 10 pieces$/);
  refused({ model: { type: "Unigram", unk_id: 0, vocab: [["a", 0]] } }, /it has no piece "<\/s>"$/);
  refused({ ...tiny, pre_tokenizer: { type: "Nonsense" } }, /Unknown PreTokenizer type: Nonsense$/);
  const charsmap = btoa("\xff\xff\xff\x7f");
  refused(
    { ...tiny, normalizer: { type: "Precompiled", precompiled_charsmap: charsmap } },
    /Cannot read precompiled_charsmap: its trie has 2147483647 bytes, expected a multiple of 4 within 4$/,
  );
});
