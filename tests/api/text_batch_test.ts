import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { utf8Bytes } from "../../lib/api/text_batch.ts";

test("utf8Bytes() counts what an encoder writes, whatever the text", () => {
  const unit = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("é", "€", "😀", "\ud800", "\udc00", "a"));
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 8 }), (units) => {
      const text = units.join("");
      assert.equal(utf8Bytes(text), new TextEncoder().encode(text).length);
    }),
    { seed: 5, numRuns: 50 },
  );
});
