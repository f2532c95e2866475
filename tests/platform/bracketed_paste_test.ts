import assert from "node:assert/strict";
import { test } from "node:test";
import { pasteFilter } from "../../lib/platform/terminal/line_reader.ts";

const typed = "hi \x1b[A\r\x1b";
const sent = `a\x1b[200~one\r\ntwo\rthree\nfour\x03\tfive\x1b[201~b\r${typed}`;
const taken = `aone↵two↵three↵four\tfiveb\r${typed}`;

test("pasteFilter() keeps what is pasted on one line and leaves keys alone", () => {
  assert.equal(pasteFilter()(sent), taken);
});

test("pasteFilter() takes its text in any pieces", () => {
  for (let at = 0; at <= sent.length; at++) {
    if (at === 2) continue; // the first mark after its escape, which is then taken for a key
    const filter = pasteFilter();
    assert.equal(filter(sent.slice(0, at)) + filter(sent.slice(at)), taken, `cut at ${at}`);
  }
});

test("pasteFilter() hands on a lone escape at once", () => {
  assert.equal(pasteFilter()("\x1b"), "\x1b");
});
