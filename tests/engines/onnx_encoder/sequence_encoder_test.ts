import assert from "node:assert/strict";
import { test } from "node:test";
import { SequenceEncoder } from "../../../lib/engines/onnx_encoder/sequence_encoder.ts";
import { parseTokenizer } from "../../../lib/models/tokenizer/tokenizer_json.ts";

const words = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "a", "b", "c"];
const special = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
const sequence = (id: string, type_id: number) => ({ Sequence: { id, type_id } });
const added = words.slice(0, 4).map((content, id) => ({ id, content, special: true, normalized: false }));
const bert = {
  added_tokens: added,
  normalizer: { type: "Lowercase" },
  pre_tokenizer: { type: "WhitespaceSplit" },
  model: { type: "WordPiece", unk_token: "[UNK]", vocab: Object.fromEntries(words.map((word, id) => [word, id])) },
  post_processor: {
    type: "TemplateProcessing",
    single: [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)],
    pair: [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0), sequence("B", 1), special("[SEP]", 1)],
  },
};

function encoder(json: object, config = {}): SequenceEncoder {
  return new SequenceEncoder(parseTokenizer("tokenizer.json", json, {}), config);
}

test("SequenceEncoder.text() adds the special tokens of the post-processor", () => {
  assert.deepEqual(encoder(bert).text("A c"), { ids: [1, 4, 6, 2], types: [0, 0, 0, 0] });
  assert.deepEqual(encoder(bert).text(""), { ids: [1, 2], types: [0, 0] });
  assert.deepEqual(encoder(bert).text("a x"), { ids: [1, 4, 3, 2], types: [0, 0, 0, 0] });
});

test("SequenceEncoder.text() adds nothing without a post-processor and omits text without tokens", () => {
  const plain = { ...bert, post_processor: null, model: { type: "BPE", vocab: { a: 4, b: 5 }, merges: [] } };
  assert.deepEqual(encoder(plain).text("a b"), { ids: [4, 5], types: [0, 0] });
  assert.deepEqual(encoder(plain).text("a x"), { ids: [4], types: [0] });
  assert.deepEqual(encoder(plain).text(""), { ids: [], types: [] });
});

test("SequenceEncoder.pairsWith() distinguishes the texts by their types, an empty one too", () => {
  const pairWith = encoder(bert).pairsWith("a b");
  assert.deepEqual(pairWith("c"), { ids: [1, 4, 5, 2, 6, 2], types: [0, 0, 0, 0, 1, 1] });
  assert.deepEqual(pairWith(""), { ids: [1, 4, 5, 2, 2], types: [0, 0, 0, 0, 1] });
});

test("SequenceEncoder.pairsWith() gives the pair of a RoBERTa two ends between, and no type that it does not have", () => {
  const roberta = { ...bert, post_processor: { type: "RobertaProcessing", cls: ["[CLS]", 1], sep: ["[SEP]", 2] } };
  const sequence = encoder(roberta, { type_vocab_size: 1 }).pairsWith("a")("b");
  assert.deepEqual(sequence, { ids: [1, 4, 2, 2, 5, 2], types: [0, 0, 0, 0, 0, 0] });
});

test("SequenceEncoder.pairsWith() loses no text to a post-processor for single sequences", () => {
  const sequence = encoder({ ...bert, post_processor: { type: "ByteLevel" } }).pairsWith("a")("b");
  assert.deepEqual(sequence, { ids: [4, 5], types: [0, 1] });
});

test("SequenceEncoder.lengthBeforeEnd() leaves out the token that ends the row", () => {
  assert.equal(encoder(bert).lengthBeforeEnd("a b"), 3);
  assert.equal(encoder({ ...bert, post_processor: null }).lengthBeforeEnd("a b"), 2);
  assert.equal(encoder({ ...bert, post_processor: null }).lengthBeforeEnd(""), 0);
});

test("SequenceEncoder.text() recognises added tokens by their normalised form", () => {
  const tokens = [...added, { id: 6, content: "CC", special: false, normalized: true }];
  assert.deepEqual(encoder({ ...bert, added_tokens: tokens }).text("a cc"), { ids: [1, 4, 6, 2], types: [0, 0, 0, 0] });
});
