import { test } from "node:test";
import assert from "node:assert/strict";
import { cleanPrompt } from "../../../lib/models/arworld/text/tokenizer.ts";

test("cleanPrompt() makes runs of white space one space and trims", () => {
  assert.equal(cleanPrompt("  a\t\tlong \n\u3000hall\u00a0 "), "a long hall");
  assert.equal(cleanPrompt(" \n "), "");
});

test("cleanPrompt() resolves HTML entities twice", () => {
  assert.equal(cleanPrompt("Tom &amp;amp; Anna &lt;3"), "Tom & Anna <3");
  assert.equal(cleanPrompt("&amp;amp;lt;"), "&lt;");
  assert.equal(cleanPrompt("caf&eacute; &szlig; &yuml;&hellip; &euro;"), "café ß ÿ… €");
  assert.equal(cleanPrompt("&#233;&#xE9;&#X1F600; &#150;"), "éé😀 –");
});

test("cleanPrompt() leaves other text than entities and marks impossible characters", () => {
  assert.equal(cleanPrompt("a & b; &unknownname; &; 5 &lt 6"), "a & b; &unknownname; &; 5 &lt 6");
  assert.equal(cleanPrompt("&#0;&#xD800;&#x110000;"), "\ufffd\ufffd\ufffd");
});
