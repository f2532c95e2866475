import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { IncrementalDecoder, StopMatcher } from "../../lib/protocol/decoding/streaming_text.ts";

/** Decodes tokens that are pieces of bytes, as byte-level BPE does. */
function byteDecoder(tokens: readonly Uint8Array[]): (ids: readonly number[]) => string {
  return (ids) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(ids.flatMap((id) => [...tokens[id]])));
}

function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const tokens: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = lengths[i % lengths.length];
    tokens.push(bytes.slice(at, at + length));
    at += length;
  }
  return tokens;
}

function stream(tokens: readonly Uint8Array[]): string[] {
  const decoder = new IncrementalDecoder(byteDecoder(tokens));
  return [...tokens.map((_, id) => decoder.push(id)), decoder.flush()];
}

const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 });

test("IncrementalDecoder gives the text of all tokens, however they cut characters", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  fc.assert(
    fc.property(text, lengths, (expected, sizes) => {
      const pieces = stream(cut(new TextEncoder().encode(expected), sizes));
      assert.equal(pieces.join(""), expected);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test("IncrementalDecoder never gives a piece of a character", () => {
  const pieces = stream(cut(new TextEncoder().encode("a€𝄞é👩‍👩‍👧"), [1]));
  assert.equal(pieces.join(""), "a€𝄞é👩‍👩‍👧");
  for (const piece of pieces) assert.ok(!piece.includes("\ufffd") && piece.isWellFormed(), JSON.stringify(piece));
});

test("IncrementalDecoder gives bytes that are not text as the whole decoding would", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), lengths, (bytes, sizes) => {
      const tokens = cut(bytes, sizes);
      assert.equal(stream(tokens).join(""), byteDecoder(tokens)([...tokens.keys()]));
    }),
    { seed: 2, numRuns: 300 },
  );
});

test("IncrementalDecoder holds only a few tokens of endless broken bytes", () => {
  let max = 0;
  const decoder = new IncrementalDecoder((ids) => {
    max = Math.max(max, ids.length);
    return new TextDecoder().decode(Uint8Array.from(ids, () => 0xff));
  });
  let text = "";
  for (let i = 0; i < 500; i++) text += decoder.push(i);
  assert.equal(text + decoder.flush(), "\ufffd".repeat(500));
  assert.ok(max < 24, String(max));
});

test("IncrementalDecoder keeps the spaces of word pieces", () => {
  const words = ["▁Hello", "▁", "▁world", "s", "<0xE2>", "<0x82>", "<0xAC>", "▁!"];
  // As sentence pieces are decoded: bytes joined, marks to spaces, the first space dropped.
  const decode = (ids: readonly number[]) => {
    const bytes = ids.flatMap((id) => {
      const byte = /^<0x(..)>$/.exec(words[id]);
      return byte ? [parseInt(byte[1], 16)] : [...new TextEncoder().encode(words[id])];
    });
    return new TextDecoder().decode(new Uint8Array(bytes)).replaceAll("▁", " ").replace(/^ /, "");
  };
  const decoder = new IncrementalDecoder(decode);
  const pieces = words.map((_, id) => decoder.push(id));
  assert.deepEqual(pieces, ["Hello", " ", " world", "s", "", "", "€", " !"]);
  assert.equal(decoder.flush(), "");
});

/** Where the text ends: before the stop string that begins first. */
function ended(text: string, stops: readonly string[]): string {
  const at = stops.map((stop) => text.indexOf(stop)).filter((i) => i >= 0);
  return at.length === 0 ? text : text.slice(0, Math.min(...at));
}

// @row model-api > Chat request > `stop` across tokens
test("StopMatcher ends before the stop string that begins first, however the text is cut", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 5 });
  const stops = fc.array(word, { maxLength: 4 });
  const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 4 }), { maxLength: 12 });
  fc.assert(
    fc.property(stops, pieces, (words, parts) => {
      const matcher = new StopMatcher(words);
      const text = parts.join("");
      const expected = ended(text, words);
      let out = "";
      for (const part of parts) {
        out += matcher.push(part);
        // Nothing that comes out may have to be taken back.
        assert.ok(expected.startsWith(out), `${out} of ${expected}`);
      }
      assert.equal(out + matcher.flush(), expected);
      assert.equal(matcher.stopped, expected !== text);
    }),
    { seed: 3, numRuns: 2000 },
  );
});

test("StopMatcher gives text out as soon as it cannot belong to a stop string", () => {
  const matcher = new StopMatcher(["\n\n", "STOP"]);
  assert.deepEqual(["a", "\n", "b", "S", "T", "x", "STO", "P"].map((piece) => matcher.push(piece)), [
    "a",
    "",
    "\nb",
    "",
    "",
    "STx",
    "",
    "",
  ]);
  assert.deepEqual([matcher.stopped, matcher.push("more"), matcher.flush()], [true, "", ""]);
});

test("StopMatcher lets everything pass without stop strings", () => {
  const matcher = new StopMatcher([]);
  assert.deepEqual([matcher.push("abc"), matcher.flush(), matcher.stopped], ["abc", "", false]);
});
