import assert from "node:assert/strict";
import { test } from "node:test";
import { utf8Bytes } from "../../../../lib/api/service/text/text_requests.ts";

test("utf8Bytes() counts what an encoder writes, whatever the text", () => {
  const units = ["", "a", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "é", "😀", "\ud800", "\udbff", "\udc00"];
  const encoder = new TextEncoder();
  for (const a of units) {
    for (const b of units) {
      for (const c of units) assert.equal(utf8Bytes(a + b + c), encoder.encode(a + b + c).length);
    }
  }
});
