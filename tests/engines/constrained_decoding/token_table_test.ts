import assert from "node:assert/strict";
import { test } from "node:test";
import { readTokenTable, type TokenTable } from "../../../lib/engines/constrained_decoding/token_table.ts";

const text = (table: TokenTable, id: number): string => new TextDecoder().decode(table.bytesOf(id));

test("readTokenTable() reads the bytes of byte-level tokens", () => {
  const table = readTokenTable({
    model: { vocab: { "Ġhello": 0, "Ċ": 1, "Ã": 2, "©": 3, "!": 4, "日": 5 } },
    decoder: { type: "Sequence", decoders: [{ type: "ByteLevel" }] },
    added_tokens: [{ id: 7, content: "<|end|>", special: true }, { id: 8, content: "<think>", special: false }],
  });
  assert.equal(table.size, 9);
  assert.deepEqual([0, 1, 4, 5, 7, 8].map((id) => text(table, id)), [" hello", "\n", "!", "日", "<|end|>", "<think>"]);
  assert.deepEqual([[...table.bytesOf(2)], [...table.bytesOf(3)], [...table.bytesOf(6)]], [[0xc3], [0xa9], []]);
  assert.deepEqual([table.isSpecial(7), table.isSpecial(8), table.isSpecial(0)], [true, false, false]);
});

test("readTokenTable() reads the bytes of SentencePiece tokens", () => {
  const decoders = [{ type: "Replace", pattern: { String: "▁" }, content: " " }, { type: "ByteFallback" }];
  const table = readTokenTable({
    model: { vocab: [["<unk>", 0], ["▁hello", -1], ["<0xE2>", -2], ["<0xzz>", -3]] },
    decoder: { type: "Sequence", decoders },
  });
  assert.deepEqual([1, 3].map((id) => text(table, id)), [" hello", "<0xzz>"]);
  assert.deepEqual([...table.bytesOf(2)], [0xe2]);
  const metaspace = { model: { vocab: { "_a": 0 } }, decoder: { type: "Metaspace", replacement: "_" } };
  assert.equal(text(readTokenTable(metaspace), 0), " a");
});

test("readTokenTable() reads an invalid tokenizer as one without tokens", () => {
  for (const json of [undefined, [], { model: { vocab: 3 } }, { model: { vocab: { a: -1, b: 1e12, c: "0" } } }]) {
    const table = readTokenTable(json);
    assert.deepEqual([table.size, table.bytesOf(0).length], [0, 0]);
  }
});

test("readTokenTable() takes as many added tokens as a vocabulary can have", () => {
  const added = Array.from({ length: 300_000 }, (_, id) => ({ id, content: "x", special: true }));
  const table = readTokenTable({ model: { type: "BPE", vocab: {} }, added_tokens: added });
  assert.deepEqual([table.size, table.isSpecial(299_999)], [300_000, true]);
});
